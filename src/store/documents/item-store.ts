import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDamage } from '../../errors.ts'
import type { Check } from '../../items/check.ts'
import { versionOf } from '../../items/versions.ts'
import type { HeadCache } from '../derived/head-cache.ts'
import type { ListPlace, Owner, Place, Row, RowKey } from '../derived/index-file.ts'
import type { ItemIndex } from '../derived/item-index.ts'
import type { Health } from '../disk.ts'
import {
  createDocumentFiles,
  createMutex,
  type Documents,
  openDocuments,
  rowOf,
  type StoredItem,
} from './documents.ts'
import type { Head } from './json-file.ts'
import type { Names } from './names.ts'

/** Items of one kind. When a promise resolves, the change is on disk. */
export type ItemStore<T extends StoredItem> = {
  /** By id or alias, if it is in memory; never reads the disk. */
  peek: (name: string) => T | undefined
  /** By id. `gone`: erased, and the id stays taken forever. @throws {AppError} `damaged` */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** By id or alias; an id wins. An alias whose item is gone gives `gone`, one without an item `undefined`. @throws {AppError} `damaged` */
  loadNamed: (name: string) => Promise<T | 'gone' | undefined>
  /** Stores an item under a new id. `taken`: its owner may not have the alias. @throws {AppError} storage errors */
  create: (draft: Omit<T, 'id'>) => Promise<T | 'taken'>
  /** Replaces an item; false if `former` is no longer the newest version. @throws {AppError} storage errors */
  replace: (former: T, next: T) => Promise<boolean>
} & Pick<Documents<T>, 'loadEarlier' | 'removeEarlier'> & {
    /** False if another request was faster. @param isNewest true to erase only this version. @throws {AppError} storage errors */
    erase: (item: T, isNewest?: boolean) => Promise<boolean>
    /**
     * Items of an owner, or of all, without text, newest first; fewer than `count` only at the end.
     * @throws {AppError} storage errors
     */
    list: (owner: Owner, count: number, before?: Place) => Promise<Head<T>[]>
    /** How many items an owner has, or all. @throws {AppError} storage errors */
    count: (owner: Owner) => Promise<number>
    /** Items by id, without text, in this order; leaves out what is gone or damaged. */
    heads: (ids: readonly string[]) => Promise<Head<T>[]>
    /** The rows that a killed process left unsettled, then those that have expired, oldest first. */
    due: (count: number) => Row[]
    /**
     * Erases an item that has expired, even a damaged one, or whose erasure was begun; puts the row of any other right.
     * @returns true if it was erased. @throws {AppError} storage errors
     */
    eraseDue: (row: Row) => Promise<boolean>
  }

/** What differs between the kinds of items. */
export type KindParts<T> = {
  check: Check<T>
  cacheBytes: number
  newId: () => string
  isId: (name: string) => boolean
}

export type ItemStoreParts<T> = KindParts<T> & {
  kind: string
  folder: string
  temporaryFolder: string
  names: Names
  index: ItemIndex
  heads: HeadCache
  health: Health
  /** Milliseconds since the epoch. */
  now: () => number
  /** Called for an unreadable item, which is left out of a list. */
  onDamage: (error: Error) => void
}

/** A damaged item is lost, so its alias becomes free. An item that cannot be read may be intact, so its alias stays taken. */
const noneIfDamaged = (error: unknown) => {
  if (isDamage(error)) return undefined
  throw error
}

type Opened<T extends StoredItem> = ItemStoreParts<T> & { documents: Documents<T> }

/** Brings a row in line with its document, under the mutex of its id. */
const createAgreeing =
  <T extends StoredItem>({ kind, documents, index, now }: Opened<T>, dropAfter: Dropping) =>
  /** What is due is erased, even if it is damaged; any other damaged item says nothing. @returns true if it was erased */
  async (row: Row) => {
    const isDue = ({ expiresAt }: { expiresAt?: number | undefined }) =>
      expiresAt !== undefined && expiresAt <= now()

    const item = await documents.load(row.id).catch((error) => {
      if (isDue(row)) return undefined
      if (isDamage(error)) return 'damaged'
      throw error
    })
    if (item === 'damaged') {
      index.settle(row)
      return false
    }
    if (typeof item !== 'object' || isDue(item)) {
      const isErased = await dropAfter(row, documents.erase(row.id))
      index.remove(row)
      return isErased
    }
    const right = rowOf(kind, item)
    // The row of a failed creation may have the id of another item.
    if (right.owner !== row.owner || right.createdAt !== row.createdAt) index.remove(row)
    index.settle(right)
    return false
  }

/** Drops the head from the cache when a change ends or fails, so lists read the document again. */
type Dropping = <R>(place: Omit<RowKey, 'kind'>, change: Promise<R>) => Promise<R>

/**
 * Writes and erases documents together with their rows. The row comes first and is unsettled until the document is there
 * or gone, so the next process knows which rows a kill cut off from their documents.
 */
const createWriting = <T extends StoredItem>(parts: Opened<T>) => {
  const { kind, documents, index, heads } = parts
  const mutex = createMutex()
  const dropAfter: Dropping = (place, change) => change.finally(() => heads.drop(kind, place.owner, place))
  const agree = createAgreeing(parts, dropAfter)

  /** @param done called once it is on disk */
  const write = (row: Row, act: () => Promise<boolean>, done: (row: Row) => void = index.settle) =>
    mutex(row.id, async () => {
      index.begin(row)
      let isDone = false
      try {
        isDone = await act()
        if (isDone) done(row)
        return isDone
      } finally {
        if (!isDone) await agree(row).catch(() => index.leave(row))
      }
    })

  return {
    create: (item: T) =>
      write(rowOf(kind, item), async () => {
        await documents.create(item)
        return true
      }),

    /** Where the row stays as it is, only the document is replaced. */
    replace: (former: T, next: T) => {
      const replace = () => documents.replace(former, next)
      const isSameRow = former.expiresAt === next.expiresAt && versionOf(former) === versionOf(next)
      return dropAfter(former, isSameRow ? replace() : write(rowOf(kind, next), replace))
    },

    removeEarlier: (former: T) => {
      const row = rowOf(kind, { ...former, earlier: [] })
      return dropAfter(
        former,
        write(row, () => documents.removeEarlier(former)),
      )
    },

    erase: (item: T, isNewest = false) => {
      const erase = () => documents.erase(item.id, isNewest ? item : undefined)
      return dropAfter(item, write(rowOf(kind, item), erase, index.remove))
    },

    eraseDue: (row: Row) => mutex(row.id, () => agree(row)),
  }
}

/** Creates items: reserves the id and the alias, then writes alias, row and document. */
const createCreation = <T extends StoredItem>(
  { documents, names, newId, isId }: Opened<T>,
  isAlive: (id: string) => Promise<boolean>,
  write: (item: T) => Promise<unknown>,
): ItemStore<T>['create'] => {
  const mutex = createMutex()

  /** A new id never equals an alias; nothing runs between that check and the reservation. */
  const reserveFreshId = async () => {
    for (;;) {
      const id = newId()
      if (!names.isTaken(id) && (await documents.reserve(id))) return id
    }
  }

  /** The alias is there before its item, so no item is ever listed under an alias that does not lead to it. */
  const insert = async (draft: Omit<T, 'id'>, isFirst = false) => {
    const id = await reserveFreshId()
    const item = { id, ...draft } as T
    const { alias, owner } = item
    try {
      if (alias !== undefined) await names.write({ alias, id, owner })
      await write(item)
      return item
    } catch (error) {
      // If the disk cannot do that either, the alias stays free for its owner, as after a crash.
      const free = async () => {
        if (alias !== undefined && isFirst && !(await isAlive(id))) await names.remove(alias)
      }
      await free().catch(() => {})
      throw error
    } finally {
      documents.release(id)
    }
  }

  /** Only the key that created an alias may use it again, so a stranger cannot redirect old links. */
  const insertNamed = async (draft: Omit<T, 'id'>, alias: string, owner: string) => {
    const former = await names.load(alias)
    if (former && (former.owner !== owner || (await isAlive(former.id)))) return 'taken'
    if (!isId(alias)) return insert(draft, !former)
    // No item may get this alias as its id, have it, or have had it.
    if (!(await documents.reserve(alias))) return 'taken'
    return insert(draft, !former).finally(() => documents.release(alias))
  }

  return (draft: Omit<T, 'id'>) => {
    const { alias, owner } = draft as Omit<StoredItem, 'id'>
    return alias === undefined ? insert(draft) : mutex(alias, () => insertNamed(draft, alias, owner))
  }
}

/** @returns the store, and the source of its index */
export const openItemStore = <T extends StoredItem>(parts: ItemStoreParts<T>) => {
  const { kind, names, index, now, isId } = parts
  const files = createDocumentFiles<T>(parts)
  const documents = openDocuments<T>({ ...parts, files })

  /** False once its name may be given away: no power cut brings an item back whose name leads elsewhere. */
  const isAlive = async (id: string) => {
    const item = documents.peek(id) ?? (await documents.load(id).catch(noneIfDamaged))
    if (typeof item === 'object') return item.expiresAt === undefined || item.expiresAt > now()
    await documents.erased(id)
    return false
  }
  const { create, ...writing } = createWriting({ ...parts, documents })

  /** An alias may have been written for an item that never was. */
  const isNamed = (item: T | undefined, alias: string) => (item?.alias === alias ? item : undefined)

  const store: ItemStore<T> = {
    peek: (name) => documents.peek(name) ?? isNamed(documents.peek(names.peek(name)?.id ?? ''), name),
    load: documents.load,

    loadNamed: async (name) => {
      const item = isId(name) ? await documents.load(name) : undefined
      if (item !== undefined) return item
      const record = names.peek(name) ?? (await names.load(name))
      if (!record) return undefined
      const named = documents.peek(record.id) ?? (await documents.load(record.id))
      return named === 'gone' ? named : isNamed(named, name)
    },

    create: createCreation({ ...parts, documents }, isAlive, create),
    ...writing,
    loadEarlier: documents.loadEarlier,

    list: createItemLists({ ...parts, documents }),
    count: (owner) => index.count(kind, owner),
    heads: createHeadReading({ ...parts, documents }),
    due: (count) => [...index.unsettled(kind), ...index.due(kind, now(), count)].slice(0, count),
  }
  const rows = async function* () {
    for await (const { head, isErasing } of files.all())
      yield { ...rowOf(kind, head as StoredItem), isErasing }
  }
  return { store, indexed: { all: rows, isThere: files.isThere } }
}

export type ItemListsParts<T extends StoredItem> = {
  kind: string
  index: ItemIndex
  heads: HeadCache
  documents: Pick<Documents<T>, 'loadHead'>
  now: () => number
  onDamage: (error: Error) => void
}

/** Documents that a list reads at the same time. */
const readsAtOnce = 8

/** Lists the items of an owner, or of all: the index knows the places, the documents have the contents. */
export const createItemLists = <T extends StoredItem>(parts: ItemListsParts<T>) => {
  const { kind, index, heads, documents, now, onDamage } = parts

  /** A row without a document is of a creation or an erasure: nobody but who makes or erases an item removes its row. */
  const readHead = async (owner: string, { id, createdAt }: Place) => {
    try {
      const head = await documents.loadHead(id)
      if (typeof head === 'object' && head.owner === owner && head.createdAt === createdAt) return head
    } catch (error) {
      onDamage(error as Error)
    }
  }

  /** The heads read before: only this process changes documents, and a change drops the head. Checking 200 took 1 ms. */
  const knownHeads = (owner: string, [newest, ...others]: readonly Place[]) => {
    const known = newest && heads.between(kind, owner, newest, others.at(-1) ?? newest)
    return new Map([...(known ?? [])].map(([id, head]) => [id, JSON.parse(head) as Head<T>]))
  }

  const headsOf = async (places: readonly ListPlace[]) => {
    const state = heads.state()
    const found = new Map(
      [...Map.groupBy(places, ({ owner }) => owner)].flatMap(([owner, own]) => [...knownHeads(owner, own)]),
    )
    const missing = places.filter(({ id }) => !found.has(id))
    const read: Head<T>[] = []
    for (let at = 0; at < missing.length; at += readsAtOnce) {
      const some = missing.slice(at, at + readsAtOnce).map((place) => readHead(place.owner, place))
      for (const head of await Promise.all(some)) if (head) read.push(head)
    }
    for (const [owner, own] of Map.groupBy(read, (head) => head.owner)) heads.add(kind, owner, own, state)
    for (const head of read) found.set(head.id, head)
    return places.flatMap(({ id }) => found.get(id) ?? [])
  }

  const isLive = ({ expiresAt }: Head<T>) => expiresAt === undefined || expiresAt > now()

  return async (owner: Owner, count: number, before?: Place) => {
    const found: Head<T>[] = []
    let last = before
    for (let isMore = true; isMore && found.length < count; ) {
      // There are further rounds only if items have expired, perhaps many, so other requests get a turn.
      if (last !== before) await nextTurn()
      const wanted = count - found.length
      const places = await index.page(kind, owner, wanted, last)
      found.push(...(await headsOf(places)).filter(isLive))
      last = places.at(-1)
      isMore = places.length === wanted
    }
    return found
  }
}

/** Reads heads by id, in this order; leaves out what is gone, expired or damaged. */
export const createHeadReading = <T extends StoredItem>({
  documents,
  now,
  onDamage,
}: Pick<ItemListsParts<T>, 'documents' | 'now' | 'onDamage'>) => {
  const readHead = (id: string) =>
    documents.loadHead(id).catch((error) => {
      onDamage(error)
      return undefined
    })

  return async (ids: readonly string[]) => {
    const heads: Head<T>[] = []
    for (let at = 0; at < ids.length; at += readsAtOnce)
      for (const head of await Promise.all(ids.slice(at, at + readsAtOnce).map(readHead)))
        if (typeof head === 'object' && (head.expiresAt === undefined || head.expiresAt > now()))
          heads.push(head)
    return heads
  }
}

import { isDamage } from '../../errors.ts'
import type { Check } from '../../items/check.ts'
import { versionOf } from '../../items/versions.ts'
import type { HeadCache } from '../derived/head-cache.ts'
import type { DueRow, Owner, Place, Row } from '../derived/index-file.ts'
import type { ItemIndex } from '../derived/item-index.ts'
import type { Health } from '../disk.ts'
import { createDocumentFiles, createMutex } from './document-files.ts'
import { type Documents, openDocuments, rowOf, type StoredItem } from './documents.ts'
import { createHeadReading, createItemLists } from './item-lists.ts'
import type { Head } from './json-file.ts'
import type { Names } from './names.ts'

/** Items of one kind. When a promise resolves, the change is on disk. */
export type ItemStore<T extends StoredItem> = {
  /** By id or alias, if it is in memory; never reads the disk. */
  peek: (name: string) => T | undefined
  /** By id. `gone`: erased, and the id stays taken forever. @throws {AppError} `damaged` */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** By id or alias; an id wins. An alias whose item is gone gives `gone`. @throws {AppError} `damaged` */
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
    /** The items that have expired according to the index, oldest first. */
    due: (count: number) => Row[]
    /** Erases an expired item, even a damaged one. @returns true if it was erased. @throws {AppError} storage errors */
    eraseDue: (row: DueRow) => Promise<boolean>
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

/** Drops the head from the cache when a change ends or fails, so lists read the document again. */
const createDropping =
  <T extends StoredItem>({ kind, heads }: ItemStoreParts<T>) =>
  <R>(place: Place & Pick<Row, 'owner'>, change: Promise<R>): Promise<R> =>
    change.finally(() => heads.drop(kind, place.owner, place))

/** Erases items: first the document, then its row. */
const createErasing = <T extends StoredItem>(
  { kind, documents, index }: Opened<T>,
  dropAfter: ReturnType<typeof createDropping>,
) => ({
  erase: async (item: T, isNewest = false) => {
    const isErased = await dropAfter(item, documents.erase(item.id, isNewest ? item : undefined))
    if (isErased) index.remove(rowOf(kind, item))
    return isErased
  },

  eraseDue: async (row: DueRow) => {
    const item = documents.peek(row.id) ?? (await documents.load(row.id).catch(() => undefined))
    // The row of a failed creation may have the id of another item.
    const isOther = typeof item === 'object' && item.expiresAt !== row.expiresAt
    const isErased = !isOther && (await dropAfter(row, documents.erase(row.id)))
    index.remove(row)
    if (isOther) {
      const right = rowOf(kind, item)
      index.begin(right)
      index.settle(right)
    }
    return isErased
  },
})

/** Replaces items. If its row changes, that is first, as in a creation: after a crash the document says what is right. */
const createReplacing = <T extends StoredItem>({ kind, documents, index }: Opened<T>) => {
  const mutex = createMutex()

  const putRight = async (row: Row) => {
    const newest = documents.peek(row.id) ?? (await documents.load(row.id).catch(() => undefined))
    if (typeof newest !== 'object') return index.remove(row)
    const right = rowOf(kind, newest)
    index.begin(right)
    index.settle(right)
  }

  const replaceWithRow = (former: T, next: T) =>
    mutex(former.id, async () => {
      const row = rowOf(kind, next)
      index.begin(row)
      let isReplaced = false
      try {
        isReplaced = await documents.replace(former, next)
      } finally {
        index.settle(row)
        if (!isReplaced) await putRight(row)
      }
      return isReplaced
    })

  return {
    replace: (former: T, next: T) =>
      former.expiresAt === next.expiresAt && versionOf(former) === versionOf(next)
        ? documents.replace(former, next)
        : replaceWithRow(former, next),

    removeEarlier: (former: T) =>
      mutex(former.id, async () => {
        const isRemoved = await documents.removeEarlier(former)
        if (isRemoved) await putRight(rowOf(kind, former))
        return isRemoved
      }),
  }
}

/** Creates items: reserves the id and the alias, then writes row, document and alias. */
const createCreation = <T extends StoredItem>(
  { kind, documents, names, index, newId, isId }: Opened<T>,
  isAlive: (id: string) => Promise<boolean>,
  erase: ItemStore<T>['erase'],
): ItemStore<T>['create'] => {
  const mutex = createMutex()

  /** A new id never equals an alias; nothing runs between that check and the reservation. */
  const reserveFreshId = async () => {
    for (;;) {
      const id = newId()
      if (!names.isTaken(id) && (await documents.reserve(id))) return id
    }
  }

  /** A crash leaves a row without a document, or an item that no client knows. */
  const insert = async (draft: Omit<T, 'id'>, isFirst = false) => {
    const id = await reserveFreshId()
    const item = { id, ...draft } as T
    const row = rowOf(kind, item)
    index.begin(row)
    try {
      await documents.create(item)
    } catch (error) {
      index.remove(row)
      throw error
    } finally {
      index.settle(row)
      documents.release(id)
    }
    if (item.alias === undefined) return item
    try {
      await names.write({ alias: item.alias, id, owner: item.owner }, isFirst)
      return item
    } catch (error) {
      // If the disk cannot erase it either, the item stays, as after a crash.
      await erase(item).catch(() => {})
      throw error
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
  const dropAfter = createDropping(parts)

  const { erase, eraseDue } = createErasing({ ...parts, documents }, dropAfter)
  const { replace, removeEarlier } = createReplacing({ ...parts, documents })
  const store: ItemStore<T> = {
    peek: (name) => documents.peek(name) ?? documents.peek(names.peek(name)?.id ?? ''),
    load: documents.load,

    loadNamed: async (name) => {
      const item = isId(name) ? await documents.load(name) : undefined
      if (item !== undefined) return item
      const record = names.peek(name) ?? (await names.load(name))
      if (!record) return undefined
      return documents.peek(record.id) ?? (await documents.load(record.id)) ?? 'gone'
    },

    create: createCreation({ ...parts, documents }, isAlive, erase),

    replace: (former, next) => dropAfter(former, replace(former, next)),
    loadEarlier: documents.loadEarlier,
    removeEarlier: (former) => dropAfter(former, removeEarlier(former)),

    erase,
    list: createItemLists({ ...parts, documents }),
    count: (owner) => index.count(kind, owner),
    heads: createHeadReading({ ...parts, documents }),
    due: (count) => index.due(kind, now(), count),
    eraseDue,
  }
  const rows = async function* () {
    for await (const head of files.all()) yield rowOf(kind, head as StoredItem)
  }
  return { store, indexed: { all: rows, isThere: files.isThere } }
}

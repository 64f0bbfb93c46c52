import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Low } from 'lowdb'
import { LRUCache } from 'lru-cache'
import { isDamage, storageFailure } from '../../errors.ts'
import { compileCheck } from '../../items/field.ts'
import { type Changeable, sha256, versionOf } from '../../items/ids.ts'
import { StoredAlias } from '../../items/schema.ts'
import type { FoundRow, ItemIndex, ListRow } from '../derived/item-index.ts'
import { checkedJson, DurableJSONFile, existsNow, makeFolder, readJson } from '../disk.ts'
import type { Head, ItemStore, KindParts, Row, StoredItem } from '../store.ts'
import { type Documents, type DocumentsParts, headOf, openDocuments } from './documents.ts'

/** What differs between the kinds of items. */
type ItemStoreParts<T> = KindParts<T> &
  DocumentsParts<T> & {
    kind: string
    /** The folder of the names. */
    aliases: string
    index: ItemIndex
    /** Milliseconds since the epoch. */
    now: () => number
    /** Called for an unreadable item, which is left out of a list. */
    onDamage: (error: Error) => void
  }

/** Runs tasks for the same id one at a time, even after failures; other ids do not wait. */
const createMutex = () => {
  const last = new Map<string, Promise<unknown>>()
  return <R>(id: string, act: () => Promise<R>): Promise<R> => {
    const before = last.get(id)
    const turn = before === undefined ? act() : before.then(act, act)
    last.set(id, turn)
    const leave = () => {
      if (last.get(id) === turn) last.delete(id)
    }
    turn.then(leave, leave)
    return turn
  }
}

/** Size of the text or address of an item; a head has it for a paste. */
const bytesOf = (item: StoredItem) => {
  const { text, url = '', bytes } = item as { text?: string; url?: string; bytes?: number }
  return bytes || Buffer.byteLength(text ?? url)
}

/** The row of an item, from its document or the head of it. */
export const rowOf = (kind: string, item: StoredItem): Row => {
  const { id, owner, createdAt, expiresAt, version = 1, earlier = [] } = item
  return {
    ...{ kind, owner, createdAt, id, expiresAt, version, bytes: bytesOf(item) },
    kept: earlier.length,
    keptBytes: earlier.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

const numbersOf = ({ earlier = [] }: Changeable) => new Set(earlier.map(({ version }) => version))

type Opened<T extends StoredItem> = ItemStoreParts<T> & {
  names: ReturnType<typeof openNames>
  documents: Documents<T>
  /** One at a time for each id, or name. */
  exclusive: ReturnType<typeof createMutex>
}

/** Keeps the rows of the index in line with the documents. Call it under the mutex of the id. */
const createRows = <T extends StoredItem>({ kind, documents, index, now }: Opened<T>) => {
  const isDue = ({ expiresAt }: { expiresAt?: number | undefined }) =>
    expiresAt !== undefined && expiresAt <= now()

  const settle = (item: T) => index.settle(rowOf(kind, item), JSON.stringify(headOf(item)))

  /**
   * Settles a row as its document says. What is due is erased, even if it is damaged; of any other damaged item nothing is
   * known. @returns true if it was erased
   */
  const agree = async (row: Row) => {
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
      const isThere = documents.exists(row.id)
      if (isThere) await documents.erase(row.id)
      index.remove(row)
      return isThere
    }
    // The row of a failed creation may have the id of another item.
    if (item.owner !== row.owner || item.createdAt !== row.createdAt) index.remove(row)
    settle(item)
    return false
  }

  /**
   * Writes or erases the document of a row. The row comes first and is unsettled until the document is there or gone, so
   * the next process knows which rows a kill cut off from their documents.
   */
  const withRow = async (
    item: T,
    act: () => Promise<unknown>,
    done: (row: Row) => void = () => settle(item),
  ) => {
    const row = rowOf(kind, item)
    index.begin(row)
    try {
      await act()
      done(row)
    } catch (error) {
      await agree(row).catch(() => index.leave(row))
      throw error
    }
  }

  return { agree, withRow }
}

/** Creates, replaces and erases items, one change of an item at a time. */
const createWriting = <T extends StoredItem>(parts: Opened<T>) => {
  const { documents, index, exclusive } = parts
  const { agree, withRow } = createRows(parts)

  const isNewest = async (item: T) => {
    const newest = documents.peek(item.id) ?? (await documents.load(item.id))
    return newest === item || isDeepStrictEqual(newest, item)
  }

  /** Compare-and-swap. */
  const swap = (former: T, next: T, act: () => Promise<unknown>) =>
    exclusive(former.id, async () => {
      if (!(await isNewest(former))) return false
      await withRow(next, act)
      return true
    })

  return {
    write: (item: T) => exclusive(item.id, () => withRow(item, () => documents.create(item))),

    replace: (former: T, next: T) =>
      swap(former, next, async () => {
        const [before, after] = [numbersOf(former), numbersOf(next)]
        if (after.has(versionOf(former))) await documents.writeEarlier(former, versionOf(former))
        await documents.write(next)
        // The change is on disk. A file that stays behind is removed with the next version or with the document.
        if (!before.isSubsetOf(after)) await documents.removeEarlier(next.id, after).catch(() => {})
      }),

    removeEarlier: (former: T) => {
      const { earlier = [], ...others } = former
      const next = others as T
      return swap(former, next, async () => {
        if (earlier.length > 0) await documents.write(next)
        await documents.removeEarlier(next.id, new Set())
      })
    },

    erase: (item: T, mustBeNewest = false) =>
      exclusive(item.id, async () => {
        if (mustBeNewest && !(await isNewest(item))) return false
        if (!documents.exists(item.id)) return false
        await withRow(item, () => documents.erase(item.id), index.remove)
        return true
      }),

    eraseDue: (row: Row) => exclusive(row.id, () => agree(row)),
  }
}

/** A damaged item is lost, so its alias becomes free. An item that cannot be read may be intact, so its alias stays taken. */
const noneIfDamaged = (error: unknown) => {
  if (isDamage(error)) return undefined
  throw error
}

/** Creates items: reserves the id and the alias, then writes alias, row and document. */
const createCreation = <T extends StoredItem>(
  { documents, names, newId, isId, now, exclusive }: Opened<T>,
  write: (item: T) => Promise<void>,
): ItemStore<T>['create'] => {
  /** False once its name may be given away: no power cut brings an item back whose name leads elsewhere. */
  const isAlive = async (id: string) => {
    const item = documents.peek(id) ?? (await documents.load(id).catch(noneIfDamaged))
    if (typeof item === 'object') return item.expiresAt === undefined || item.expiresAt > now()
    await exclusive(id, () => documents.syncErasure(id))
    return false
  }

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

  return (draft) => {
    const { alias, owner } = draft as Omit<StoredItem, 'id'>
    return alias === undefined
      ? insert(draft)
      : exclusive(`name ${alias}`, () => insertNamed(draft, alias, owner))
  }
}

/** So many heads are read in one turn: about 2 ms, if their titles and descriptions are as long as they may be. */
const mostAtOnce = 51

/** Lists items from the heads that the index has. */
const createLists = <T extends StoredItem>({ kind, index, documents, now, onDamage }: Opened<T>) => {
  /** A settled row has the head of its document, if that is there. What is being written or erased is read. */
  const headIn = async ({ owner, createdAt, id, head }: ListRow): Promise<Head<T> | undefined> => {
    if (head !== undefined) return documents.isThere(id) ? JSON.parse(head) : undefined
    const item = await documents.load(id).catch(onDamage)
    return typeof item === 'object' && item.owner === owner && item.createdAt === createdAt
      ? headOf(item)
      : undefined
  }

  const livingHeads = async (rows: readonly ListRow[]) => {
    const heads: Head<T>[] = []
    for (const row of rows) {
      const head = await headIn(row)
      if (head && (head.expiresAt === undefined || head.expiresAt > now())) heads.push(head)
    }
    return heads
  }

  const list: ItemStore<T>['list'] = async (owner, count, before) => {
    const heads: Head<T>[] = []
    let last = before
    for (let isMore = true; isMore && heads.length < count; ) {
      // Titles may be long, and many items may have expired, so other requests get a turn between two rounds.
      if (last !== before) await nextTurn()
      const missing = Math.min(count - heads.length, mostAtOnce)
      const rows = await index.page(kind, owner, missing, last)
      heads.push(...(await livingHeads(rows)))
      last = rows.at(-1)
      isMore = rows.length === missing
    }
    return heads
  }

  const heads: ItemStore<T>['heads'] = async (places) => livingHeads(await index.at(kind, places))

  return { list, heads }
}

/** @returns the store, and the source of its index */
export const openItemStore = <T extends StoredItem>(parts: ItemStoreParts<T>) => {
  const { kind, index, now, isId } = parts
  const names = openNames({ ...parts, folder: parts.aliases })
  const documents = openDocuments<T>(parts)
  const opened = { ...parts, names, documents, exclusive: createMutex() }
  const { write, ...writing } = createWriting(opened)

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

    create: createCreation(opened, write),
    ...writing,
    loadEarlier: documents.loadEarlier,
    ...createLists(opened),
    count: (owner) => index.count(kind, owner),
    due: async (count) => [...index.unsettled(kind), ...index.due(kind, now(), count)].slice(0, count),
  }

  const all = async function* (): AsyncGenerator<FoundRow> {
    for await (const { head, isErasing } of documents.heads())
      yield { ...rowOf(kind, head as StoredItem), head: JSON.stringify(head), isErasing }
  }
  return { store, indexed: { all, isThere: documents.isThere } }
}

/** A record takes about 400 bytes. */
const cachedRecords = 4096

export const aliasCheck = compileCheck(StoredAlias)

/** The folder of an alias. By hash, because aliases may have one character, and many have the same beginning. */
export const aliasShard = (alias: string) => sha256(alias).slice(0, 2)

type NamesFolder = Pick<DocumentsParts<unknown>, 'folder' | 'temporaryFolder' | 'health'>

/** Aliases, with one file each: the document that an alias leads to, and its owner. */
export const openNames = ({ folder, temporaryFolder, health }: NamesFolder) => {
  const cache = new LRUCache<string, StoredAlias>({ max: cachedRecords })
  let writes = 0

  const folderOf = (alias: string) => join(folder, aliasShard(alias))
  const pathOf = (alias: string) => join(folderOf(alias), `${alias}.json`)
  const fileOf = (alias: string) =>
    new DurableJSONFile<StoredAlias>(pathOf(alias), temporaryFolder, checkedJson)

  const put = async (record: StoredAlias) => {
    await makeFolder(folderOf(record.alias))
    await new Low(fileOf(record.alias), record).write()
  }

  return {
    /** The record if it is in memory; never reads the disk. */
    peek: (alias: string) => cache.get(alias),
    /** True if the alias was ever used. Synchronous, 5 µs for a free one. @throws {AppError} `storage-unavailable` */
    isTaken: (alias: string) => {
      try {
        return cache.has(alias) || existsNow(pathOf(alias))
      } catch (error) {
        throw storageFailure(error)
      }
    },
    /** `undefined` if the alias was never used. @throws {AppError} `damaged` */
    load: async (alias: string) => {
      const writesBefore = writes
      const record = await readJson(
        fileOf(alias),
        pathOf(alias),
        (data) => aliasCheck.problem(data) ?? (data.alias === alias ? undefined : 'holds another alias'),
      )
      // A record that was replaced during the read must not get into the cache.
      if (record && writes === writesBefore) cache.set(alias, record)
      return record
    },
    /** Replaces a record durably. A failed one may be there. @throws {AppError} storage errors */
    write: async (record: StoredAlias) => {
      const { alias } = record
      writes++
      try {
        await health.watch(put(record))
        cache.set(alias, record)
      } catch (error) {
        cache.delete(alias)
        throw storageFailure(error)
      } finally {
        writes++
      }
    },
    /** Makes an alias free again that never led to an item. @throws the error of the system call */
    remove: (alias: string) => {
      writes++
      cache.delete(alias)
      return unlink(pathOf(alias)).finally(() => writes++)
    },
  }
}

import { isDamage } from '../../errors.ts'
import type { Check } from '../../items/check.ts'
import type { HeadCache } from '../derived/head-cache.ts'
import type { Place, Row } from '../derived/index-file.ts'
import type { ItemIndex } from '../derived/item-index.ts'
import type { Health } from '../disk.ts'
import { createDocumentFiles, createMutex } from './document-files.ts'
import { type Documents, openDocuments, type StoredItem } from './documents.ts'
import { createItemLists } from './item-lists.ts'
import type { Head } from './json-file.ts'
import type { Names } from './names.ts'

/** Items of one kind. What a promise here has answered is on disk. */
export type ItemStore<T extends StoredItem> = {
  /** By id or alias, if it is in memory; never touches the disk. */
  peek: (name: string) => T | undefined
  /** By id. `gone`: erased, its id stays taken for ever. @throws {AppError} `damaged` */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** By id or alias. An id wins; a name that was given and leads nowhere is gone. @throws {AppError} `damaged` */
  loadNamed: (name: string) => Promise<T | 'gone' | undefined>
  /** Stores an item under a fresh id. `taken`: its alias is not free for its owner. @throws {AppError} storage errors */
  create: (draft: Omit<T, 'id'>) => Promise<T | 'taken'>
  /** Puts an item in the place of the former one; false where that is not the newest any more. @throws {AppError} storage errors */
  replace: (former: T, next: T) => Promise<boolean>
  /** False where somebody was faster. @param isNewest whether the item must still be as it is. @throws {AppError} storage errors */
  erase: (item: T, isNewest?: boolean) => Promise<boolean>
  /** Items of an owner without their text, newest first; fewer than `count` only where there are no more. @throws {AppError} storage errors */
  list: (owner: string, count: number, before?: Place) => Promise<Head<T>[]>
  /** What the index says has expired, oldest first. */
  due: (count: number) => Row[]
  /** Erases what has expired, also where it is damaged. @returns whether something was erased. @throws {AppError} storage errors */
  eraseDue: (row: Row) => Promise<boolean>
}

/** What tells items of one kind from those of another. */
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
  /** Told of an item that cannot be read: it is left out of a list. */
  onDamage: (error: Error) => void
}

/** The row of an item, as its document says it. */
const rowOf = (kind: string, { id, owner, createdAt, expiresAt }: StoredItem): Row => ({
  kind,
  owner,
  createdAt,
  id,
  expiresAt,
})

/** What is damaged is lost: its name would be nobody's for ever. What could not be read may be whole. */
const noneIfDamaged = (error: unknown) => {
  if (isDamage(error)) return undefined
  throw error
}

type Opened<T extends StoredItem> = ItemStoreParts<T> & { documents: Documents<T> }

/** When a change ends, well or not, lists read the document again. */
const createDropping =
  <T extends StoredItem>({ kind, heads }: ItemStoreParts<T>) =>
  <R>(place: Place & Pick<Row, 'owner'>, change: Promise<R>): Promise<R> =>
    change.finally(() => heads.drop(kind, place.owner, place))

/** How items leave: the document, then its row. */
const createErasing = <T extends StoredItem>(
  { kind, documents, index }: Opened<T>,
  dropAfter: ReturnType<typeof createDropping>,
) => ({
  erase: async (item: T, isNewest = false) => {
    const isErased = await dropAfter(item, documents.erase(item.id, isNewest ? item : undefined))
    if (isErased) index.remove(rowOf(kind, item))
    return isErased
  },

  eraseDue: async (row: Row) => {
    const item = documents.peek(row.id) ?? (await documents.load(row.id).catch(() => undefined))
    // Of an item that was never written, the row may meet another of the same id.
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

/** How items come: an id is reserved, and a name; then row, document and name are written. */
const createCreation = <T extends StoredItem>(
  { kind, documents, names, index, newId, isId }: Opened<T>,
  isAlive: (id: string) => Promise<boolean>,
  erase: ItemStore<T>['erase'],
): ItemStore<T>['create'] => {
  const mutex = createMutex()

  /** A new id never takes a name; nothing runs between that look and the reservation. */
  const reserveFreshId = async () => {
    for (;;) {
      const id = newId()
      if (!names.isTaken(id) && (await documents.reserve(id))) return id
    }
  }

  /** A crash leaves a row that leads nowhere, or an item that nobody was told of. */
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
      // Left behind by a disk that cannot erase either, it is as after a crash.
      await erase(item).catch(() => {})
      throw error
    }
  }

  /** Only the key that made it may take again what is gone, so that no link starts to lead where a stranger wants. */
  const insertNamed = async (draft: Omit<T, 'id'>, alias: string, owner: string) => {
    const former = await names.load(alias)
    if (former && (former.owner !== owner || (await isAlive(former.id)))) return 'taken'
    if (!isId(alias)) return insert(draft, !former)
    // No item may get this name as its id, have it, or have had it.
    if (!(await documents.reserve(alias))) return 'taken'
    return insert(draft, !former).finally(() => documents.release(alias))
  }

  return (draft: Omit<T, 'id'>) => {
    const { alias, owner } = draft as Omit<StoredItem, 'id'>
    return alias === undefined ? insert(draft) : mutex(alias, () => insertNamed(draft, alias, owner))
  }
}

/** @returns the store, and what the index is built from */
export const openItemStore = <T extends StoredItem>(parts: ItemStoreParts<T>) => {
  const { kind, names, index, now, isId } = parts
  const files = createDocumentFiles<T>(parts)
  const documents = openDocuments<T>({ ...parts, files })

  const isAlive = async (id: string) => {
    const item = documents.peek(id) ?? (await documents.load(id).catch(noneIfDamaged))
    return typeof item === 'object' && (item.expiresAt === undefined || item.expiresAt > now())
  }
  const dropAfter = createDropping(parts)
  const { erase, eraseDue } = createErasing({ ...parts, documents }, dropAfter)
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

    replace: (former, next) => dropAfter(former, documents.replace(former, next)),

    erase,
    list: createItemLists({ ...parts, documents }),
    due: (count) => index.due(kind, now(), count),
    eraseDue,
  }
  return { store, indexed: { all: files.all, isThere: files.isThere } }
}

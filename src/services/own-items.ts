import { invalid } from '../errors.ts'
import { type ItemKind, versionOf } from '../items/ids.ts'
import type { StoredLink } from '../items/link.ts'
import type { StoredPaste } from '../items/paste.ts'
import type { Head, ItemStore, Owner, Place } from '../store/store.ts'
import type { Search } from '../store/words/tokens.ts'
import type { Counts } from './counts.ts'
import { createFinding, type Finding, type FoundPage } from './finding.ts'
import { type Change, deletedItem, type Item, type Items, noSuchItem, notKept } from './items.ts'
import { type KeyHolder, requireAdmin } from './keys.ts'
import { createLinks, type Links } from './links.ts'
import { createPastes, type Pastes, type PastesParts } from './pastes.ts'

/** The key of a request: its name, and whether it is an admin key. */
export type Asker = Pick<KeyHolder, 'name' | 'admin'>

/** The items of all pages; left out where a search chooses. */
type Counted = { total?: number }

/** An item without its text. */
export type Listed<T> = Head<T>

/** Some items, newest first. `after` is the cursor of the next page; `undefined` on the last one. */
type OwnPage<T> = { items: readonly Listed<T>[]; after: string | undefined } & Counted

const encodeCursor = ({ createdAt, id }: Place) => Buffer.from(`${createdAt}.${id}`).toString('base64url')

const decodeCursor = (cursor: string): Place => {
  const [, createdAt, id = ''] =
    /^(\d{1,13})\.([0-9a-z]{1,13})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (createdAt === undefined) throw invalid('"after" must be the "after" of the previous page')
  return { createdAt: Number(createdAt), id }
}

/** Lists of the items of a key, or of others for an admin key. */
const createKeyLists = <T extends Item>(store: ItemStore<T>, finding: Finding<T>) => ({
  /**
   * Whose items a key asks for: of a name, of every key (`*`), or its own (`null`).
   * @throws {AppError} `forbidden` for those of others, without an admin key
   */
  ownerAsked: (asker: Asker, asked: string | null): Owner => {
    if (asked === null || asked === asker.name) return asker.name
    requireAdmin(asker, 'list what others made')
    return asked === '*' ? undefined : asked
  },

  /** @param after the `after` of the page before. @throws {AppError} `invalid` for any other value; storage errors */
  list: async (owner: Owner, limit: number, after?: string): Promise<OwnPage<T>> => {
    const before = after === undefined ? undefined : decodeCursor(after)
    const found = await store.list(owner, limit + 1, before)
    const page = found.slice(0, limit)
    const last = found.length > limit ? page.at(-1) : undefined
    return { items: page, after: last && encodeCursor(last), total: await store.count(owner) }
  },

  count: (owner: Owner) => store.count(owner),

  /** Searches the items of an owner. @throws {AppError} `invalid`; storage errors */
  search: async (...query: Parameters<Finding<T>>): Promise<FoundPage<T> & Counted> => {
    const [owner, { text, language, since }] = query
    const page = await finding(...query)
    const isChosen = text !== '' || language !== undefined || since !== undefined
    return isChosen ? page : { ...page, total: await store.count(owner) }
  },
})

/** What a key may do with the items that it created, and an admin key with those of others. */
const createItemsOfKey = <T extends Item>(
  kind: ItemKind,
  items: Pick<Items<T>, 'find' | 'erase' | 'change'>,
  store: ItemStore<T>,
  finding: Finding<T>,
) => {
  /** Like `find`, but an admin key finds items of every key. */
  const look = async ({ name, admin }: Asker, rawId: string): Promise<T> => {
    const item = await items.find(rawId)
    // The same message as for an unused id, so nobody learns what others have.
    if (item.owner !== name && !admin) throw noSuchItem(kind)
    return item
  }
  /** @throws {AppError} `not-found`, also for an item of another key; `gone`, `damaged` */
  const find = (owner: string, rawId: string) => look({ name: owner }, rawId)

  return {
    find,
    look,

    ...createKeyLists(store, finding),

    /** @throws {AppError} as `look` does; storage errors */
    delete: async (asker: Asker, rawId: string) => {
      const item = await look(asker, rawId)
      if (!(await items.erase(item))) throw deletedItem(kind)
      return item
    },

    /** @throws {AppError} as `find` and `change` of the items do */
    change: (owner: string, rawId: string, change: Change<T>, isExpected?: (state: string) => boolean) =>
      items.change(() => find(owner, rawId), change, isExpected),

    /** An earlier version, or the newest. @throws {AppError} as `find` does; `gone` for a version that is not kept */
    version: async (owner: string, rawId: string, version: number): Promise<T> => {
      const item = await find(owner, rawId)
      if (version === versionOf(item)) return item
      const isKept = item.earlier?.some((one) => one.version === version)
      const earlier = isKept ? await store.loadEarlier(item.id, version) : undefined
      if (!earlier) throw notKept(kind, version)
      return earlier
    },

    /** Removes all earlier versions. @throws {AppError} as `find` does; storage errors */
    eraseVersions: async (owner: string, rawId: string): Promise<T> => {
      for (;;) {
        const item = await find(owner, rawId)
        if (await store.removeEarlier(item)) return item
      }
    },
  }
}
export type ItemsOfKey<T extends Item> = ReturnType<typeof createItemsOfKey<T>>

export type ItemServicesParts = Omit<PastesParts, 'store'> & {
  counts: Pick<Counts, 'forget' | 'flush'>
  search: Search
  stores: { paste: ItemStore<StoredPaste>; link: ItemStore<StoredLink> }
  /** Counts what happens to items; without metrics it returns them unchanged. */
  around: <T extends Pastes | Links>(kind: ItemKind, items: T) => T
}

/** Pastes and links, and the lists of them for each key. */
export const createItemServices = ({ stores, around, search, ...parts }: ItemServicesParts) => {
  const { now, counts } = parts
  const pastes = around('paste', createPastes({ ...parts, store: stores.paste }))
  const links = around('link', createLinks({ ...parts, store: stores.link }))
  const findingOf = <T extends Item>(kind: ItemKind, store: ItemStore<T>) =>
    createFinding({ kind, store, search, counts, now })
  return {
    pastes,
    links,
    pastesOfKey: createItemsOfKey('paste', pastes, stores.paste, findingOf('paste', stores.paste)),
    linksOfKey: createItemsOfKey('link', links, stores.link, findingOf('link', stores.link)),
  }
}

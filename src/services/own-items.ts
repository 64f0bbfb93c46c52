import { invalid } from '../errors.ts'
import type { ItemKind } from '../items/ids.ts'
import type { StoredLink } from '../items/link.ts'
import type { StoredPaste } from '../items/paste.ts'
import { versionOf } from '../items/versions.ts'
import type { Head, ItemStore, Owner, Place } from '../store/store.ts'
import type { Finder } from '../store/words/finder.ts'
import type { Counts } from './counts.ts'
import { createFinding, type Finding, type FoundPage } from './finding.ts'
import {
  type Burnable,
  type Change,
  type Changes,
  deletedItem,
  type Item,
  type Items,
  noSuchItem,
} from './items.ts'
import { type KeyHolder, requireAdmin } from './keys.ts'
import { createLinks, type Links } from './links.ts'
import { createPastes, type Pastes, type PastesParts } from './pastes.ts'

/** An item without its text. */
export type Listed<T> = Head<T>

/** The key of a request: its name, and whether it is an admin key. */
export type Asker = Pick<KeyHolder, 'name' | 'admin'>

/** The items of all pages; left out where a search chooses. */
type Counted = { total?: number }

/** Some items, newest first. `after` is the cursor of the next page; `undefined` on the last one. */
export type OwnPage<T> = { items: readonly Listed<T>[]; after: string | undefined } & Counted

/** What a key may do with the items that it created, and an admin key with those of others. */
export type ItemsOfKey<T extends Item> = {
  /**
   * Whose items a key asks for: of a name, of every key (`*`), or its own (`null`).
   * @throws {AppError} `forbidden` for those of others, without an admin key
   */
  ownerAsked: (asker: Asker, asked: string | null) => Owner
  /** @param after the `after` of the page before. @throws {AppError} `invalid` for any other value; storage errors */
  list: (owner: Owner, limit: number, after?: string) => Promise<OwnPage<T>>
  /** Searches the items of an owner. @throws {AppError} `invalid`; storage errors */
  search: (...asked: Parameters<Finding<T>>) => Promise<FoundPage<T> & Counted>
  /** @throws {AppError} `not-found`, also for an item of another key; `gone`, `damaged` */
  find: (owner: string, rawId: string) => Promise<T>
  /** Like `find`, but an admin key finds items of every key. */
  look: (asker: Asker, rawId: string) => Promise<T>
  /** @throws {AppError} as `look` does; storage errors */
  delete: (asker: Asker, rawId: string) => Promise<T>
  /**
   * @param isExpected whether this state of the item, as `stateOf` names it, may be changed
   * @returns the item as it is now, on disk
   * @throws {AppError} as `find` does; `conflict` for a burn-after-reading item, `outdated`; storage errors
   */
  change: (
    owner: string,
    rawId: string,
    change: Change<T>,
    isExpected?: (state: string) => boolean,
  ) => Promise<T>
  /** An earlier version, or the newest. @throws {AppError} as `find` does; `gone` for a version that is not kept */
  version: (owner: string, rawId: string, version: number) => Promise<T>
  /** Removes all earlier versions. @throws {AppError} as `find` does; storage errors */
  eraseVersions: (owner: string, rawId: string) => Promise<T>
}

export type ItemsOfKeyParts<T extends Item & Burnable> = {
  kind: ItemKind
  items: Pick<Items<T>, 'find' | 'erase'>
  store: Pick<ItemStore<T>, 'list' | 'count'>
  finding: Finding<T>
  changes: Changes<T>
}

const encodeCursor = ({ createdAt, id }: Place) => Buffer.from(`${createdAt}.${id}`).toString('base64url')

const decodeCursor = (cursor: string): Place => {
  const [, createdAt, id = ''] =
    /^(\d{1,13})\.([0-9a-z]{1,13})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (createdAt === undefined) throw invalid('"after" must be what the page before gave as "after"')
  return { createdAt: Number(createdAt), id }
}

const createItemsOfKey = <T extends Item & Burnable>(parts: ItemsOfKeyParts<T>): ItemsOfKey<T> => {
  const { kind, items, store, finding, changes } = parts

  const look: ItemsOfKey<T>['look'] = async ({ name, admin }, rawId) => {
    const item = await items.find(rawId)
    // The same message as for an unused id, so nobody learns what others have.
    if (item.owner !== name && !admin) throw noSuchItem(kind)
    return item
  }
  const find: ItemsOfKey<T>['find'] = (owner, rawId) => look({ name: owner }, rawId)

  return {
    ownerAsked: (asker, asked) => {
      if (asked === null || asked === asker.name) return asker.name
      requireAdmin(asker, 'list what others made')
      return asked === '*' ? undefined : asked
    },

    list: async (owner, limit, after) => {
      const before = after === undefined ? undefined : decodeCursor(after)
      const found = await store.list(owner, limit + 1, before)
      const page = found.slice(0, limit)
      const last = found.length > limit ? page.at(-1) : undefined
      const total = await store.count(owner)
      return { items: page, after: last && encodeCursor(last), total }
    },

    search: async (owner, wanted, ...asked) => {
      const page = await finding(owner, wanted, ...asked)
      const isChosen = wanted.text !== '' || wanted.language !== undefined || wanted.since !== undefined
      return { ...page, ...(!isChosen && { total: await store.count(owner) }) }
    },

    find,
    look,

    delete: async (asker, rawId) => {
      const item = await look(asker, rawId)
      if (!(await items.erase(item))) throw deletedItem(kind)
      return item
    },

    change: (owner, rawId, change, isExpected) =>
      changes.change(() => find(owner, rawId), change, isExpected),

    version: async (owner, rawId, version) => {
      const item = await find(owner, rawId)
      return version === versionOf(item) ? item : changes.earlier(item, version)
    },

    eraseVersions: (owner, rawId) => changes.erase(() => find(owner, rawId)),
  }
}

export type ItemServicesParts = Omit<PastesParts, 'store'> & {
  counts: Pick<Counts, 'forget' | 'flush'>
  search: Finder['search']
  stores: { paste: ItemStore<StoredPaste>; link: ItemStore<StoredLink> }
  /** Counts what happens to items; without metrics it returns them unchanged. */
  around: <T extends Pastes | Links>(kind: ItemKind, items: T) => T
}

export type ItemServices = {
  pastes: Pastes
  links: Links
  pastesOfKey: ItemsOfKey<StoredPaste>
  linksOfKey: ItemsOfKey<StoredLink>
}

/** Pastes and links, and the lists of them for each key. */
export const createItemServices = ({ stores, around, search, ...parts }: ItemServicesParts): ItemServices => {
  const { now, counts } = parts
  const pastes = around('paste', createPastes({ ...parts, store: stores.paste }))
  const links = around('link', createLinks({ ...parts, store: stores.link }))
  return {
    pastes,
    links,
    pastesOfKey: createItemsOfKey({
      kind: 'paste',
      items: pastes,
      store: stores.paste,
      finding: createFinding({ kind: 'paste', store: stores.paste, search, counts, now }),
      changes: pastes.changes,
    }),
    linksOfKey: createItemsOfKey({
      kind: 'link',
      items: links,
      store: stores.link,
      finding: createFinding({ kind: 'link', store: stores.link, search, counts, now }),
      changes: links.changes,
    }),
  }
}

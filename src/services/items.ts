import { AppError, conflict, gone, notFound } from '../errors.ts'
import { type Ids, type ItemKind, isSameHash, normaliseId, sha256, splitDeletionKey } from '../items/ids.ts'
import type { StoredItem } from '../store/documents/documents.ts'
import type { ItemStore } from '../store/documents/item-store.ts'
import type { Counts } from './counts.ts'
import { normaliseAlias } from './options.ts'

/** The fields of every stored item. */
export type Item = StoredItem & { deletionHash: string }

export type ItemParts<T extends Item & Burnable> = {
  kind: ItemKind
  store: ItemStore<T>
  counts: Pick<Counts, 'forget'>
  ids: Pick<Ids, 'deletionSecret'>
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Options of any new item, already checked. */
export type ItemOptions = {
  /** Milliseconds; `undefined` means forever. */
  lifetimeMs: number | undefined
  /** As it is stored; `undefined` for an item with only an id. */
  alias: string | undefined
}

/** A new item and its deletion key, which is not stored and cannot be shown again. */
export type Created<T> = { item: T; name: string; deletionKey: string }

/** What pastes and links have in common. */
export type Items<T extends Item & Burnable> = {
  /** @throws {AppError} `conflict`, with the same message for every reason why the alias is unavailable; storage errors */
  create: (fields: Omit<T, keyof Item>, owner: string, options: ItemOptions) => Promise<Created<T>>
  /** The item with this id or stored alias, if it is in memory and readable now. Counts nothing and reads no disk. */
  peek: (name: string) => T | undefined
  /** True if it has the shape of an id, whether or not the item exists. */
  isId: (rawId: string) => boolean
  /** By id or alias. @throws {AppError} `not-found`, `gone`, `damaged` */
  find: (rawName: string) => Promise<T>
  /** True for a burn-after-reading item, which only `consume` may show. */
  isBurning: (item: Burnable) => boolean
  /**
   * Consumes one use of a burn-after-reading item. Of simultaneous calls, exactly as many succeed as there are uses left.
   * @returns the item before this use, once the use is on disk; `undefined` for an item that does not burn
   * @throws {AppError} `not-found`, `gone`, `damaged`; storage errors, in which case nothing was shown
   */
  consume: (rawName: string) => Promise<T | undefined>
  /** The item of a deletion key. @throws {AppError} `not-found`; `gone` if it was deleted or has expired */
  findByDeletionKey: (deletionKey: string) => Promise<T>
  /** @throws {AppError} `not-found` and `gone` as above; storage errors */
  delete: (deletionKey: string) => Promise<T>
  /** Deletes a loaded item; `false` if another request was faster. */
  erase: (item: T) => Promise<boolean>
}

/** Finds items by name and by deletion key. */
const createFinding = <T extends Item & Burnable>({ kind, store, now }: ItemParts<T>) => {
  const stillThere = (item: T) => {
    if (isExpired(item, now)) throw expiredItem(kind)
    return item
  }

  const load = async (name: string, isGone: typeof deletedItem) => {
    const item = await store.loadNamed(name)
    if (item === undefined) throw noSuchItem(kind)
    if (item === 'gone') throw isGone(kind)
    return stillThere(item)
  }

  return {
    /** @param isGone makes the error for a deleted item */
    find: async (rawName: string, isGone = deletedItem) => {
      // An id has the shape of an alias, so this covers both.
      const name = normaliseAlias(rawName)
      if (name === undefined) throw noSuchItem(kind)
      const item = store.peek(name)
      return item ? stillThere(item) : load(name, isGone)
    },

    findByDeletionKey: async (deletionKey: string) => {
      const { id, secret } = splitDeletionKey(kind, deletionKey)
      const item = id === undefined ? undefined : (store.peek(id) ?? (await store.load(id)))
      if (item === undefined) throw unknownKey(kind)
      // The secret was deleted with the item. Its address answers 410 as well, so this reveals nothing more.
      if (item === 'gone') throw alreadyDeleted(kind)
      if (item.id !== id || !isSameHash(item.deletionHash, sha256(secret))) throw unknownKey(kind)
      return stillThere(item)
    },
  }
}

/** Creates the service for one kind of item. */
export const createItems = <T extends Item & Burnable>(parts: ItemParts<T>): Items<T> => {
  const { kind, store, counts, ids, now } = parts
  const { find, findByDeletionKey } = createFinding(parts)

  const erase = async (item: T, isNewest?: boolean) => {
    const isErased = await store.erase(item, isNewest)
    if (isErased) counts.forget(kind, item.id)
    return isErased
  }

  /** If another request changed the item first, this starts again with the new state. */
  const consume = async (rawName: string): Promise<T | undefined> => {
    const item = await find(rawName, usedItem)
    const next = afterUse(item)
    if (next === undefined) return undefined
    const isConsumed = next === 'erase' ? await erase(item, true) : await store.replace(item, next)
    return isConsumed ? item : consume(rawName)
  }

  return {
    create: async (fields, owner, { lifetimeMs, alias }) => {
      const secret = ids.deletionSecret()
      const createdAt = now()
      const draft = {
        createdAt,
        owner,
        deletionHash: sha256(secret),
        ...(lifetimeMs !== undefined && { expiresAt: createdAt + lifetimeMs }),
        ...(alias !== undefined && { alias }),
        ...fields,
      }
      const item = await store.create(draft as unknown as Omit<T, 'id'>)
      if (item === 'taken') throw conflict(`Field "alias": the name "${alias}" is taken; choose another`)
      return { item, name: alias ?? item.id, deletionKey: item.id + secret }
    },

    peek: (name) => {
      const item = store.peek(name)
      return item === undefined || isExpired(item, now) || isBurning(item) ? undefined : item
    },
    isId: (rawId) => normaliseId(kind, rawId) !== undefined,
    find: (rawName) => find(rawName),
    isBurning,

    consume: (rawName) =>
      consume(rawName).catch((error) => {
        throw notConsumed(kind, error)
      }),

    findByDeletionKey,

    delete: async (deletionKey) => {
      const item = await findByDeletionKey(deletionKey)
      if (!(await erase(item))) throw alreadyDeleted(kind)
      return item
    },

    erase,
  }
}

const names = { paste: 'paste', link: 'short link' }
const uses = { paste: 'read', link: 'followed' }

/** No item was ever at this address. */
export const noSuchItem = (kind: ItemKind) => notFound(`There is no ${names[kind]} at this address`)

/** The item is gone; only its tombstone is left. */
export const deletedItem = (kind: ItemKind) => gone(`This ${names[kind]} was deleted or has expired`)

/** The item has expired, but may still be on disk. */
export const expiredItem = (kind: ItemKind) => gone(`This ${names[kind]} has expired`)

/** No use is left, or the item is gone. */
const usedItem = (kind: ItemKind) =>
  gone(`This ${names[kind]} was ${uses[kind]} as often as it may be, was deleted or has expired`)

const otherKinds = { paste: 'a link, not a paste', link: 'a paste, not a link' }

/** The same for every fault of a deletion key, so nobody learns what exists. */
const unknownKey = (kind: ItemKind) =>
  notFound(
    `This deletion key belongs to no ${names[kind]}: it is mistyped or cut short, or belongs to ${otherKinds[kind]}`,
  )

/** A deletion key of a deleted item. Its address says so as well. */
const alreadyDeleted = (kind: ItemKind) => gone(`This ${names[kind]} was already deleted or has expired`)

/** A storage error, rewritten for the person who wants to use the item; other errors stay as they are. */
export const notConsumed = (kind: ItemKind, error: unknown) => {
  const { kind: why } = error as Partial<AppError>
  if (why !== 'storage-full' && why !== 'storage-unavailable') return error
  const message = `The ${names[kind]} is not shown, because that could not be counted. Try again later.`
  return new AppError(why, message, {}, { cause: error })
}

/** Burn-after-reading pastes have `readsLeft`, such links `visitsLeft`. Both are at least 1: the last use erases the item. */
export type Burnable = { readsLeft?: number; visitsLeft?: number }

/** How often an item may still be used; `undefined` for one that does not burn. */
export const usesLeft = ({ readsLeft, visitsLeft }: Burnable) => readsLeft ?? visitsLeft

/** True for a burn-after-reading item, which is shown only to a request that consumes a use. */
export const isBurning = (item: Burnable) => usesLeft(item) !== undefined

/** The item after one use; `undefined` for one that does not burn. */
export const afterUse = <T extends Burnable>(item: T): T | 'erase' | undefined => {
  const left = usesLeft(item)
  if (left === undefined) return undefined
  if (left <= 1) return 'erase'
  return { ...item, [item.readsLeft === undefined ? 'visitsLeft' : 'readsLeft']: left - 1 }
}

/** True from `expiresAt` on. @param now called only if the item expires */
export const isExpired = ({ expiresAt }: { expiresAt?: number | undefined }, now: () => number) =>
  expiresAt !== undefined && expiresAt <= now()

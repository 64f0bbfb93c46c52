import { AppError, conflict, gone, notFound } from '../errors.ts'
import { type Ids, type ItemKind, isSameHash, normaliseId, sha256, splitDeletionKey } from '../items/ids.ts'
import type { StoredItem } from '../store/documents/documents.ts'
import type { ItemStore } from '../store/documents/item-store.ts'
import type { Counts } from './counts.ts'
import { normaliseAlias } from './options.ts'

/** What every stored item has. */
export type Item = StoredItem & { deletionHash: string }

export type ItemParts<T extends Item & Burnable> = {
  kind: ItemKind
  store: ItemStore<T>
  counts: Pick<Counts, 'forget'>
  ids: Pick<Ids, 'deletionSecret'>
  /** Milliseconds since the epoch. */
  now: () => number
}

/** What a creator may choose for any item, already checked. */
export type ItemOptions = {
  /** Milliseconds; `undefined`: for ever. */
  lifetimeMs: number | undefined
  /** As it is stored; `undefined`: the id alone. */
  alias: string | undefined
}

/** A new item and its deletion key, which is not stored and cannot be shown again. */
export type Created<T> = { item: T; name: string; deletionKey: string }

/** What pastes and links have in common. */
export type Items<T extends Item & Burnable> = {
  /** @throws {AppError} `conflict`, the same for whatever reason somebody else may not have the alias; storage errors */
  create: (fields: Omit<T, keyof Item>, owner: string, options: ItemOptions) => Promise<Created<T>>
  /** The item of an id or alias as it is stored, if it is in memory and plainly readable; costs nothing that a reader would notice. */
  peek: (name: string) => T | undefined
  /** True for what has the shape of an id, whether or not there is such an item. */
  isId: (rawId: string) => boolean
  /** By id or alias. A promise only where the disk is asked. @throws {AppError} `not-found`, `gone`, `damaged` */
  find: (rawName: string) => T | Promise<T>
  /** True for an item of which nothing may be shown but to who consumes a use of it. */
  isBurning: (item: Burnable) => boolean
  /**
   * Uses a burn-after-reading item once; of simultaneous ones exactly as many succeed as there are uses left.
   * @returns the item as it was before, when the use is on disk; `undefined` for an item that does not burn
   * @throws {AppError} `not-found`, `gone`, `damaged`; storage errors, after which nobody has seen anything
   */
  consume: (rawName: string) => Promise<T | undefined>
  /** The item a deletion key belongs to. @throws {AppError} `not-found`; `gone` when it was deleted or has expired */
  findByDeletionKey: (deletionKey: string) => Promise<T>
  /** @throws {AppError} `not-found` as above; storage errors */
  delete: (deletionKey: string) => Promise<T>
  /** Deletes an item that was found; `false` when somebody else was faster. */
  erase: (item: T) => Promise<boolean>
}

/** Finds items by their names, and by their deletion keys. */
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
    /** @param isGone what is said of one that was there */
    find: (rawName: string, isGone = deletedItem) => {
      // Whatever could be an id could be an alias.
      const name = normaliseAlias(rawName)
      if (name === undefined) throw noSuchItem(kind)
      const item = store.peek(name)
      return item ? stillThere(item) : load(name, isGone)
    },

    findByDeletionKey: async (deletionKey: string) => {
      const { id, secret } = splitDeletionKey(kind, deletionKey)
      const item = id === undefined ? undefined : (store.peek(id) ?? (await store.load(id)))
      if (item === undefined) throw unknownKey(kind)
      // Its secret went with it, and the id by itself is answered 410 as well.
      if (item === 'gone') throw alreadyDeleted(kind)
      if (item.id !== id || !isSameHash(item.deletionHash, sha256(secret))) throw unknownKey(kind)
      return stillThere(item)
    },
  }
}

/** Pastes or links, by id and by alias. */
export const createItems = <T extends Item & Burnable>(parts: ItemParts<T>): Items<T> => {
  const { kind, store, counts, ids, now } = parts
  const { find, findByDeletionKey } = createFinding(parts)

  const erase = async (item: T, isNewest?: boolean) => {
    const isErased = await store.erase(item, isNewest)
    if (isErased) counts.forget(kind, item.id)
    return isErased
  }

  /** Whoever comes second tries again with what the first one left. */
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

/** Nothing was ever at this address. */
export const noSuchItem = (kind: ItemKind) => notFound(`There is no ${names[kind]} at this address`)

/** Only a trace is left. */
export const deletedItem = (kind: ItemKind) => gone(`This ${names[kind]} was deleted or has expired`)

/** Its instant has come, and it may still be on disk. */
export const expiredItem = (kind: ItemKind) => gone(`This ${names[kind]} has expired`)

/** Nothing is left of what somebody wants to use. */
const usedItem = (kind: ItemKind) =>
  gone(`This ${names[kind]} was ${uses[kind]} as often as it may be, was deleted or has expired`)

const otherKinds = { paste: 'a link, not a paste', link: 'a paste, not a link' }

/** Whatever is wrong with a deletion key, so that nobody learns what exists. */
const unknownKey = (kind: ItemKind) =>
  notFound(
    `This deletion key belongs to no ${names[kind]}: it is mistyped or cut short, or belongs to ${otherKinds[kind]}`,
  )

/** Only a trace is left of what a deletion key names; its address says so as well. */
const alreadyDeleted = (kind: ItemKind) => gone(`This ${names[kind]} was already deleted or has expired`)

/** Says of a fault of the storage what it means for who wants to use an item; any other error stays as it is. */
export const notConsumed = (kind: ItemKind, error: unknown) => {
  const { kind: why } = error as Partial<AppError>
  if (why !== 'storage-full' && why !== 'storage-unavailable') return error
  const message = `The ${names[kind]} is not shown, because that could not be counted. Try again later.`
  return new AppError(why, message, {}, { cause: error })
}

/** A burn-after-reading paste has `readsLeft`, a link `visitsLeft`; both are at least 1, for with the last use the item goes. */
export type Burnable = { readsLeft?: number; visitsLeft?: number }

/** How often an item may still be read or followed; `undefined` for one that does not burn. */
export const usesLeft = ({ readsLeft, visitsLeft }: Burnable) => readsLeft ?? visitsLeft

/** True for an item that each use brings nearer to its end: nothing of it may be shown but to who consumes a use. */
export const isBurning = (item: Burnable) => usesLeft(item) !== undefined

/** What one use makes of an item; `undefined` where it changes nothing. */
export const afterUse = <T extends Burnable>(item: T): T | 'erase' | undefined => {
  const left = usesLeft(item)
  if (left === undefined) return undefined
  if (left <= 1) return 'erase'
  return { ...item, [item.readsLeft === undefined ? 'visitsLeft' : 'readsLeft']: left - 1 }
}

/** True from the very instant on. @param now asked only where there is an instant */
export const isExpired = ({ expiresAt }: { expiresAt?: number | undefined }, now: () => number) =>
  expiresAt !== undefined && expiresAt <= now()

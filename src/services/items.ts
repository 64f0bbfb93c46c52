import { AppError, gone, notFound } from '../errors.ts'
import type { Around, Collection } from '../store/collection.ts'
import { isExpired } from './expiry.ts'
import { type Ids, type ItemKind, isSameHash, normaliseId, sha256, splitDeletionKey } from './ids.ts'
import { afterUse, isLimited, type Limitable, usesLeft } from './limited.ts'
import type { OwnerList } from './owner-lists.ts'
import type { AddExpiry } from './sweep.ts'

type Item = { id: string; createdAt: number; owner: string; deletionHash: string; expiresAt?: number }

export type ItemParts<T extends Item & Limitable> = {
  kind: ItemKind
  collection: Collection<T>
  /** What each key made. */
  ownerList: Pick<OwnerList, 'during' | 'remove'>
  ids: Ids
  /** Milliseconds since the epoch. */
  now: () => number
  addExpiry: AddExpiry
}

/** What a creator may choose for any item, already checked. */
export type ItemOptions = {
  /** Milliseconds; `undefined`: for ever. */
  lifetimeMs: number | undefined
}

/** A new item and its deletion key, which is not stored and cannot be shown again. */
export type Created<T> = { item: T; deletionKey: string }

/** What pastes and links have in common. */
export type Items<T extends Item & Limitable> = {
  create: (fields: Omit<T, keyof Item>, owner: string, options: ItemOptions) => Promise<Created<T>>
  /** The item of an id as it is stored, if it is in memory and plainly readable; costs nothing that a reader would notice. */
  peek: (id: string) => T | undefined
  /** True for what has the shape of an id, whether or not there is such an item. */
  isId: (rawId: string) => boolean
  /** A promise only where the disk is asked. @throws {AppError} `not-found`, `gone`, `damaged` */
  find: (rawId: string) => T | Promise<T>
  /** True for an item of which nothing may be shown but to who spends a use of it. */
  isLimited: (item: Limitable) => boolean
  /**
   * Uses a limited item once; of simultaneous ones exactly as many succeed as there are uses left.
   * @returns the item as it was before, when the use is on disk; `undefined` for an item that is not limited
   * @throws {AppError} `not-found`, `gone`, `damaged`; storage errors, after which nobody has seen anything
   */
  spend: (rawId: string) => Promise<T | undefined>
  /** The item a deletion key belongs to. @throws {AppError} `not-found`, also when it was used already */
  findByDeletionKey: (deletionKey: string) => Promise<T>
  /** @throws {AppError} `not-found` as above; storage errors */
  delete: (deletionKey: string) => Promise<T>
  /** Deletes an item that was found; `false` when somebody else was faster. */
  erase: (item: T) => Promise<boolean>
}

const names = { paste: 'paste', link: 'short link' }

const uses = { paste: 'read', link: 'followed' }

export const noSuchItem = (kind: ItemKind) => notFound(`There is no ${names[kind]} at this address`)
export const deletedItem = (kind: ItemKind) => gone(`This ${names[kind]} was deleted or has expired`)

export const createItems = <T extends Item & Limitable>(parts: ItemParts<T>): Items<T> => {
  const { kind, collection, ownerList, ids, now, addExpiry } = parts

  const unknownKey = () =>
    notFound(
      `This deletion key belongs to no ${names[kind]}: it is mistyped, was used already, has expired, or is another kind's`,
    )

  const stillThere = (item: T) => {
    if (isExpired(item, now)) throw gone(`This ${names[kind]} has expired`)
    return item
  }

  const notSpent = (error: unknown) => {
    const { kind: why } = error as Partial<AppError>
    if (why !== 'storage-full' && why !== 'storage-unavailable') return error
    const message = `The ${names[kind]} is not shown, because that could not be counted. Try again later.`
    return new AppError(why, message, {}, { cause: error })
  }

  const load = async (id: string) => {
    const item = await collection.load(id)
    if (item === 'gone') throw deletedItem(kind)
    if (item === undefined) throw noSuchItem(kind)
    return stillThere(item)
  }

  const findByDeletionKey: Items<T>['findByDeletionKey'] = async (deletionKey) => {
    const { id, secret } = splitDeletionKey(kind, deletionKey)
    if (id === undefined) throw unknownKey()
    const item = collection.peek(id) ?? (await collection.load(id))
    if (item === undefined || item === 'gone') throw unknownKey()
    if (!isSameHash(item.deletionHash, sha256(secret))) throw unknownKey()
    return stillThere(item)
  }

  /** What tells of an item is there before the item is, for a crash may come between the two. */
  const around: Around<T> = (item, write) =>
    ownerList.during(item, async () => {
      if (item.expiresAt !== undefined) await addExpiry(kind, item.id, item.expiresAt)
      await write()
    })

  const erase: Items<T>['erase'] = async (item) => {
    const isErased = await collection.erase(item.id)
    if (isErased) await ownerList.remove(item)
    return isErased
  }

  return {
    create: async (fields, owner, { lifetimeMs }) => {
      const secret = ids.deletionSecret()
      const createdAt = now()
      const expiry = lifetimeMs === undefined ? {} : { expiresAt: createdAt + lifetimeMs }
      const common = { createdAt, owner, deletionHash: sha256(secret), ...expiry }
      const item = await collection.insert(
        () => ids.itemId(kind),
        (id) => ({ id, ...common, ...fields }) as T,
        around,
      )
      return { item, deletionKey: item.id + secret }
    },

    peek: (id) => {
      const item = collection.peek(id)
      return item === undefined || isExpired(item, now) || isLimited(item) ? undefined : item
    },
    isId: (rawId) => normaliseId(kind, rawId) !== undefined,

    find: (rawId) => {
      const id = normaliseId(kind, rawId)
      if (id === undefined) throw noSuchItem(kind)
      const item = collection.peek(id)
      return item ? stillThere(item) : load(id)
    },

    isLimited,

    spend: async (rawId) => {
      const id = normaliseId(kind, rawId)
      if (id === undefined) throw noSuchItem(kind)
      const item = await collection
        .update(id, (found) => afterUse(stillThere(found)))
        .catch((error) => {
          throw notSpent(error)
        })
      if (item === undefined) throw noSuchItem(kind)
      if (item === 'gone')
        throw gone(`This ${names[kind]} was ${uses[kind]} as often as it may be, was deleted or has expired`)
      if (usesLeft(item) === 1) await ownerList.remove(item)
      return isLimited(item) ? item : undefined
    },

    findByDeletionKey,

    delete: async (deletionKey) => {
      const item = await findByDeletionKey(deletionKey)
      if (!(await erase(item))) throw unknownKey()
      return item
    },

    erase,
  }
}

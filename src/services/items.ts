import { isDamage } from '../errors.ts'
import { isSameHash, normaliseId, sha256, splitDeletionKey } from '../items/ids.ts'
import type { StoredAlias } from '../items/schema.ts'
import { afterUse, isLimited, type Limitable, usesLeft } from '../items/uses.ts'
import type { Around } from '../store/documents/collection.ts'
import { createClaim, normaliseAlias } from './aliases.ts'
import { isExpired } from './expiry.ts'
import {
  alreadyDeleted,
  deletedItem,
  expiredItem,
  noSuchItem,
  notSpent,
  unknownKey as unknownKeyOf,
  usedItem,
} from './item-errors.ts'
import type { Item, ItemOptions, ItemParts, Items } from './item-types.ts'

/** What is damaged is lost: its name would be nobody's for ever. What could not be read may be whole. */
const noneIfDamaged = (error: unknown) => {
  if (isDamage(error)) return undefined
  throw error
}

/** Pastes or links, by id and by alias. */
export const createItems = <T extends Item & Limitable>(parts: ItemParts<T>): Items<T> => {
  const { kind, collection, ownerList, aliases, ids, now, addExpiry } = parts

  const unknownKey = () => unknownKeyOf(kind)
  const nothingHere = () => noSuchItem(kind)
  const deleted = () => deletedItem(kind)

  const stillThere = (item: T) => {
    if (isExpired(item, now)) throw expiredItem(kind)
    return item
  }

  // A name that was given and leads nowhere is gone, also where its item was lost.
  const loadByRecord = async ({ id }: StoredAlias) => {
    const item = await collection.load(id)
    if (item === undefined || item === 'gone') throw deleted()
    return stillThere(item)
  }

  const findByRecord = (record: StoredAlias) => {
    const item = collection.peek(record.id)
    return item ? stillThere(item) : loadByRecord(record)
  }

  const loadByAlias = async (alias: string) => {
    const record = await aliases.load(alias)
    if (record === undefined) throw nothingHere()
    return findByRecord(record)
  }

  const findByAlias = (rawName: string) => {
    const alias = normaliseAlias(rawName)
    if (alias === undefined) throw nothingHere()
    const record = aliases.peek(alias)
    return record ? findByRecord(record) : loadByAlias(alias)
  }

  /** Ids win; a name may have the shape of an id that nothing ever had. */
  const loadByEither = async (id: string) => {
    const item = await collection.load(id)
    if (item === undefined) return findByAlias(id)
    if (item === 'gone') throw deleted()
    return stillThere(item)
  }

  const spendById = (id: string) =>
    collection
      .update(id, (found) => afterUse(stillThere(found)))
      .catch((error) => {
        throw notSpent(kind, error)
      })

  const spendByAlias = async (rawName: string) => {
    const alias = normaliseAlias(rawName)
    const record = alias === undefined ? undefined : (aliases.peek(alias) ?? (await aliases.load(alias)))
    return record && spendById(record.id)
  }

  const peekByAlias = (alias: string) => {
    const record = aliases.peek(alias)
    return record && collection.peek(record.id)
  }

  const isAlive = async (id: string) => {
    const item = collection.peek(id) ?? (await collection.load(id).catch(noneIfDamaged))
    return item !== undefined && item !== 'gone' && !isExpired(item, now)
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

  const withFreeId = <R>(alias: string, work: () => Promise<R>) =>
    normaliseId(kind, alias) === undefined ? work() : collection.withFreeId(alias, work)

  const claim = createClaim({ store: aliases, isAlive, erase, withFreeId })

  /** A new id never takes a name. */
  const freshId = (): string => {
    const id = ids.itemId(kind)
    return aliases.isTaken(id) ? freshId() : id
  }

  const insert = async (fields: Omit<T, keyof Item>, owner: string, { lifetimeMs, alias }: ItemOptions) => {
    const secret = ids.deletionSecret()
    const createdAt = now()
    const deletionHash = sha256(secret)
    const options = {
      ...(lifetimeMs !== undefined && { expiresAt: createdAt + lifetimeMs }),
      ...(alias !== undefined && { alias }),
    }
    const item = await collection.insert(
      freshId,
      (id) => ({ id, createdAt, owner, deletionHash, ...options, ...fields }) as T,
      around,
    )
    return { item, deletionKey: item.id + secret }
  }

  const findByDeletionKey: Items<T>['findByDeletionKey'] = async (deletionKey) => {
    const { id, secret } = splitDeletionKey(kind, deletionKey)
    if (id === undefined) throw unknownKey()
    const item = collection.peek(id) ?? (await collection.load(id))
    if (item === undefined) throw unknownKey()
    // Its secret went with it, and the id by itself is answered 410 as well.
    if (item === 'gone') throw alreadyDeleted(kind)
    if (!isSameHash(item.deletionHash, sha256(secret))) throw unknownKey()
    return stillThere(item)
  }

  return {
    create: (fields, owner, options) => {
      const { alias } = options
      const make = () => insert(fields, owner, options)
      return alias === undefined ? make() : claim(alias, owner, make)
    },

    peek: (name) => {
      const item = collection.peek(name) ?? peekByAlias(name)
      return item === undefined || isExpired(item, now) || isLimited(item) ? undefined : item
    },
    isId: (rawId) => normaliseId(kind, rawId) !== undefined,

    find: (rawName) => {
      const id = normaliseId(kind, rawName)
      if (id === undefined) return findByAlias(rawName)
      const item = collection.peek(id)
      return item ? stillThere(item) : loadByEither(id)
    },

    isLimited,

    spend: async (rawName) => {
      const id = normaliseId(kind, rawName)
      const item = (id === undefined ? undefined : await spendById(id)) ?? (await spendByAlias(rawName))
      if (item === undefined) throw noSuchItem(kind)
      if (item === 'gone') throw usedItem(kind)
      if (usesLeft(item) === 1) await ownerList.remove(item)
      return isLimited(item) ? item : undefined
    },

    findByDeletionKey,

    delete: async (deletionKey) => {
      const item = await findByDeletionKey(deletionKey)
      if (!(await erase(item))) throw alreadyDeleted(kind)
      return item
    },

    erase,
  }
}

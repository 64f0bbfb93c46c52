import { isDeepStrictEqual } from 'node:util'
import { AppError, conflict, gone, invalid, notFound, outdated } from '../errors.ts'
import { compileCheck } from '../items/field.ts'
import {
  type EarlierVersion,
  type Ids,
  type ItemKind,
  isSameHash,
  normaliseId,
  sha256,
  splitDeletionKey,
  stateOf,
  versionOf,
} from '../items/ids.ts'
import { StoredLink } from '../items/link.ts'
import { StoredPaste } from '../items/paste.ts'
import type { CollectionRules } from '../store/folder/inspect.ts'
import type { ItemStore, StoredItem } from '../store/store.ts'
import type { Counts } from './counts.ts'
import { normaliseAlias } from './options.ts'

/** The fields of every stored item. */
export type Item = StoredItem & Burnable & { deletionHash: string }

/** How many earlier versions of an item are kept, and how many bytes in all; the oldest go first. */
export type VersionLimits = { count: number; bytes: number }

export type ItemParts<T extends Item> = {
  kind: ItemKind
  store: ItemStore<T>
  counts: Pick<Counts, 'forget'>
  ids: Pick<Ids, 'deletionSecret'>
  /** Milliseconds since the epoch. */
  now: () => number
  versions: VersionLimits
  /** Size of its text or address in UTF-8. */
  sizeOf: (item: T) => number
}

/** A new item as a body asks for it, already checked. */
export type NewItem<T extends Item> = {
  fields: Omit<T, keyof Item>
  limit: Burnable
  /** Milliseconds; `undefined` means forever. */
  lifetimeMs: number | undefined
  /** Of an import: when it was made elsewhere, in milliseconds since the epoch. */
  madeAt: number | undefined
  /** As it is stored; `undefined` for an item with only an id. */
  alias: string | undefined
  /** With `replace`: what changes if the alias leads to an item of this owner already. */
  change: Change<T> | undefined
}

/** A new item and its deletion key, which is not stored and cannot be shown again. */
export type Created<T> = { item: T; name: string; deletionKey: string }
/** An item that its name led to already, changed. Its deletion key was in the answer to its creation. */
export type Replaced<T> = { item: T; name: string; deletionKey?: undefined }

/**
 * What a key changes of its item: new values of fields, perhaps found from what it holds, and the new expiry; `null` means
 * never.
 */
export type Change<T> = { fields: Partial<T> | ((item: T) => Partial<T>); expiresAt?: number | null }

/** Finds items by name and by deletion key. */
const createFinding = <T extends Item>({ kind, store, now }: ItemParts<T>) => {
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

    /** The item of a deletion key. @throws {AppError} `not-found`; `gone` if it was deleted or has expired */
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

/** Changes items, and keeps what they were before. */
const createChanging = <T extends Item>({ kind, store, now, versions, sizeOf }: ItemParts<T>) => {
  /** The earlier versions to keep once `item` is no longer the newest. */
  const keptAfter = (item: T) => {
    const changedAt = item.changedAt ?? item.createdAt
    const version = { version: versionOf(item), changedAt, bytes: sizeOf(item) }
    const kept: EarlierVersion[] = [...(item.earlier ?? []), version]
    let bytes = kept.reduce((sum, { bytes }) => sum + bytes, 0)
    while (kept.length > versions.count || bytes > versions.bytes) bytes -= kept.shift()?.bytes ?? 0
    return kept
  }

  const changed = (item: T, { fields, expiresAt }: Change<T>): T => {
    const { expiresAt: before, ...others } = item
    const after = expiresAt === undefined ? before : (expiresAt ?? undefined)
    const values = typeof fields === 'function' ? fields(item) : fields
    return { ...others, ...values, ...(after !== undefined && { expiresAt: after }) } as unknown as T
  }

  /** One more version of an item; only its expiry is no version. */
  const nextOf = (item: T, next: T): T => {
    if (isDeepStrictEqual({ ...item, expiresAt: 0 }, { ...next, expiresAt: 0 })) return next
    const { earlier: _, ...others } = next
    const earlier = keptAfter(item)
    const facts = { version: versionOf(item) + 1, changedAt: now(), ...(earlier.length > 0 && { earlier }) }
    return { ...others, ...facts } as unknown as T
  }

  /**
   * If another request was faster, this starts again with what that one made.
   * @param find loads the newest version
   * @param isExpected whether this state of the item, as `stateOf` names it, may be changed
   * @returns the item as it is now, on disk; unchanged if it has these values already
   * @throws {AppError} `conflict` for a burn-after-reading item, `outdated`; what `find` throws; storage errors
   */
  return async (find: () => Promise<T>, change: Change<T>, isExpected = (_: string) => true): Promise<T> => {
    for (;;) {
      const item = await find()
      if (isBurning(item)) throw unchangeable(kind)
      if (!isExpected(stateOf(item))) throw notNewest(kind, item)
      const wanted = changed(item, change)
      if (isDeepStrictEqual(item, wanted)) return item
      const next = nextOf(item, wanted)
      if (await store.replace(item, next)) return next
    }
  }
}

const noneIfGone = (error: unknown) => {
  if (error instanceof AppError && (error.kind === 'not-found' || error.kind === 'gone')) return undefined
  throw error
}

const isConflict = (error: unknown) => error instanceof AppError && error.kind === 'conflict'

/** Creates items. */
const createCreating = <T extends Item>(
  { store, ids, now }: ItemParts<T>,
  find: (name: string) => Promise<T>,
  change: ReturnType<typeof createChanging<T>>,
) => {
  /** @throws {AppError} `conflict`, with the same message for every reason why the alias is unavailable; storage errors */
  const createNew = async (
    { fields, limit, lifetimeMs, madeAt, alias }: NewItem<T>,
    owner: string,
  ): Promise<Created<T>> => {
    const secret = ids.deletionSecret()
    const time = now()
    const draft = {
      ...{ createdAt: Math.min(madeAt ?? time, time), owner, deletionHash: sha256(secret) },
      ...(lifetimeMs !== undefined && { expiresAt: time + lifetimeMs }),
      ...(alias !== undefined && { alias }),
      ...fields,
      ...limit,
    }
    const item = await store.create(draft as unknown as Omit<T, 'id'>)
    if (item === 'taken')
      throw conflict(`Field "alias": the name "${alias}" is taken; choose another`, {
        field: 'alias',
        message: 'Custom name is already taken. Choose another.',
      })
    return { item, name: alias ?? item.id, deletionKey: item.id + secret }
  }

  /** The living item that a name of this owner leads to. */
  const findNamed = async (alias: string, owner: string) => {
    const item = await find(alias).catch(noneIfGone)
    return item?.alias === alias && item.owner === owner ? item : undefined
  }

  /**
   * Creates an item, or changes the one that its alias leads to.
   * @throws {AppError} what `change` and `createNew` throw; `conflict` for a name of another owner
   */
  return async (asked: NewItem<T>, owner: string): Promise<Created<T> | Replaced<T>> => {
    const { alias, change: replacing } = asked
    if (!replacing || alias === undefined) return createNew(asked, owner)
    for (;;) {
      const item = await findNamed(alias, owner)
      try {
        if (!item) return await createNew(asked, owner)
        const next = await change(() => find(item.id), replacing).catch(noneIfGone)
        if (next) return { item: next, name: alias }
      } catch (error) {
        // Another request with the same name was faster.
        if (item || !isConflict(error) || !(await findNamed(alias, owner))) throw error
      }
    }
  }
}

/** What pastes and links have in common. */
export const createItems = <T extends Item>(parts: ItemParts<T>) => {
  const { kind, store, counts, now } = parts
  const { find, findByDeletionKey } = createFinding(parts)
  const change = createChanging(parts)

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
    create: createCreating(parts, find, change),
    change,
    /** The item with this id or stored alias, if it is in memory and readable now. Counts nothing and reads no disk. */
    peek: (name: string): T | undefined => {
      const item = store.peek(name)
      return item === undefined || isExpired(item, now) || isBurning(item) ? undefined : item
    },
    /** True if it has the shape of an id, whether or not the item exists. */
    isId: (rawId: string) => normaliseId(kind, rawId) !== undefined,
    /** By id or alias. @throws {AppError} `not-found`, `gone`, `damaged` */
    find: (rawName: string) => find(rawName),
    /** True for a burn-after-reading item, which only `consume` may show. */
    isBurning,

    /**
     * Consumes one use of a burn-after-reading item. Of simultaneous calls, exactly as many succeed as there are uses left.
     * @returns the item before this use, once the use is on disk; `undefined` for an item that does not burn
     * @throws {AppError} `not-found`, `gone`, `damaged`; storage errors, in which case nothing was shown
     */
    consume: (rawName: string) =>
      consume(rawName).catch((error) => {
        throw notConsumed(kind, error)
      }),

    findByDeletionKey,

    /** @throws {AppError} `not-found` and `gone` as above; storage errors */
    delete: async (deletionKey: string) => {
      const item = await findByDeletionKey(deletionKey)
      if (!(await erase(item))) throw alreadyDeleted(kind)
      return item
    },

    /** Deletes a loaded item; `false` if another request was faster. */
    erase: (item: T) => erase(item),
  }
}
export type Items<T extends Item> = ReturnType<typeof createItems<T>>

const nouns = { paste: 'paste', link: 'short link' }
const useVerbs = { paste: 'read', link: 'followed' }

/** No item was ever at this address. */
export const noSuchItem = (kind: ItemKind) => notFound(`There is no ${nouns[kind]} at this address`)

/** The item is gone; only its tombstone is left. */
export const deletedItem = (kind: ItemKind) => gone(`This ${nouns[kind]} was deleted or has expired`)

/** The item has expired, but may still be on disk. */
export const expiredItem = (kind: ItemKind) => gone(`This ${nouns[kind]} has expired`)

/** No use is left, or the item is gone. */
const usedItem = (kind: ItemKind) =>
  gone(`This ${nouns[kind]} was ${useVerbs[kind]} as often as allowed, was deleted or has expired`)

const otherKinds = { paste: 'a link, not a paste', link: 'a paste, not a link' }

/** The same for every fault of a deletion key, so nobody learns what exists. */
const unknownKey = (kind: ItemKind) =>
  notFound(
    `This deletion key belongs to no ${nouns[kind]}. It is mistyped, cut short, or for ${otherKinds[kind]}`,
  )

/** A deletion key of a deleted item. Its address says so as well. */
const alreadyDeleted = (kind: ItemKind) => gone(`This ${nouns[kind]} was already deleted or has expired`)

/** It would give back uses, or show a text that is already gone. */
const unchangeable = (kind: ItemKind) =>
  conflict(`This ${nouns[kind]} burns after reading, so it cannot be changed. Create a new one.`)

const notNewest = (kind: ItemKind, item: StoredItem) =>
  outdated(
    `This ${nouns[kind]} has changed since you read it: it is version ${versionOf(item)} now. Read it again before you change it.`,
  )

/** An earlier version that was left out or removed. */
export const notKept = (kind: ItemKind, version: number) =>
  gone(`Version ${version} of this ${nouns[kind]} is not kept`)

/** A storage error, rewritten for the person who wants to use the item; other errors stay as they are. */
export const notConsumed = (kind: ItemKind, error: unknown) => {
  const { kind: why } = error as Partial<AppError>
  if (why !== 'storage-full' && why !== 'storage-unavailable') return error
  const message = `The ${nouns[kind]} is not shown, because that could not be counted. Try again later.`
  return new AppError(why, message, {}, { cause: error })
}

/** Burn-after-reading pastes have `readsLeft`, such links `visitsLeft`. Both are at least 1: the last use erases the item. */
export type Burnable = { readsLeft?: number; visitsLeft?: number }

/** How often an item may still be used; `undefined` for one that does not burn. */
const usesLeft = ({ readsLeft, visitsLeft }: Burnable) => readsLeft ?? visitsLeft

/** True for a burn-after-reading item, which is shown only to a request that consumes a use. */
export const isBurning = (item: Burnable) => usesLeft(item) !== undefined

/** The item after one use; `undefined` for one that does not burn. */
const afterUse = <T extends Burnable>(item: T): T | 'erase' | undefined => {
  const left = usesLeft(item)
  if (left === undefined) return undefined
  if (left <= 1) return 'erase'
  return { ...item, [item.readsLeft === undefined ? 'visitsLeft' : 'readsLeft']: left - 1 }
}

/** True from `expiresAt` on. @param now called only if the item expires */
export const isExpired = ({ expiresAt }: { expiresAt?: number | undefined }, now: () => number) =>
  expiresAt !== undefined && expiresAt <= now()

export const pasteCheck = compileCheck(StoredPaste)
export const linkCheck = compileCheck(StoredLink)

/** True for the stored form of an id of this kind. */
export const isIdOf = (kind: ItemKind) => (name: string) => normaliseId(kind, name) === name

const namesOf = (kind: ItemKind) => ({
  isId: isIdOf(kind),
  isAlias: (name: string) => normaliseAlias(name) === name,
})

/** The folders of documents, and what they may contain. */
export const collections: CollectionRules = {
  pastes: { check: pasteCheck, ...namesOf('paste') },
  links: { check: linkCheck, ...namesOf('link') },
}

/** @param uses a limit of uses in the same body @throws {AppError} `invalid` for what cannot go with `replace` */
export const checkReplace = (alias: string | undefined, uses: number | undefined, field: string) => {
  if (alias === undefined)
    throw invalid('Field "replace" needs "alias": the name whose item is to be changed')
  if (uses !== undefined)
    throw invalid(`Field "replace" cannot go with "${field}": what burns after reading cannot be changed`)
}

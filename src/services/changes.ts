import { isDeepStrictEqual } from 'node:util'
import { AppError, conflict, gone, invalid, outdated } from '../errors.ts'
import type { ItemKind } from '../items/ids.ts'
import { type EarlierVersion, stateOf, versionOf } from '../items/versions.ts'
import type { StoredItem } from '../store/documents/documents.ts'
import type { ItemStore } from '../store/documents/item-store.ts'
import { type Burnable, isBurning } from './items.ts'

/** How many earlier versions of an item are kept, and how many bytes in all; the oldest go first. */
export type VersionLimits = { count: number; bytes: number }

/**
 * What a key changes of its item: new values of fields, perhaps found from what it holds, and the new expiry; `null` means
 * never.
 */
export type Change<T> = { fields: Partial<T> | ((item: T) => Partial<T>); expiresAt?: number | null }

/** An item that its name led to already, changed. Its deletion key was in the answer to its creation. */
export type Replaced<T> = { item: T; name: string; deletionKey?: undefined }

/** @param uses a limit of uses in the same body @throws {AppError} `invalid` for what cannot go with `replace` */
export const checkReplace = (alias: string | undefined, uses: number | undefined, field: string) => {
  if (alias === undefined)
    throw invalid('Field "replace" needs "alias": the name whose item is to be changed')
  if (uses !== undefined)
    throw invalid(`Field "replace" cannot go with "${field}": what burns after reading cannot be changed`)
}

/** A name, as it is stored, and the key that it belongs to. */
export type Named = { alias: string; owner: string }

export type ChangesParts<T extends StoredItem> = {
  kind: ItemKind
  store: Pick<ItemStore<T>, 'replace' | 'loadEarlier' | 'removeEarlier'>
  /** The newest version, by id or name. @throws {AppError} `not-found`, `gone`, `damaged` */
  find: (name: string) => Promise<T>
  /** Milliseconds since the epoch. */
  now: () => number
  versions: VersionLimits
  /** Size of its text or address in UTF-8. */
  sizeOf: (item: T) => number
}

const names = { paste: 'paste', link: 'short link' }

/** It would give back uses, or show a text that is already gone. */
const unchangeable = (kind: ItemKind) =>
  conflict(`This ${names[kind]} is burnt after reading, so it cannot be changed. Create a new one.`)

const notNewest = (kind: ItemKind, item: StoredItem) =>
  outdated(
    `This ${names[kind]} was changed meanwhile: it is version ${versionOf(item)} now. Read it again before you change it.`,
  )

/** The earlier versions to keep once `item` is no longer the newest. */
const keptAfter = <T extends StoredItem>(item: T, { versions, sizeOf }: ChangesParts<T>) => {
  const version = {
    version: versionOf(item),
    changedAt: item.changedAt ?? item.createdAt,
    bytes: sizeOf(item),
  }
  const kept: EarlierVersion[] = [...(item.earlier ?? []), version]
  let bytes = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  while (kept.length > versions.count || bytes > versions.bytes) bytes -= kept.shift()?.bytes ?? 0
  return kept
}

const noneIfGone = (error: unknown) => {
  if (error instanceof AppError && (error.kind === 'not-found' || error.kind === 'gone')) return undefined
  throw error
}

const isConflict = (error: unknown) => error instanceof AppError && error.kind === 'conflict'

/** What changes an item. If another request was faster, this starts again with what that one made. */
const createChanging = <T extends StoredItem & Burnable>(parts: ChangesParts<T>) => {
  const { kind, store, now } = parts

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
    const earlier = keptAfter(item, parts)
    const facts = { version: versionOf(item) + 1, changedAt: now(), ...(earlier.length > 0 && { earlier }) }
    return { ...others, ...facts } as unknown as T
  }

  /**
   * @param find loads the newest version
   * @param isExpected whether a state, as `stateOf` names it, may be changed
   * @returns the item as it is now, on disk; unchanged if it has these values already
   * @throws {AppError} `conflict` for a burn-after-reading item, `outdated`; what `find` throws; storage errors
   */
  return async (find: () => Promise<T>, asked: Change<T>, isExpected = (_: string) => true) => {
    for (;;) {
      const item = await find()
      if (isBurning(item)) throw unchangeable(kind)
      if (!isExpected(stateOf(item))) throw notNewest(kind, item)
      const wanted = changed(item, asked)
      if (isDeepStrictEqual(item, wanted)) return item
      const next = nextOf(item, wanted)
      if (await store.replace(item, next)) return next
    }
  }
}

/** Changes items, and keeps what they were before. */
export const createChanges = <T extends StoredItem & Burnable>(parts: ChangesParts<T>) => {
  const { kind, store, find } = parts
  const change = createChanging(parts)

  /** The living item that a name of this owner leads to. */
  const findNamed = async (alias: string, owner: string) => {
    const item = await find(alias).catch(noneIfGone)
    return item?.alias === alias && item.owner === owner ? item : undefined
  }

  return {
    change,

    /**
     * Changes the item that a name of this owner leads to; creates one if there is none.
     * @throws {AppError} what `change` and `create` throw; `conflict` for a name of another owner
     */
    replace: async <C>(
      named: Named,
      asked: Change<T>,
      create: () => Promise<C>,
    ): Promise<C | Replaced<T>> => {
      const { alias, owner } = named
      for (;;) {
        const item = await findNamed(alias, owner)
        try {
          if (!item) return await create()
          const next = await change(() => find(item.id), asked).catch(noneIfGone)
          if (next) return { item: next, name: alias }
        } catch (error) {
          // Another request with the same name was faster.
          if (item || !isConflict(error) || !(await findNamed(alias, owner))) throw error
        }
      }
    },

    /** @throws {AppError} `gone` if it is not kept; `damaged` */
    earlier: async (item: T, version: number): Promise<T> => {
      const isKept = item.earlier?.some((one) => one.version === version)
      const found = isKept ? await store.loadEarlier(item.id, version) : undefined
      if (!found) throw gone(`Version ${version} of this ${names[kind]} is not kept`)
      return found
    },

    /** Removes all earlier versions. @throws {AppError} what `find` throws; storage errors */
    erase: async (find: () => Promise<T>): Promise<T> => {
      for (;;) {
        const item = await find()
        if (await store.removeEarlier(item)) return item
      }
    },
  }
}
export type Changes<T extends StoredItem & Burnable> = ReturnType<typeof createChanges<T>>

import { isDeepStrictEqual } from 'node:util'
import { conflict, gone, outdated } from '../errors.ts'
import type { ItemKind } from '../items/ids.ts'
import { versionOf } from '../store/documents/document-files.ts'
import type { EarlierVersion, StoredItem } from '../store/documents/documents.ts'
import type { ItemStore } from '../store/documents/item-store.ts'
import { type Burnable, isBurning } from './items.ts'

/** How many earlier versions of an item are kept, and how many bytes in all; the oldest go first. */
export type VersionLimits = { count: number; bytes: number }

/** What a key changes of its item: new values of fields, and the new expiry; `null` means never. */
export type Change<T> = { fields: Partial<T>; expiresAt?: number | null }

export type ChangesParts<T extends StoredItem> = {
  kind: ItemKind
  store: Pick<ItemStore<T>, 'replace' | 'loadEarlier' | 'removeEarlier'>
  /** Milliseconds since the epoch. */
  now: () => number
  versions: VersionLimits
  /** Size of its text or address in UTF-8. */
  sizeOf: (item: T) => number
}

/** Names this state of an item, for `If-Match`: its version, and when it expires. */
export const stateOf = (item: StoredItem) => `${versionOf(item)}.${(item.expiresAt ?? 0).toString(36)}`

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

/** Changes items, and keeps what they were before. */
export const createChanges = <T extends StoredItem & Burnable>(parts: ChangesParts<T>) => {
  const { kind, store, now } = parts

  const changed = (item: T, { fields, expiresAt }: Change<T>): T => {
    const { expiresAt: before, ...others } = item
    const after = expiresAt === undefined ? before : (expiresAt ?? undefined)
    return { ...others, ...fields, ...(after !== undefined && { expiresAt: after }) } as unknown as T
  }

  /** One more version of an item; only its expiry is no version. */
  const nextOf = (item: T, next: T): T => {
    if (isDeepStrictEqual({ ...item, expiresAt: 0 }, { ...next, expiresAt: 0 })) return next
    const { earlier: _, ...others } = next
    const earlier = keptAfter(item, parts)
    const facts = { version: versionOf(item) + 1, changedAt: now(), ...(earlier.length > 0 && { earlier }) }
    return { ...others, ...facts } as unknown as T
  }

  return {
    /**
     * Changes an item. If another request was faster, this starts again with what that one made.
     * @param find loads the newest version. @param isExpected whether a state, as `stateOf` names it, may be changed. @returns the item as it is now, on disk; unchanged if it has these values already
     * @throws {AppError} `conflict` for a burn-after-reading item, `outdated`; what `find` throws; storage errors
     */
    change: async (
      find: () => Promise<T>,
      change: Change<T>,
      isExpected = (_: string) => true,
    ): Promise<T> => {
      for (;;) {
        const item = await find()
        if (isBurning(item)) throw unchangeable(kind)
        if (!isExpected(stateOf(item))) throw notNewest(kind, item)
        const wanted = changed(item, change)
        if (isDeepStrictEqual(item, wanted)) return item
        const next = nextOf(item, wanted)
        if (await store.replace(item, next)) return next
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

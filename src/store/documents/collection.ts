import { LRUCache } from 'lru-cache'
import { storageFailure } from '../../errors.ts'
import type { Check } from '../../items/check.ts'
import { documentIds } from '../folder/names-in.ts'
import type { Health } from '../health.ts'
import type { Head } from './document-codec.ts'
import { createDocumentFiles } from './document-files.ts'
import { createTurns } from './turns.ts'

/** Something that has to happen together with the writing of a document. */
export type Around<T> = (document: T, write: () => Promise<void>) => Promise<void>

/** Documents of one kind by id; one file each. What a promise here has answered is on disk. */
export type Collection<T extends { id: string }> = {
  /** The document if it is in memory; never touches the disk. */
  peek: (id: string) => T | undefined
  /**
   * `gone`: deleted, its id stays taken for ever; `undefined`: there never was one.
   * @throws {AppError} `damaged`
   */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** As `load`, for lists: reads no large text, and leaves the memory to what readers ask for. Damage to the text is not seen. */
  loadHead: (id: string) => Promise<Head<T> | 'gone' | undefined>
  /**
   * Stores what `build` makes of a fresh id; asks `makeId` again when an id is taken. What `makeId`
   * looked at still holds when the id is claimed: nothing runs in between.
   * @param around gets the document and what writes it, and must call that
   */
  insert: (makeId: () => string, build: (id: string) => T, around?: Around<T>) => Promise<T>
  /**
   * Runs `work` while no document can get this id.
   * @returns `undefined`, without running it, where a document has the id, had it, or is getting it
   */
  withFreeId: <R>(id: string, work: () => Promise<R>) => Promise<R | undefined>
  /**
   * Puts in a document's place what `change` makes of it, or erases it; one change of a document at a time, and erasing
   * is one. `undefined` leaves it alone, as does what `change` throws.
   * @returns the document as it was before, and nothing of it unless the change is on disk; else as `load`
   * @throws {AppError} `damaged`; `storage-full` or `storage-unavailable`: the document is as it was, or, where only
   * the last fsync failed, perhaps as it should be
   */
  update: (id: string, change: (document: T) => T | 'erase' | undefined) => Promise<T | 'gone' | undefined>
  /** Erases a document; `false` when it is not there (any more). Needs no free space on the disk. */
  erase: (id: string) => Promise<boolean>
  /** The head of every document, one after the other; damaged ones are left out. */
  all: () => AsyncGenerator<Head<T>>
}

export type CollectionParts<T> = {
  folder: string
  temporaryFolder: string
  check: Check<T>
  cacheBytes: number
  health: Health
  /** Told of each document that was erased. */
  onErased: (id: string) => void
}

/** A string takes at most two bytes a character, the object around it about 500. */
const sizeOf = (document: object) =>
  Object.values(document).reduce((bytes, value) => bytes + 2 * String(value).length, 500)

export const openCollection = <T extends { id: string }>(parts: CollectionParts<T>): Collection<T> => {
  const { folder, temporaryFolder, check, cacheBytes, health, onErased } = parts
  const files = createDocumentFiles<T>({ folder, temporaryFolder, check })
  const cache = new LRUCache<string, T>({ maxSize: cacheBytes, sizeCalculation: sizeOf })
  const idsInFlight = new Set<string>()
  const erasing = new Set<string>()
  const inTurn = createTurns()
  /** What is being read, by id: whoever asks meanwhile waits for the same. */
  const loading = new Map<string, Promise<T | 'gone' | undefined>>()

  /** When a change ends, well or not: what was read before must not be given to who asks later, nor be kept. */
  const forget = (id: string) => {
    loading.delete(id)
    cache.delete(id)
  }

  /** For an id that is free: what a failure left behind is taken away. */
  const writeNew = async (document: T, around: Around<T>) => {
    try {
      await around(document, () => health.watch(files.write(document)))
      forget(document.id)
      cache.set(document.id, document)
      return document
    } catch (error) {
      await files.discard(document.id)
      forget(document.id)
      throw error
    }
  }

  /** Only this process owns the folder, so an id that is claimed in memory and free on disk stays free. */
  const withFreeId = async <R>(id: string, work: () => Promise<R>): Promise<R | undefined> => {
    if (idsInFlight.has(id)) return undefined
    idsInFlight.add(id)
    try {
      if (!files.hasFolder(id)) await health.watch(files.makeFolder(id))
      return files.isTaken(id) ? undefined : await work()
    } catch (error) {
      throw storageFailure(error)
    } finally {
      idsInFlight.delete(id)
    }
  }

  const insertAt = (id: string, build: (id: string) => T, around: Around<T>) =>
    withFreeId(id, () => writeNew(build(id), around))

  /** For the holder of the turn. */
  const eraseNow = async (id: string) => {
    erasing.add(id)
    forget(id)
    try {
      if (!(await files.exists(id))) return false
      await health.watch(files.bury(id))
      onErased(id)
      return true
    } catch (error) {
      throw storageFailure(error)
    } finally {
      forget(id)
      erasing.delete(id)
    }
  }

  /** For the holder of the turn. */
  const rewriteNow = async (id: string, document: T) => {
    try {
      await health.watch(files.write(document))
    } finally {
      // Somebody may have loaded the former one meanwhile; after a failure the file may be either.
      forget(id)
    }
    cache.set(id, document)
  }

  const read = async (id: string) =>
    (await files.read(id)) ?? ((await files.isGone(id)) ? ('gone' as const) : undefined)

  const load = (id: string) => {
    const before = loading.get(id)
    if (before) return before
    const reading = read(id).then(
      (document) => {
        if (loading.get(id) !== reading) return document
        loading.delete(id)
        if (typeof document === 'object') cache.set(id, document)
        return document
      },
      (error) => {
        if (loading.get(id) === reading) loading.delete(id)
        throw error
      },
    )
    loading.set(id, reading)
    return reading
  }

  return {
    peek: (id) => cache.get(id),

    load: async (id) => (erasing.has(id) ? 'gone' : load(id)),

    loadHead: async (id) => {
      if (erasing.has(id)) return 'gone'
      return (await files.readHead(id)) ?? ((await files.isGone(id)) ? 'gone' : undefined)
    },

    insert: async (makeId, build, around = (_, write) => write()) => {
      for (;;) {
        const document = await insertAt(makeId(), build, around)
        if (document) return document
      }
    },

    withFreeId,

    update: (id, change) =>
      inTurn(id, async () => {
        const document = cache.get(id) ?? (await load(id))
        if (document === undefined || document === 'gone') return document
        const changed = change(document)
        if (changed === 'erase') return (await eraseNow(id)) ? document : 'gone'
        if (changed !== undefined) await rewriteNow(id, changed)
        return document
      }),

    erase: (id) => inTurn(id, () => eraseNow(id)),

    all: async function* () {
      for await (const id of documentIds(folder)) {
        const head = await files.readHead(id).catch(() => undefined)
        if (head) yield head
      }
    },
  }
}

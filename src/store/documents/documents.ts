import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import { storageFailure } from '../../errors.ts'
import type { Health } from '../disk.ts'
import { createMutex, type DocumentFiles } from './document-files.ts'
import type { Head } from './json-file.ts'

/** What every item is stored with. */
export type StoredItem = { id: string; owner: string; createdAt: number; expiresAt?: number; alias?: string }

/** Documents of one kind by id; one file each. What a promise here has answered is on disk. */
export type Documents<T extends { id: string }> = {
  /** The document if it is in memory; never touches the disk. */
  peek: (id: string) => T | undefined
  /**
   * `gone`: deleted, its id stays taken for ever; `undefined`: there never was one.
   * @throws {AppError} `damaged`
   */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** As `load`, for lists: reads no large text, and leaves the memory to what readers ask for. Damage to the text is not seen. */
  loadHead: (id: string) => Promise<Head<T> | 'gone' | undefined>
  /** True, until it is released, for one who asks for an id that no document has or had. @throws {AppError} storage errors */
  reserve: (id: string) => Promise<boolean>
  release: (id: string) => void
  /** Of an id that is reserved: after a failure nothing is left of it. @throws {AppError} storage errors */
  create: (document: T) => Promise<void>
  /**
   * Puts a document in the place of the former one, unless that is not the newest any more.
   * @throws {AppError} storage errors: the document is as it was, or, where only the last fsync failed, perhaps as it should be
   */
  replace: (former: T, next: T) => Promise<boolean>
  /**
   * Erases a document; `false` where it is not there (any more). Needs no free space on the disk.
   * @param former where it must still be the newest
   */
  erase: (id: string, former?: T) => Promise<boolean>
}

export type DocumentsParts<T extends { id: string }> = {
  files: DocumentFiles<T>
  cacheBytes: number
  health: Health
}

/** A string takes at most two bytes a character, the object around it about 500. */
const sizeOf = (document: object) =>
  Object.values(document).reduce((bytes, value) => bytes + 2 * String(value).length, 500)

/** What was read or written last, in memory. */
const createMemory = <T extends { id: string }>({ files, cacheBytes }: DocumentsParts<T>) => {
  const cache = new LRUCache<string, T>({ maxSize: cacheBytes, sizeCalculation: sizeOf })
  /** What is being read, by id: whoever asks meanwhile waits for the same. */
  const loading = new Map<string, Promise<T | 'gone' | undefined>>()

  const goneOrNever = async (id: string) => ((await files.isGone(id)) ? ('gone' as const) : undefined)
  const read = async (id: string) => (await files.read(id)) ?? (await goneOrNever(id))

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
    peek: (id: string) => cache.get(id),
    load,
    readHead: async (id: string) => (await files.readHead(id)) ?? (await goneOrNever(id)),
    keep: (document: T) => void cache.set(document.id, document),
    /** When a change ends, well or not: what was read before must not be given to who asks later, nor be kept. */
    forget: (id: string) => {
      loading.delete(id)
      cache.delete(id)
    },
  }
}

/** Ids that no document has or had. */
const createReservations = <T extends { id: string }>({ files, health }: DocumentsParts<T>) => {
  const reserved = new Set<string>()
  return {
    // Only this process owns the folder, so an id that is reserved in memory and free on disk stays free.
    reserve: async (id: string) => {
      if (reserved.has(id)) return false
      reserved.add(id)
      let isFree = false
      try {
        if (!files.hasFolder(id)) await health.watch(files.makeFolder(id))
        isFree = !files.isTaken(id)
        return isFree
      } catch (error) {
        throw storageFailure(error)
      } finally {
        if (!isFree) reserved.delete(id)
      }
    },
    release: (id: string) => void reserved.delete(id),
  }
}

export const openDocuments = <T extends { id: string }>(parts: DocumentsParts<T>): Documents<T> => {
  const { files, health } = parts
  const { peek, load, readHead, keep, forget } = createMemory(parts)
  const erasing = new Set<string>()
  const mutex = createMutex()

  const write = async (document: T) => {
    try {
      await health.watch(files.write(document))
    } finally {
      // Somebody may have loaded the former one meanwhile; after a failure the file may be either.
      forget(document.id)
    }
    keep(document)
  }

  const isNewest = async (former: T) => {
    const newest = peek(former.id) ?? (await load(former.id))
    return newest === former || isDeepStrictEqual(newest, former)
  }

  const eraseNow = async (id: string) => {
    erasing.add(id)
    forget(id)
    try {
      if (!(await files.exists(id))) return false
      await health.watch(files.bury(id))
      return true
    } catch (error) {
      throw storageFailure(error)
    } finally {
      forget(id)
      erasing.delete(id)
    }
  }

  return {
    ...createReservations(parts),
    peek,
    load: async (id) => (erasing.has(id) ? 'gone' : load(id)),
    loadHead: async (id) => (erasing.has(id) ? 'gone' : readHead(id)),

    create: (document) =>
      write(document).catch(async (error) => {
        await files.discard(document.id)
        forget(document.id)
        throw storageFailure(error)
      }),

    replace: (former, next) =>
      mutex(former.id, async () => {
        if (!(await isNewest(former))) return false
        await write(next)
        return true
      }),

    erase: (id, former) =>
      mutex(id, async () => (former && !(await isNewest(former)) ? false : eraseNow(id))),
  }
}

import { estimateShallowMemoryUsageOf } from 'bun:jsc'
import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import { createCounter } from '../../collector.ts'
import { storageFailure } from '../../errors.ts'
import type { Changeable } from '../../items/versions.ts'
import type { Row } from '../derived/index-file.ts'
import type { Health } from '../disk.ts'
import { createMutex, type DocumentFiles } from './document-files.ts'
import type { Head } from './json-file.ts'
import { createReplacing, type Replacing } from './replacing.ts'

/** The fields of every stored item. */
export type StoredItem = Changeable & {
  owner: string
  createdAt: number
  expiresAt?: number
  alias?: string
  changedAt?: number
}

/** Size of the text or address of an item; a head says it of a paste. */
const bytesOf = (item: StoredItem) => {
  const { text, url = '', bytes } = item as { text?: string; url?: string; bytes?: number }
  return bytes || Buffer.byteLength(text ?? url)
}

/** The row of an item, from its document or the head of it. */
export const rowOf = (kind: string, item: StoredItem): Row => {
  const { id, owner, createdAt, expiresAt, version = 1, earlier = [] } = item
  return {
    ...{ kind, owner, createdAt, id, expiresAt, version, bytes: bytesOf(item) },
    kept: earlier.length,
    keptBytes: earlier.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** Documents of one kind by id, with one file each. When a promise resolves, the change is on disk. */
export type Documents<T extends Changeable> = {
  /** The document if it is in memory; never reads the disk. */
  peek: (id: string) => T | undefined
  /**
   * `gone`: deleted, and the id stays taken forever; `undefined`: it never existed.
   * @throws {AppError} `damaged`
   */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /** Like `load`, for lists: does not read a large text, check it, or use the cache. */
  loadHead: (id: string) => Promise<Head<T> | 'gone' | undefined>
  /** True if no document has or had this id, and no other caller has reserved it. @throws {AppError} storage errors */
  reserve: (id: string) => Promise<boolean>
  release: (id: string) => void
  /** Writes a document under a reserved id; a failure leaves nothing behind. @throws {AppError} storage errors */
  create: (document: T) => Promise<void>
  /**
   * Erases a document, or finishes an erasure that a killed process began; `false` if there is no document. Needs no free
   * space on the disk.
   * @param former if given, the document must still be the same
   */
  erase: (id: string, former?: T) => Promise<boolean>
  /** Resolves when the erasure of a document is on disk, even if a killed process began it. @throws {AppError} storage errors */
  erased: (id: string) => Promise<void>
} & Replacing<T>

export type DocumentsParts<T extends Changeable> = {
  files: DocumentFiles<T>
  cacheBytes: number
  health: Health
}

/** One byte per character, or two. The estimate leaves out the characters of a string that was joined or cut from others. */
const sizeOfString = (text: string) => {
  const bytes = estimateShallowMemoryUsageOf(text)
  return bytes < text.length ? 2 * text.length : bytes
}

/** Memory of a document; its object takes about 500 bytes. */
const sizeOf = (document: object) =>
  Object.values(document).reduce((bytes, value) => bytes + sizeOfString(String(value)), 500)

/** Reading leaves several times as much behind as it returns. Eight readers of 24 texts of 1 MiB took 260 MB, and take 62. */
const charsPerCollection = 8 * 1024 ** 2
const lengthOf = (document: object) => (document as { text?: string }).text?.length ?? 0

/** A cache of the documents read or written last. */
const createMemory = <T extends Changeable>({ files, cacheBytes }: DocumentsParts<T>) => {
  const cache = new LRUCache<string, T>({ maxSize: cacheBytes, sizeCalculation: sizeOf })
  /** Reads in flight, by id: later callers share them. */
  const loading = new Map<string, Promise<T | 'gone' | undefined>>()

  const collect = createCounter(charsPerCollection)

  /** Asks for the tombstone first, which decides, and again: the document may have been erased meanwhile. */
  const unlessGone = async <R>(id: string, read: (id: string) => Promise<R | undefined>) => {
    if (files.isGone(id)) return 'gone' as const
    return (await read(id)) ?? (files.isGone(id) ? ('gone' as const) : undefined)
  }

  const load = (id: string) => {
    const before = loading.get(id)
    if (before) return before
    const reading = unlessGone(id, files.read).then(
      (document) => {
        if (loading.get(id) !== reading) return document
        loading.delete(id)
        if (typeof document !== 'object') return document
        cache.set(id, document)
        collect(lengthOf(document))
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
    readHead: (id: string) => unlessGone(id, files.readHead),
    keep: (document: T) => void cache.set(document.id, document),
    /** Called when a change ends or fails: an earlier read must be neither returned to later callers nor cached. */
    forget: (id: string) => {
      loading.delete(id)
      cache.delete(id)
    },
  }
}

/** Reserves ids that no document has or had. */
const createReservations = <T extends Changeable>({ files, health }: DocumentsParts<T>) => {
  const reserved = new Set<string>()
  return {
    // Only this process owns the folder, so an id that is reserved and free on disk stays free.
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

/** Erases documents; `erasing` holds the ids that are on their way. */
const createErasure =
  <T extends Changeable>(
    { files, health }: DocumentsParts<T>,
    erasing: Set<string>,
    forget: (id: string) => void,
  ) =>
  async (id: string) => {
    erasing.add(id)
    forget(id)
    try {
      if (!files.exists(id)) return false
      await health.watch(files.bury(id))
      return true
    } catch (error) {
      throw storageFailure(error)
    } finally {
      forget(id)
      erasing.delete(id)
    }
  }

export const openDocuments = <T extends Changeable>(parts: DocumentsParts<T>): Documents<T> => {
  const { files, health } = parts
  const { peek, load, readHead, keep, forget } = createMemory(parts)
  const erasing = new Set<string>()
  const eraseNow = createErasure(parts, erasing, forget)
  const mutex = createMutex()

  const write = async (document: T) => {
    try {
      await health.watch(files.write(document))
    } finally {
      // The old version may have been loaded meanwhile. After a failure, the file may have either version.
      forget(document.id)
    }
    keep(document)
  }

  const isNewest = async (former: T) => {
    const newest = peek(former.id) ?? (await load(former.id))
    return newest === former || isDeepStrictEqual(newest, former)
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

    ...createReplacing({ ...parts, mutex, isNewest, write }),

    erase: (id, former) =>
      mutex(id, async () => (former && !(await isNewest(former)) ? false : eraseNow(id))),

    erased: (id) =>
      mutex(id, () =>
        files.syncFolder(id).catch((error) => {
          throw storageFailure(error)
        }),
      ),
  }
}

import { access, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Adapter, Low } from 'lowdb'
import { LRUCache } from 'lru-cache'
import { damaged, storageFailure } from '../errors.ts'
import type { Check } from '../schema.ts'
import { DurableJSONFile, makeFolder } from './durable-json-file.ts'
import { eraseFile, tombstoneSuffix, waitingPath } from './erasure.ts'

/** A deleted document: its id stays taken for ever, its content is erased. */
export const GONE = Symbol('gone')

/** Documents of one kind by id; one file each. What a promise here has answered is on disk. */
export type Collection<T extends { id: string }> = {
  /** The document if it is in memory; never touches the disk. */
  peek: (id: string) => T | undefined
  /** `undefined`: there never was one. @throws {AppError} `damaged` */
  load: (id: string) => Promise<T | typeof GONE | undefined>
  /** Stores what `build` makes of a fresh id; asks `makeId` again when an id is taken. */
  insert: (makeId: () => string, build: (id: string) => T) => Promise<T>
  /** Erases a document; `false` when it is not there (any more). Needs no free space on the disk. */
  erase: (id: string) => Promise<boolean>
}

export type CollectionParts<T> = {
  folder: string
  temporaryFolder: string
  check: Check<T>
  cacheBytes: number
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A string takes at most two bytes a character, the object around it about 500. */
const sizeOf = (document: object) =>
  Object.values(document).reduce((bytes, value) => bytes + 2 * String(value).length, 500)

export const openCollection = <T extends { id: string }>(parts: CollectionParts<T>): Collection<T> => {
  const { folder, temporaryFolder, check, cacheBytes } = parts
  const cache = new LRUCache<string, T>({ maxSize: cacheBytes, sizeCalculation: sizeOf })
  const madeFolders = new Set<string>()
  const idsInFlight = new Set<string>()
  const erasing = new Map<string, Promise<boolean>>()
  let erasures = 0

  // The first two characters of an id name its folder: 961 folders hold a million documents.
  const folderOf = (id: string) => join(folder, id.slice(0, 2))
  const pathOf = (id: string) => join(folderOf(id), `${id}.json`)
  const tombstoneOf = (id: string) => join(folderOf(id), id + tombstoneSuffix)
  const waitingOf = (id: string) => waitingPath(temporaryFolder, basename(folder), id)
  const fileOf = (id: string) => new DurableJSONFile<T>(pathOf(id), temporaryFolder)

  const isGone = async (id: string) => (await exists(tombstoneOf(id))) || (await exists(waitingOf(id)))

  const makeFolderOf = async (id: string) => {
    const path = folderOf(id)
    if (madeFolders.has(path)) return
    await makeFolder(path)
    madeFolders.add(path)
  }

  /** Only this process owns the folder, so an id claimed in memory and free on disk stays free. */
  const insertAt = async (id: string, build: (id: string) => T): Promise<T | undefined> => {
    if (idsInFlight.has(id)) return undefined
    idsInFlight.add(id)
    try {
      if ((await exists(pathOf(id))) || (await isGone(id))) return undefined
      await makeFolderOf(id)
      const db = new Low<T>(fileOf(id), build(id))
      await db.write()
      cache.set(id, db.data)
      return db.data
    } catch (error) {
      await unlink(pathOf(id)).catch(() => {})
      throw storageFailure(error)
    } finally {
      idsInFlight.delete(id)
    }
  }

  const eraseOnce = async (id: string) => {
    erasures++
    cache.delete(id)
    try {
      await eraseFile(pathOf(id), tombstoneOf(id), waitingOf(id))
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw storageFailure(error)
    } finally {
      erasures++
      erasing.delete(id)
    }
  }

  return {
    peek: (id) => cache.get(id),

    load: async (id) => {
      if (erasing.has(id)) return GONE
      const erasuresBefore = erasures
      const db = new Low<T | null>(fileOf(id) as Adapter<T | null>, null)
      await db.read()
      const document = db.data
      if (document === null) return (await isGone(id)) ? GONE : undefined
      const problem = check.problem(document) ?? (document.id === id ? undefined : 'holds another id')
      if (problem) throw damaged(pathOf(id), problem)
      // A document erased while it was being read must not come back into the cache.
      if (erasures === erasuresBefore) cache.set(id, document)
      return document
    },

    insert: async (makeId, build) => {
      for (;;) {
        const document = await insertAt(makeId(), build)
        if (document) return document
      }
    },

    erase: async (id) => {
      if (erasing.has(id)) return false
      const erasure = eraseOnce(id)
      erasing.set(id, erasure)
      return erasure
    },
  }
}

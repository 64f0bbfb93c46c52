import { access, unlink } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { LRUCache } from 'lru-cache'
import { damaged, storageFailure } from '../errors.ts'
import type { Check } from '../schema.ts'
import { checkedJson } from './codec.ts'
import { DurableJSONFile, makeFolder, syncFolder, writeDurably } from './durable-json-file.ts'
import type { Health } from './health.ts'
import { documentIds } from './names-in.ts'

/** Suffix of what is left of a deleted document: an empty file, so that its id stays taken. */
export const tombstoneSuffix = '.gone'

type Build<T> = (id: string) => T
type Before<T> = ((document: T) => Promise<void> | undefined) | undefined

/** Documents of one kind by id; one file each. What a promise here has answered is on disk. */
export type Collection<T extends { id: string }> = {
  /** The document if it is in memory; never touches the disk. */
  peek: (id: string) => T | undefined
  /**
   * `gone`: deleted, its id stays taken for ever; `undefined`: there never was one.
   * @throws {AppError} `damaged`
   */
  load: (id: string) => Promise<T | 'gone' | undefined>
  /**
   * Stores what `build` makes of a fresh id; asks `makeId` again when an id is taken.
   * @param before what must have happened when the document is there, for a crash may come between the two
   */
  insert: (makeId: () => string, build: Build<T>, before?: Before<T>) => Promise<T>
  /** Erases a document; `false` when it is not there (any more). Needs no free space on the disk. */
  erase: (id: string) => Promise<boolean>
  /** Every document, read from disk one after the other and not kept in memory; damaged ones are left out. */
  all: () => AsyncGenerator<T>
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

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** A string takes at most two bytes a character, the object around it about 500. */
const sizeOf = (document: object) =>
  Object.values(document).reduce((bytes, value) => bytes + 2 * String(value).length, 500)

export const openCollection = <T extends { id: string }>(parts: CollectionParts<T>): Collection<T> => {
  const { folder, temporaryFolder, check, cacheBytes, health, onErased } = parts
  const cache = new LRUCache<string, T>({ maxSize: cacheBytes, sizeCalculation: sizeOf })
  const madeFolders = new Set<string>()
  const idsInFlight = new Set<string>()
  const erasing = new Map<string, Promise<boolean>>()
  let erasures = 0

  // The first two characters of an id name its folder: 961 folders hold a million documents.
  const folderOf = (id: string) => `${folder}/${id.slice(0, 2)}`
  const pathOf = (id: string) => `${folderOf(id)}/${id}.json`
  const tombstoneOf = (id: string) => `${folderOf(id)}/${id}${tombstoneSuffix}`
  const fileOf = (id: string) => new DurableJSONFile<T>(pathOf(id), temporaryFolder, checkedJson)

  const isGone = (id: string) => exists(tombstoneOf(id))

  const makeFolderOf = async (id: string) => {
    const path = folderOf(id)
    if (madeFolders.has(path)) return
    await makeFolder(path)
    madeFolders.add(path)
  }

  /** Only this process owns the folder, so an id claimed in memory and free on disk stays free. */
  const insertAt = async (id: string, build: Build<T>, before: Before<T>): Promise<T | undefined> => {
    if (idsInFlight.has(id)) return undefined
    idsInFlight.add(id)
    try {
      if ((await exists(pathOf(id))) || (await isGone(id))) return undefined
      await health.watch(makeFolderOf(id))
      const document = build(id)
      await before?.(document)
      const db = new Low<T>(fileOf(id), document)
      await health.watch(db.write())
      cache.set(id, db.data)
      return db.data
    } catch (error) {
      madeFolders.delete(folderOf(id))
      await unlink(pathOf(id)).catch(() => {})
      throw storageFailure(error)
    } finally {
      idsInFlight.delete(id)
    }
  }

  /**
   * An empty file and an unlink: both work on a full disk. In this order, a crash leaves the document or the
   * tombstone or both, never neither; and whoever reads the document meanwhile still reads all of it.
   */
  const eraseFile = async (id: string) => {
    await writeDurably(tombstoneOf(id), '', temporaryFolder)
    await unlink(pathOf(id))
    await syncFolder(folderOf(id))
  }

  const eraseOnce = async (id: string) => {
    erasures++
    cache.delete(id)
    try {
      if (!(await exists(pathOf(id)))) return false
      await health.watch(eraseFile(id))
      onErased(id)
      return true
    } catch (error) {
      throw storageFailure(error)
    } finally {
      erasures++
      erasing.delete(id)
    }
  }

  /** @throws {AppError} `damaged` */
  const read = async (id: string) => {
    const db = new Low<T | null>(fileOf(id) as Adapter<T | null>, null)
    await db.read()
    const document = db.data
    if (document === null) return undefined
    const problem = check.problem(document) ?? (document.id === id ? undefined : 'holds another id')
    if (problem) throw damaged(pathOf(id), problem)
    return document
  }

  return {
    peek: (id) => cache.get(id),

    load: async (id) => {
      if (erasing.has(id)) return 'gone'
      const erasuresBefore = erasures
      const document = await read(id)
      if (document === undefined) return (await isGone(id)) ? 'gone' : undefined
      // A document erased while it was being read must not come back into the cache.
      if (erasures === erasuresBefore) cache.set(id, document)
      return document
    },

    insert: async (makeId, build, before) => {
      for (;;) {
        const document = await insertAt(makeId(), build, before)
        if (document) return document
      }
    },

    erase: async (id) => {
      if (erasing.has(id)) return false
      const erasure = eraseOnce(id)
      erasing.set(id, erasure)
      return erasure
    },

    all: async function* () {
      for await (const id of documentIds(folder)) {
        const document = await read(id).catch(() => undefined)
        if (document) yield document
      }
    },
  }
}

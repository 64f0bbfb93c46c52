import { existsSync } from 'node:fs'
import { access, unlink } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { damaged } from '../errors.ts'
import type { Check } from '../schema/check.ts'
import { checkedJson } from './codec.ts'
import { DurableJSONFile, makeFolder, syncFolder, writeDurably } from './durable-json-file.ts'
import { namesIn, shardOf } from './names-in.ts'

/** Suffix of what is left of a deleted document: an empty file, so that its id stays taken. */
export const tombstoneSuffix = '.gone'

export type DocumentFilesParts<T> = { folder: string; temporaryFolder: string; check: Check<T> }

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Where the documents of a collection lie on disk, and how one is put there, read and taken away. */
export const createDocumentFiles = <T extends { id: string }>(parts: DocumentFilesParts<T>) => {
  const { folder, temporaryFolder, check } = parts
  /** Shards whose folder is there, and those in which a tombstone may lie. */
  const madeShards = new Set<string>()
  const buriedShards = new Set<string>()

  const folderOf = (id: string) => `${folder}/${shardOf(id)}`
  const pathOf = (id: string) => `${folderOf(id)}/${id}.json`
  const tombstoneOf = (id: string) => `${folderOf(id)}/${id}${tombstoneSuffix}`
  const fileOf = (id: string) => new DurableJSONFile<T>(pathOf(id), temporaryFolder, checkedJson)

  return {
    exists: (id: string) => exists(pathOf(id)),
    isGone: (id: string) => exists(tombstoneOf(id)),
    hasFolder: (id: string) => madeShards.has(shardOf(id)),

    /** Makes the folder where it is missing, and looks whether a tombstone lies there. */
    makeFolder: async (id: string) => {
      await makeFolder(folderOf(id))
      const names = await namesIn(folderOf(id))
      if (names.some((name) => name.endsWith(tombstoneSuffix))) buriedShards.add(shardOf(id))
      madeShards.add(shardOf(id))
    },

    /**
     * Of an id whose folder is made. Looks at once, for the folder is in the kernel's memory: a turn of the thread pool
     * took a twentieth of a creation, and looking for a name that is not there 5 µs.
     */
    isTaken: (id: string) =>
      existsSync(pathOf(id)) || (buriedShards.has(shardOf(id)) && existsSync(tombstoneOf(id))),

    /** `undefined` when there is no such file. @throws {AppError} `damaged` */
    read: async (id: string): Promise<T | undefined> => {
      const db = new Low<T | null>(fileOf(id) as Adapter<T | null>, null)
      await db.read()
      const document = db.data
      if (document === null) return undefined
      const problem = check.problem(document) ?? (document.id === id ? undefined : 'holds another id')
      if (problem) throw damaged(pathOf(id), problem)
      return document
    },

    /** Durably, in its folder, which is there. */
    write: (document: T) => new Low<T>(fileOf(document.id), document).write(),

    /** Takes away what a failed creation left. */
    discard: async (id: string) => {
      madeShards.delete(shardOf(id))
      await unlink(pathOf(id)).catch(() => {})
    },

    /**
     * An empty file and an unlink: both work on a full disk. In this order, a crash leaves the document or the
     * tombstone or both, never neither; and whoever reads the document meanwhile still reads all of it.
     */
    bury: async (id: string) => {
      // First, for somebody may be looking whether one lies there.
      buriedShards.add(shardOf(id))
      await writeDurably(tombstoneOf(id), '', temporaryFolder)
      await unlink(pathOf(id))
      await syncFolder(folderOf(id))
    },
  }
}

import { accessSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { damaged } from '../../errors.ts'
import type { Check } from '../../items/check.ts'
import {
  documentIds,
  exists,
  existsNow,
  makeFolder,
  namesIn,
  shardOf,
  syncFolder,
  writeDurably,
} from '../disk.ts'
import { DurableJSONFile, documentJson, type Head, headOf, readHead } from './json-file.ts'

/** Runs tasks for the same id one at a time, even after failures; other ids do not wait. */
export const createMutex = () => {
  const last = new Map<string, Promise<unknown>>()
  return <R>(id: string, act: () => Promise<R>): Promise<R> => {
    const before = last.get(id)
    const turn = before === undefined ? act() : before.then(act, act)
    last.set(id, turn)
    const leave = () => {
      if (last.get(id) === turn) last.delete(id)
    }
    turn.then(leave, leave)
    return turn
  }
}

/** Suffix of the empty file that a deleted document leaves, to keep its id taken. */
export const tombstoneSuffix = '.gone'

export type DocumentFilesParts<T> = { folder: string; temporaryFolder: string; check: Check<T> }

const pathsIn = (folder: string) => {
  const folderOf = (id: string) => `${folder}/${shardOf(id)}`
  return {
    folderOf,
    pathOf: (id: string) => `${folderOf(id)}/${id}.json`,
    tombstoneOf: (id: string) => `${folderOf(id)}/${id}${tombstoneSuffix}`,
  }
}

/** Synchronous: 1.5 µs, a tenth of a turn of the thread pool. */
const canAccess = (path: string) => {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

/** Reads documents. */
const createReading = <T extends { id: string }>({
  folder,
  temporaryFolder,
  check,
}: DocumentFilesParts<T>) => {
  const { pathOf, tombstoneOf } = pathsIn(folder)
  const fileOf = (id: string) => new DurableJSONFile<T>(pathOf(id), temporaryFolder, documentJson)
  const mutex = createMutex()

  const problemOf = (document: unknown, id: string) =>
    check.problem(document) ?? ((document as T).id === id ? undefined : 'holds another id')

  /** `undefined` if there is no file. @throws {AppError} `damaged` */
  const read = async (id: string): Promise<T | undefined> => {
    const db = new Low<T | null>(fileOf(id) as Adapter<T | null>, null)
    await db.read()
    const document = db.data
    if (document === null) return undefined
    const problem = problemOf(document, id)
    if (problem) throw damaged(pathOf(id), problem)
    return document
  }

  /** The head alone; `undefined` if the whole document has to be read, perhaps to say what is wrong. */
  const readHeadAlone = async (id: string) => {
    const head = await readHead(pathOf(id)).catch(() => undefined)
    const isWhole = head !== undefined && problemOf({ ...head, text: '-' }, id) === undefined
    return isWhole ? (head as Head<T>) : undefined
  }

  /** One at a time, so a list of large documents does not fill the memory. */
  const readHeadOfWhole = (id: string) =>
    mutex('whole', async () => {
      const document = await read(id)
      return document && headOf(document)
    })

  /** Like `read`, but without the text. Reads only the beginning of a large document, unless an older version wrote it. */
  const readHeadOf = async (id: string) => (await readHeadAlone(id)) ?? (await readHeadOfWhole(id))

  return {
    read,
    readHead: readHeadOf,

    /** The head of every document, one by one; damaged documents are left out. */
    all: async function* () {
      for await (const id of documentIds(folder)) {
        const head = await readHeadOf(id).catch(() => undefined)
        if (head) yield head
      }
    },

    isThere: (id: string) => canAccess(pathOf(id)),
    /** @throws {AppError} `damaged` */
    isGone: (id: string) =>
      exists(tombstoneOf(id)).catch((error) => {
        throw damaged(tombstoneOf(id), 'cannot be read', error)
      }),
  }
}

/** Knows which ids are taken; keeps what it knows of each folder in memory. */
const createShards = (folder: string) => {
  const { folderOf, pathOf, tombstoneOf } = pathsIn(folder)
  /** Shards with a folder, and those that may have tombstones. */
  const made = new Set<string>()
  const buried = new Set<string>()
  return {
    hasFolder: (id: string) => made.has(shardOf(id)),

    /** Creates the folder if it is missing, and checks it for tombstones. */
    makeFolder: async (id: string) => {
      await makeFolder(folderOf(id))
      const names = await namesIn(folderOf(id))
      if (names.some((name) => name.endsWith(tombstoneSuffix))) buried.add(shardOf(id))
      made.add(shardOf(id))
    },
    forgetFolder: (id: string) => void made.delete(shardOf(id)),
    noteTombstone: (id: string) => void buried.add(shardOf(id)),

    /**
     * Call it after `makeFolder`. Synchronous, because the kernel has the folder in memory: a turn of the thread pool took a
     * twentieth of a creation, and checking for a missing name takes 5 µs.
     * @throws the error of a failed check
     */
    isTaken: (id: string) => existsNow(pathOf(id)) || (buried.has(shardOf(id)) && existsNow(tombstoneOf(id))),
  }
}

/** The files of a collection: where they are, and how to write, read and delete them. */
export const createDocumentFiles = <T extends { id: string }>(parts: DocumentFilesParts<T>) => {
  const { folder, temporaryFolder } = parts
  const { folderOf, pathOf, tombstoneOf } = pathsIn(folder)
  const { forgetFolder, noteTombstone, ...shards } = createShards(folder)

  return {
    ...createReading(parts),
    ...shards,
    exists: (id: string) => exists(pathOf(id)),

    /** Durable; the folder must exist. */
    write: (document: T) => {
      const file = new DurableJSONFile<T>(pathOf(document.id), temporaryFolder, documentJson)
      return new Low<T>(file, document).write()
    },

    /** Syncs the folder of a document, if there is one. */
    syncFolder: async (id: string) => {
      if (await exists(folderOf(id))) await syncFolder(folderOf(id))
    },

    /** Removes what a failed creation left. */
    discard: async (id: string) => {
      forgetFolder(id)
      await unlink(pathOf(id)).catch(() => {})
    },

    /**
     * Writes an empty file, then unlinks the document: both work on a full disk. In this order, a crash leaves the document
     * or the tombstone or both, but never neither. A read in progress still gets the whole document.
     */
    bury: async (id: string) => {
      // First, because another request may be looking for tombstones.
      noteTombstone(id)
      await writeDurably(tombstoneOf(id), '', temporaryFolder)
      await unlink(pathOf(id))
      await syncFolder(folderOf(id))
    },
  }
}

export type DocumentFiles<T extends { id: string }> = ReturnType<typeof createDocumentFiles<T>>

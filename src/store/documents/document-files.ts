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

/** Lets what concerns one id happen one after the other, whichever way each ends; other ids do not wait. */
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

/** Suffix of what is left of a deleted document: an empty file, so that its id stays taken. */
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

/** Looks at once: 1.5 µs, a tenth of a turn of the thread pool. */
const canAccess = (path: string) => {
  try {
    accessSync(path)
    return true
  } catch {
    return false
  }
}

/** How documents are read. */
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

  /** `undefined` when there is no such file. @throws {AppError} `damaged` */
  const read = async (id: string): Promise<T | undefined> => {
    const db = new Low<T | null>(fileOf(id) as Adapter<T | null>, null)
    await db.read()
    const document = db.data
    if (document === null) return undefined
    const problem = problemOf(document, id)
    if (problem) throw damaged(pathOf(id), problem)
    return document
  }

  /** The head by itself; `undefined` where only the whole document tells what is there, or why it is not. */
  const readHeadAlone = async (id: string) => {
    const head = await readHead(pathOf(id)).catch(() => undefined)
    const isWhole = head !== undefined && problemOf({ ...head, text: '-' }, id) === undefined
    return isWhole ? (head as Head<T>) : undefined
  }

  /** One at a time: a list of large ones must not fill the memory. */
  const readHeadOfWhole = (id: string) =>
    mutex('whole', async () => {
      const document = await read(id)
      return document && headOf(document)
    })

  /** As `read`, without the text. Of a large document no more is read than its beginning, unless an older version wrote it. */
  const readHeadOf = async (id: string) => (await readHeadAlone(id)) ?? (await readHeadOfWhole(id))

  return {
    read,
    readHead: readHeadOf,

    /** The head of every document, one after the other; damaged ones are left out. */
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

/** Which ids are taken: what there is to know of a folder stays in memory. */
const createShards = (folder: string) => {
  const { folderOf, pathOf, tombstoneOf } = pathsIn(folder)
  /** Shards whose folder is there, and those in which a tombstone may lie. */
  const made = new Set<string>()
  const buried = new Set<string>()
  return {
    hasFolder: (id: string) => made.has(shardOf(id)),

    /** Makes the folder where it is missing, and looks whether a tombstone lies there. */
    makeFolder: async (id: string) => {
      await makeFolder(folderOf(id))
      const names = await namesIn(folderOf(id))
      if (names.some((name) => name.endsWith(tombstoneSuffix))) buried.add(shardOf(id))
      made.add(shardOf(id))
    },
    forgetFolder: (id: string) => void made.delete(shardOf(id)),
    noteTombstone: (id: string) => void buried.add(shardOf(id)),

    /**
     * Of an id whose folder is made. Looks at once, for the folder is in the kernel's memory: a turn of the thread pool
     * took a twentieth of a creation, and looking for a name that is not there 5 µs.
     * @throws the error of a look that failed
     */
    isTaken: (id: string) => existsNow(pathOf(id)) || (buried.has(shardOf(id)) && existsNow(tombstoneOf(id))),
  }
}

/** Where the documents of a collection lie on disk, and how one is put there, read and taken away. */
export const createDocumentFiles = <T extends { id: string }>(parts: DocumentFilesParts<T>) => {
  const { folder, temporaryFolder } = parts
  const { folderOf, pathOf, tombstoneOf } = pathsIn(folder)
  const { forgetFolder, noteTombstone, ...shards } = createShards(folder)

  return {
    ...createReading(parts),
    ...shards,
    exists: (id: string) => exists(pathOf(id)),

    /** Durably, in its folder, which is there. */
    write: (document: T) => {
      const file = new DurableJSONFile<T>(pathOf(document.id), temporaryFolder, documentJson)
      return new Low<T>(file, document).write()
    },

    /** Takes away what a failed creation left. */
    discard: async (id: string) => {
      forgetFolder(id)
      await unlink(pathOf(id)).catch(() => {})
    },

    /**
     * An empty file and an unlink: both work on a full disk. In this order, a crash leaves the document or the
     * tombstone or both, never neither; and whoever reads the document meanwhile still reads all of it.
     */
    bury: async (id: string) => {
      // First, for somebody may be looking whether one lies there.
      noteTombstone(id)
      await writeDurably(tombstoneOf(id), '', temporaryFolder)
      await unlink(pathOf(id))
      await syncFolder(folderOf(id))
    },
  }
}

export type DocumentFiles<T extends { id: string }> = ReturnType<typeof createDocumentFiles<T>>

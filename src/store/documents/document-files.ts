import { accessSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { type Adapter, Low } from 'lowdb'
import { damaged } from '../../errors.ts'
import type { Check } from '../../items/check.ts'
import { documentIds, existsNow, makeFolder, namesIn, shardOf, syncFolder, writeDurably } from '../disk.ts'
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

/** The id and the version of a file with an earlier version, `<id>.3.json`; `undefined` for any other name. */
export const earlierOf = (file: string) => {
  const [, id, version] = /^([^.]+)\.([1-9]\d{0,8})\.json$/.exec(file) ?? []
  return id === undefined ? undefined : ([id, Number(version)] as const)
}

/** Suffix of the empty file that a deleted document leaves, to keep its id taken. */
export const tombstoneSuffix = '.gone'

export type DocumentFilesParts<T> = { folder: string; temporaryFolder: string; check: Check<T> }

const pathsIn = (folder: string) => {
  const folderOf = (id: string) => `${folder}/${shardOf(id)}`
  return {
    folderOf,
    pathOf: (id: string) => `${folderOf(id)}/${id}.json`,
    pathOfEarlier: (id: string, version: number) => `${folderOf(id)}/${id}.${version}.json`,
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

type HeadParts<T> = {
  path: (id: string) => string
  read: (id: string) => Promise<T | undefined>
  problemOf: (document: unknown, id: string) => string | undefined
}

/** Like `read`, but without the text. Reads only the beginning of a large document, unless an older version wrote it. */
const createHeadReading = <T extends { id: string }>({ path, read, problemOf }: HeadParts<T>) => {
  const mutex = createMutex()

  /** The head alone; `undefined` if the whole document has to be read, perhaps to say what is wrong. */
  const readHeadAlone = async (id: string) => {
    const head = await readHead(path(id)).catch(() => undefined)
    const isWhole = head !== undefined && problemOf({ ...head, text: '-' }, id) === undefined
    return isWhole ? (head as Head<T>) : undefined
  }

  /** One at a time, so a list of large documents does not fill the memory. */
  const readHeadOfWhole = (id: string) =>
    mutex('whole', async () => {
      const document = await read(id)
      return document && headOf(document)
    })

  return async (id: string) => (await readHeadAlone(id)) ?? (await readHeadOfWhole(id))
}

/** Of all documents: one by one, two thirds of the time was waiting. */
const readsAtOnce = 8
/** Reads documents. */
const createReading = <T extends { id: string }>(parts: DocumentFilesParts<T>) => {
  const { folder, temporaryFolder, check } = parts
  const { pathOf, pathOfEarlier, tombstoneOf } = pathsIn(folder)

  const problemOf = (document: unknown, id: string) =>
    check.problem(document) ?? ((document as T).id === id ? undefined : 'holds another id')

  const readFrom = async (path: string, id: string): Promise<T | undefined> => {
    const file = new DurableJSONFile<T>(path, temporaryFolder, documentJson)
    const db = new Low<T | null>(file as Adapter<T | null>, null)
    await db.read()
    const document = db.data
    if (document === null) return undefined
    const problem = problemOf(document, id)
    if (problem) throw damaged(path, problem)
    return document
  }

  /** `undefined` if there is no file. @throws {AppError} `damaged` */
  const read = (id: string) => readFrom(pathOf(id), id)

  const readHeadOf = createHeadReading({ path: pathOf, read, problemOf })

  return {
    read,
    /** An earlier version; `undefined` if it is not kept. @throws {AppError} `damaged` */
    readEarlier: (id: string, version: number) => readFrom(pathOfEarlier(id, version), id),
    readHead: readHeadOf,

    /** The head of every document, and whether its erasure was begun; damaged documents are left out. */
    all: async function* () {
      for await (const ids of documentIds(folder, readsAtOnce))
        for (const head of await Promise.all(ids.map((id) => readHeadOf(id).catch(() => undefined))))
          if (head) yield { head, isErasing: canAccess(tombstoneOf(head.id)) }
    },

    isThere: (id: string) => canAccess(pathOf(id)),
    /** Synchronous, as `isTaken` is. @throws {AppError} `damaged` */
    isGone: (id: string) => {
      try {
        return existsNow(tombstoneOf(id))
      } catch (error) {
        throw damaged(tombstoneOf(id), 'cannot be read', error)
      }
    },
  }
}

/** Knows which ids are taken; keeps what it knows of each folder in memory. */
const createShards = (folder: string) => {
  const { folderOf, pathOf, tombstoneOf } = pathsIn(folder)
  /** Shards with a folder, and those that may have tombstones. */
  const made = new Set<string>()
  const buried = new Set<string>()
  /** Documents with files of earlier versions, also such as a crash left behind. */
  const changed = new Set<string>()
  return {
    hasFolder: (id: string) => made.has(shardOf(id)),

    /** Creates the folder if it is missing, and checks it for tombstones. */
    makeFolder: async (id: string) => {
      await makeFolder(folderOf(id))
      for (const name of await namesIn(folderOf(id))) {
        if (name.endsWith(tombstoneSuffix)) buried.add(shardOf(id))
        const [of] = earlierOf(name) ?? []
        if (of !== undefined) changed.add(of)
      }
      made.add(shardOf(id))
    },
    forgetFolder: (id: string) => void made.delete(shardOf(id)),
    noteTombstone: (id: string) => void buried.add(shardOf(id)),
    noteEarlier: (id: string) => void changed.add(id),
    hasEarlier: (id: string) => changed.has(id),
    forgetEarlier: (id: string) => void changed.delete(id),

    /**
     * Call it after `makeFolder`. Synchronous, because the kernel has the folder in memory: a turn of the thread pool took a
     * twentieth of a creation, and checking for a missing name takes 5 µs.
     * @throws the error of a failed check
     */
    isTaken: (id: string) => existsNow(pathOf(id)) || (buried.has(shardOf(id)) && existsNow(tombstoneOf(id))),
  }
}

type Shards = ReturnType<typeof createShards>

const writeTo = <T>(path: string, document: T, temporaryFolder: string) =>
  new Low<T>(new DurableJSONFile<T>(path, temporaryFolder, documentJson), document).write()

/** Writes and removes the files of earlier versions, durably. */
const createEarlierFiles = <T extends { id: string }>(
  { folder, temporaryFolder }: DocumentFilesParts<T>,
  shards: Shards,
) => {
  const { folderOf, pathOfEarlier } = pathsIn(folder)
  return {
    writeEarlier: (document: T, version: number) => {
      shards.noteEarlier(document.id)
      return writeTo(pathOfEarlier(document.id, version), document, temporaryFolder)
    },

    /** Removes all except these. */
    removeEarlier: async (id: string, except: ReadonlySet<number>) => {
      if (!shards.hasFolder(id)) await shards.makeFolder(id)
      if (!shards.hasEarlier(id)) return
      for (const name of await namesIn(folderOf(id))) {
        const [of, version = 0] = earlierOf(name) ?? []
        if (of === id && !except.has(version)) await unlink(`${folderOf(id)}/${name}`)
      }
      if (except.size === 0) shards.forgetEarlier(id)
      await syncFolder(folderOf(id))
    },
  }
}

/** The files of a collection: where they are, and how to write, read and delete them. */
export const createDocumentFiles = <T extends { id: string }>(parts: DocumentFilesParts<T>) => {
  const { folder, temporaryFolder } = parts
  const { folderOf, pathOf, tombstoneOf } = pathsIn(folder)
  const shards = createShards(folder)
  const { hasFolder, makeFolder, isTaken } = shards
  const earlierFiles = createEarlierFiles(parts, shards)

  return {
    ...createReading(parts),
    ...earlierFiles,
    ...{ hasFolder, makeFolder, isTaken },
    exists: (id: string) => existsNow(pathOf(id)),

    /** Durable; the folder must exist. */
    write: (document: T) => writeTo(pathOf(document.id), document, temporaryFolder),

    /** Syncs the folder of a document, if there is one. */
    syncFolder: async (id: string) => {
      if (existsNow(folderOf(id))) await syncFolder(folderOf(id))
    },

    /** Removes what a failed creation left. */
    discard: async (id: string) => {
      shards.forgetFolder(id)
      await unlink(pathOf(id)).catch(() => {})
    },

    /**
     * Writes an empty file, then unlinks the document: both work on a full disk. The empty file decides: a crash may leave
     * the document beside it, which nobody can read and the next sweep unlinks. A read in progress still gets the whole
     * document. Earlier versions go first, and that is synced: no text stays behind without its document.
     */
    bury: async (id: string) => {
      // First, because another request may be looking for tombstones.
      shards.noteTombstone(id)
      await writeDurably(tombstoneOf(id), '', temporaryFolder)
      await earlierFiles.removeEarlier(id, new Set())
      await unlink(pathOf(id))
      await syncFolder(folderOf(id))
    },
  }
}

export type DocumentFiles<T extends { id: string }> = ReturnType<typeof createDocumentFiles<T>>

import { estimateShallowMemoryUsageOf } from 'bun:jsc'
import { accessSync } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Adapter, Low } from 'lowdb'
import { LRUCache } from 'lru-cache'
import { createCounter } from '../../collector.ts'
import { damaged, storageFailure } from '../../errors.ts'
import type { Check } from '../../items/check.ts'
import { type Changeable, versionOf } from '../../items/versions.ts'
import type { Row } from '../derived/index-file.ts'
import {
  documentIds,
  existsNow,
  type Health,
  makeFolder,
  namesIn,
  shardOf,
  syncFolder,
  writeDurably,
} from '../disk.ts'
import { DurableJSONFile, documentJson, type Head, headOf, readHead } from './json-file.ts'

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

const numbersOf = ({ earlier = [] }: Changeable) => new Set(earlier.map(({ version }) => version))

export type Replacing<T> = {
  /**
   * Replaces a document, unless `former` is no longer the newest version. If `next` names it as an earlier version, it is
   * kept in a file of its own; a version that `next` no longer names is removed.
   * @throws {AppError} storage errors. The document is then unchanged, or perhaps replaced if only the last fsync failed
   */
  replace: (former: T, next: T) => Promise<boolean>
  /** An earlier version; `undefined` if it is not kept. @throws {AppError} `damaged` */
  loadEarlier: (id: string, version: number) => Promise<T | undefined>
  /** Removes all earlier versions; `false` if `former` is no longer the newest. @throws {AppError} storage errors */
  removeEarlier: (former: T) => Promise<boolean>
}

type ReplacingParts<T extends Changeable> = {
  files: DocumentFiles<T>
  health: Health
  mutex: ReturnType<typeof createMutex>
  isNewest: (former: T) => Promise<boolean>
  write: (document: T) => Promise<void>
}

/** Replaces documents, and keeps their earlier versions. */
export const createReplacing = <T extends Changeable>({
  files,
  health,
  mutex,
  isNewest,
  write,
}: ReplacingParts<T>): Replacing<T> => {
  /** Writes `next`, which must name the earlier versions that stay. */
  const writeNext = async (former: T, next: T) => {
    const [before, after] = [numbersOf(former), numbersOf(next)]
    if (after.has(versionOf(former))) await health.watch(files.writeEarlier(former, versionOf(former)))
    await write(next)
    return [...before].some((version) => !after.has(version)) ? after : undefined
  }

  const ifNewest = (former: T, act: () => Promise<unknown>) =>
    mutex(former.id, async () => {
      if (!(await isNewest(former))) return false
      await act()
      return true
    })

  return {
    replace: (former, next) =>
      ifNewest(former, async () => {
        const left = await writeNext(former, next)
        // The change is on disk. A file that stays behind is removed with the next version or with the document.
        if (left) await files.removeEarlier(next.id, left).catch(() => {})
      }),

    loadEarlier: (id, version) => files.readEarlier(id, version),

    removeEarlier: (former) =>
      ifNewest(former, async () => {
        const { earlier = [], ...next } = former
        if (earlier.length > 0) await write(next as T)
        await health.watch(files.removeEarlier(former.id, new Set())).catch((error) => {
          throw storageFailure(error)
        })
      }),
  }
}

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

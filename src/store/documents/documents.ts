import { estimateShallowMemoryUsageOf } from 'bun:jsc'
import { accessSync, closeSync, open, read } from 'node:fs'
import { unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Low } from 'lowdb'
import { LRUCache } from 'lru-cache'
import { createCollector } from '../../collector.ts'
import { damaged, storageFailure } from '../../errors.ts'
import type { Check } from '../../items/field.ts'
import { nameReach, pasteName } from '../../items/name.ts'
import {
  type Codec,
  checkedJson,
  DurableJSONFile,
  documentIds,
  existsNow,
  type Health,
  makeFolder,
  namesIn,
  readJson,
  seal,
  shardOf,
  sumOf,
  syncFolder,
  writeDurably,
} from '../disk.ts'
import type { Head } from '../store.ts'

/** The id and the version of a file with an earlier version, `<id>.3.json`; `undefined` for any other name. */
export const earlierOf = (file: string) => {
  const [, id, version] = /^([^.]+)\.([1-9]\d{0,8})\.json$/.exec(file) ?? []
  return id === undefined ? undefined : ([id, Number(version)] as const)
}

/** Suffix of the empty file that a deleted document leaves, to keep its id taken. */
export const tombstoneSuffix = '.gone'

type DocumentFolder<T> = { folder: string; temporaryFolder: string; check: Check<T> }
export type DocumentsParts<T> = DocumentFolder<T> & { cacheBytes: number; health: Health }

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

/** Of all documents: one by one, two thirds of the time was waiting. */
const readsAtOnce = 8

/** Reads the documents of a folder, past any cache. */
export const createReading = <T extends { id: string }>(parts: DocumentFolder<T>) => {
  const { folder, temporaryFolder, check } = parts
  const { pathOf, pathOfEarlier, tombstoneOf } = pathsIn(folder)

  const problemOf = (document: unknown, id: string) =>
    check.problem(document) ?? ((document as T).id === id ? undefined : 'holds another id')

  const readFrom = (path: string, id: string) =>
    readJson(new DurableJSONFile<T>(path, temporaryFolder, documentJson), path, (document) =>
      problemOf(document, id),
    )
  const read = (id: string) => readFrom(pathOf(id), id)

  /** `undefined` for a damaged document. */
  const readHeadOf = async (id: string): Promise<Head<T> | undefined> => {
    const head = await readHead(pathOf(id))
    if (head && problemOf({ ...head, text: '-' }, id) === undefined) return head as Head<T>
    const document = await read(id)
    return document && headOf(document)
  }

  return {
    /** `undefined` if there is no file. @throws {AppError} `damaged` */
    read,
    /** An earlier version; `undefined` if it is not kept. @throws {AppError} `damaged` */
    readEarlier: (id: string, version: number) => readFrom(pathOfEarlier(id, version), id),
    /** The head of every document, and whether its erasure was begun; damaged documents are left out. */
    heads: async function* () {
      for await (const ids of documentIds(folder, readsAtOnce))
        for (const head of await Promise.all(ids.map((id) => readHeadOf(id).catch(() => undefined))))
          if (head) yield { head, isErasing: canAccess(tombstoneOf(head.id)) }
    },
    /** False if it cannot be seen. */
    isThere: (id: string) => canAccess(pathOf(id)),
    exists: (id: string) => {
      try {
        return existsNow(pathOf(id))
      } catch (error) {
        throw storageFailure(error)
      }
    },
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

/** One byte per character, or two. The estimate leaves out the characters of a string that was joined or cut from others. */
const sizeOfString = (text: string) => {
  const bytes = estimateShallowMemoryUsageOf(text)
  return bytes < text.length ? 2 * text.length : bytes
}

/** Memory of a document; its object takes about 500 bytes. */
export const sizeOf = (document: object) =>
  Object.values(document).reduce((bytes, value) => bytes + sizeOfString(String(value)), 500)

/** Reading leaves several times as much behind as it returns. Eight readers of 24 texts of 1 MiB took 260 MB, and take 62. */
const charsPerCollection = 8 * 1024 ** 2
const lengthOf = (document: object) => (document as { text?: string }).text?.length ?? 0

/** An LRU cache of the documents read or written last, with single flight. */
const createCache = <T extends { id: string }>(
  { read, isGone }: ReturnType<typeof createReading<T>>,
  cacheBytes: number,
) => {
  const cache = new LRUCache<string, T>({ maxSize: cacheBytes, sizeCalculation: sizeOf })
  const loading = new Map<string, Promise<T | 'gone' | undefined>>()
  const writing = new Map<string, Promise<unknown>>()
  const { made } = createCollector(charsPerCollection)

  /** Asks for the tombstone first, which decides, and again: the document may have been erased meanwhile. */
  const readUnlessGone = async (id: string) => {
    if (isGone(id)) return 'gone'
    return (await read(id)) ?? (isGone(id) ? 'gone' : undefined)
  }

  /** What a write has put in place is shown once it is synced: a power cut could take back what a reader has seen. */
  const readSynced = async (id: string): Promise<T | 'gone' | undefined> => {
    const document = await readUnlessGone(id)
    const write = writing.get(id)
    if (!write || document === undefined) return document
    await write.catch(() => {})
    return cache.get(id) ?? readSynced(id)
  }

  /** Call it when a change ends or fails: an earlier read must be neither returned to later callers nor cached. */
  const forget = (id: string) => {
    writing.delete(id)
    loading.delete(id)
    cache.delete(id)
  }

  return {
    peek: (id: string) => cache.get(id),
    load: (id: string) => {
      const before = loading.get(id)
      if (before) return before
      const reading: Promise<T | 'gone' | undefined> = readSynced(id)
        .then((document) => {
          if (typeof document !== 'object' || loading.get(id) !== reading) return document
          cache.set(id, document)
          made(lengthOf(document))
          return document
        })
        .finally(() => {
          if (loading.get(id) === reading) loading.delete(id)
        })
      loading.set(id, reading)
      return reading
    },
    /** Keeps a document once its write is synced. @throws what the write throws */
    keepSynced: async (document: T, write: Promise<unknown>) => {
      writing.set(document.id, write)
      // The old version may have been loaded meanwhile. After a failure, the file may have either version.
      await write.finally(() => forget(document.id))
      cache.set(document.id, document)
    },
    forget,
  }
}

/** Knows which ids are taken; keeps in memory what it knows of each folder. */
const createShards = (folder: string) => {
  const { folderOf, pathOf, tombstoneOf } = pathsIn(folder)
  /** Shards with a folder, and those that may have tombstones. */
  const made = new Set<string>()
  const buried = new Set<string>()
  /** Documents with files of earlier versions, also such as a crash left behind. */
  const changed = new Set<string>()
  return {
    ...{ made, buried, changed },
    /** Creates the folder if it is missing, and looks for tombstones in it. */
    makeFolder: async (id: string) => {
      await makeFolder(folderOf(id))
      for (const name of await namesIn(folderOf(id))) {
        if (name.endsWith(tombstoneSuffix)) buried.add(shardOf(id))
        const [of] = earlierOf(name) ?? []
        if (of !== undefined) changed.add(of)
      }
      made.add(shardOf(id))
    },
    /**
     * Call it after `makeFolder`. Synchronous, because the kernel has the folder in memory: a turn of the thread pool took a
     * twentieth of a creation, and checking for a missing name takes 5 µs.
     * @throws the error of a failed check
     */
    isTaken: (id: string) => existsNow(pathOf(id)) || (buried.has(shardOf(id)) && existsNow(tombstoneOf(id))),
  }
}

/** Writes and removes the files of documents, durably, past any cache. They throw the errors of the system calls. */
const createWriting = <T extends { id: string }>({ folder, temporaryFolder }: DocumentFolder<T>) => {
  const { folderOf, pathOf, pathOfEarlier, tombstoneOf } = pathsIn(folder)
  const shards = createShards(folder)

  const writeTo = (path: string, document: T) =>
    new Low<T>(new DurableJSONFile<T>(path, temporaryFolder, documentJson), document).write()

  /** Removes the files of all earlier versions except these. */
  const removeEarlier = async (id: string, except: ReadonlySet<number>) => {
    if (!shards.made.has(shardOf(id))) await shards.makeFolder(id)
    if (!shards.changed.has(id)) return
    for (const name of await namesIn(folderOf(id))) {
      const [of, version = 0] = earlierOf(name) ?? []
      if (of === id && !except.has(version)) await unlink(`${folderOf(id)}/${name}`)
    }
    if (except.size === 0) shards.changed.delete(id)
    await syncFolder(folderOf(id))
  }

  return {
    shards,
    removeEarlier,
    write: (document: T) => writeTo(pathOf(document.id), document),
    writeEarlier: (document: T, version: number) => {
      shards.changed.add(document.id)
      return writeTo(pathOfEarlier(document.id, version), document)
    },

    /** Removes what a failed creation left. */
    discard: async (id: string) => {
      shards.made.delete(shardOf(id))
      await unlink(pathOf(id)).catch(() => {})
    },

    /**
     * Writes an empty file, then unlinks the document: both work on a full disk. The empty file decides: a crash may leave the
     * document beside it, which nobody can read and the next sweep unlinks. Earlier versions go first, and that is synced: no
     * text stays behind without its document.
     */
    bury: async (id: string) => {
      // First, because another request may be looking for tombstones.
      shards.buried.add(shardOf(id))
      await writeDurably(tombstoneOf(id), '', temporaryFolder)
      await removeEarlier(id, new Set())
      await unlink(pathOf(id))
      await syncFolder(folderOf(id))
    },

    /** Syncs an erasure that a killed process may not have synced. */
    syncErasure: async (id: string) => {
      if (existsNow(folderOf(id))) await syncFolder(folderOf(id))
    },
  }
}

const failed = (error: unknown) => {
  throw storageFailure(error)
}

/** Reserves ids that no document has or had, and no other caller has reserved. */
const createReservations = (
  { made, makeFolder, isTaken }: ReturnType<typeof createShards>,
  health: Health,
) => {
  const reserved = new Set<string>()
  return {
    /** False if the id is not free. @throws {AppError} storage errors */
    reserve: async (id: string) => {
      if (reserved.has(id)) return false
      reserved.add(id)
      let isFree = false
      try {
        if (!made.has(shardOf(id))) await health.watch(makeFolder(id))
        // Only this process owns the folder, so an id that is reserved and free on disk stays free.
        isFree = !isTaken(id)
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

/**
 * Documents of one kind by id, with one file each, and a cache. Who changes one holds the mutex of its id. When a promise
 * resolves, the change is on disk; else it rejects with a storage error.
 */
export const openDocuments = <T extends { id: string }>(parts: DocumentsParts<T>) => {
  const { cacheBytes, health } = parts
  const files = createWriting(parts)
  const reading = createReading(parts)
  const { peek, load, keepSynced, forget } = createCache(reading, cacheBytes)

  const write = (document: T) => keepSynced(document, health.watch(files.write(document)).catch(failed))

  return {
    /** The document if it is in memory; never reads the disk. */
    peek,
    /** `gone`: deleted, and the id stays taken forever; `undefined`: it never existed. @throws {AppError} `damaged` */
    load,
    heads: reading.heads,
    isThere: reading.isThere,
    loadEarlier: reading.readEarlier,
    exists: reading.exists,
    ...createReservations(files.shards, health),

    /** Writes a document under a reserved id; a failure leaves nothing behind. */
    create: (document: T) =>
      write(document).catch(async (error) => {
        await files.discard(document.id)
        forget(document.id)
        throw error
      }),

    /** Replaces a document. After an error it is unchanged, or perhaps replaced if only the last fsync failed. */
    write,
    /** Keeps a document as an earlier version. */
    writeEarlier: (document: T, version: number) =>
      health.watch(files.writeEarlier(document, version)).catch(failed),
    removeEarlier: (id: string, except: ReadonlySet<number>) =>
      health.watch(files.removeEarlier(id, except)).catch(failed),

    /** Erases a document, or finishes an erasure that a killed process began. Needs no free space. */
    erase: async (id: string) => {
      forget(id)
      try {
        await health.watch(files.bury(id)).catch(failed)
      } finally {
        forget(id)
      }
    },
    syncErasure: (id: string) => files.syncErasure(id).catch(failed),
  }
}

export type Documents<T extends { id: string }> = ReturnType<typeof openDocuments<T>>

const sumField = ',"headCrc32":"'
const textField = ',"text":"'
const sumLength = 8
const headOpening = /^\{"crc32":"[0-9a-f]{8}","document":(?=\{)/

/**
 * Like `checkedJson`, but with everything but the text in front, then the size of the text and a CRC-32 of this part. So
 * building the index reads the first few kilobytes of a large document, and still detects a flipped bit in them.
 */
export const documentJson: Codec = {
  encode: (document) => {
    const { text, ...others } = (document ?? {}) as { text?: unknown }
    if (typeof text !== 'string') return checkedJson.encode(document)
    const head = `${JSON.stringify(others).slice(0, -1)},"bytes":${Buffer.byteLength(text)}`
    return seal(`${head}${sumField}${sumOf(head)}","text":${JSON.stringify(text)}}`)
  },
  decode: (text) => {
    const decoded = checkedJson.decode(text)
    if (!Object.hasOwn(decoded as object, 'headCrc32')) return decoded
    const { bytes: _, headCrc32: __, ...document } = decoded as Record<string, unknown>
    return document
  },
}

export const headOf = <T extends object>(document: T): Head<T> => {
  const { text, ...others } = document as T & { text?: string }
  if (text === undefined) return { ...others, bytes: 0, name: '' }
  const name = pasteName({ title: '', ...(document as object), text })
  return { ...others, bytes: Buffer.byteLength(text), name }
}

/** Where the characters of the text begin, as JSON; -1 if they are not among these bytes. */
export const textStart = (start: Buffer) => {
  const at = start.indexOf(textField)
  return at === -1 ? -1 : at + textField.length
}

/** A character takes at most six bytes as JSON. */
const mostReachBytes = 6 * nameReach
const jsonCharacters = /^(?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*/i

/** The beginning of the text in the first bytes of its document, as far as its name needs; `undefined` if they end before. */
const decodeBeginning = (start: Buffer) => {
  const at = textStart(start)
  for (let bytes = mostReachBytes; at !== -1 && at + bytes <= start.length; bytes *= 2) {
    const [json = ''] = jsonCharacters.exec(start.toString('utf8', at, at + bytes)) ?? []
    const text: string = JSON.parse(`"${json}"`)
    if (text.trimStart().length >= nameReach) return text
  }
  return undefined
}

/** The head in the first bytes of a document's file, without its name; `undefined` if it is incomplete or damaged. */
export const decodeHead = (start: Buffer): Omit<Head<object>, 'name'> | undefined => {
  const end = start.indexOf(sumField)
  const [opened] = headOpening.exec(start.toString('latin1', 0, 64)) ?? []
  if (end === -1 || opened === undefined) return undefined
  const head = start.subarray(opened.length, end)
  const rest = `${sumOf(head)}"${textField}`
  const restAt = end + sumField.length
  if (start.toString('latin1', restAt, restAt + sumLength + 1 + textField.length) !== rest) return undefined
  return JSON.parse(`${head}}`)
}

const openToRead = promisify(open)
const readBytes = promisify(read)

/** A head takes about 300 bytes, with the longest title and description 10 KiB; its name needs the beginning of the text. */
const mostHeadBytes = 16 * 1024

/** For reuse, because building the index reads the head of every document. */
const buffers: Buffer[] = []

/**
 * Reads the head of a document; of a large one, without its text.
 * @returns `undefined` if the first bytes of a large file have no head, a damaged one, or too little text to name it; then
 * read the whole document
 * @throws what is wrong with a small one; the error of a system call
 */
export const readHead = async (path: string): Promise<Head<object> | undefined> => {
  const file = await openToRead(path, 'r')
  const memory = buffers.pop() ?? Buffer.alloc(mostHeadBytes)
  try {
    const { bytesRead } = await readBytes(file, memory, 0, mostHeadBytes, 0)
    const start = memory.subarray(0, bytesRead)
    if (bytesRead < mostHeadBytes) return headOf(documentJson.decode(start.toString()) as object)
    const [head, text] = [decodeHead(start), decodeBeginning(start)]
    return head && text !== undefined ? { ...head, name: pasteName({ title: '', ...head, text }) } : undefined
  } finally {
    buffers.push(memory)
    closeSync(file)
  }
}

import { closeSync, fsync, open, openSync, statSync, write } from 'node:fs'
import { mkdir, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Adapter, Low } from 'lowdb'
import { damaged, storageFailure } from '../errors.ts'

const codes: readonly unknown[] = ['ENOENT', 'ENOTDIR']

/** True if the error means that the file does not exist; other errors mean that this is unknown. */
export const isMissing = (error: unknown) => codes.includes((error as NodeJS.ErrnoException).code)

/** False only if nothing has this name. @throws the error of a failed check, when something may exist */
export const existsNow = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** The names in a folder; none if it is missing. @throws the error of the system call */
export const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The folder of a document: the first two characters of its id, so a million documents fit in 961 folders. */
export const shardOf = (id: string) => id.slice(0, 2)

/** The ids of the documents in a collection, some at once, from their file names. `<id>.3.json` is an earlier version. */
export async function* documentIds(folder: string, atOnce: number): AsyncGenerator<string[]> {
  for (const shard of await namesIn(folder)) {
    const names = await namesIn(join(folder, shard))
    const ids = names.flatMap((name) => /^([^.]+)\.json$/.exec(name)?.[1] ?? [])
    for (let at = 0; at < ids.length; at += atOnce) yield ids.slice(at, at + atOnce)
  }
}

/** Windows has no handles for folders; there, the file system journals the rename. */
const canSyncFolders = process.platform !== 'win32'

// Not a `FileHandle`, which closes on another thread: that takes 20 µs, and closing a synced file directly takes 2.
const openFile = promisify(open)
const writeTo = promisify(write)
const sync = promisify(fsync)

/** Syncs a folder, so creations, renames and removals in it survive a power cut. */
export const syncFolder = async (folder: string) => {
  if (!canSyncFolders) return
  // Opened synchronously: the kernel has the folder in memory, so it takes 2 µs and saves a turn of the thread pool.
  const file = openSync(folder, 'r')
  try {
    await sync(file)
  } finally {
    closeSync(file)
  }
}

/** Errors of a folder that cannot be opened or synced: this program has created nothing in it. */
const unsyncable: readonly unknown[] = ['EACCES', 'EINVAL', 'EROFS']

/** Folders synced once, with all their parents, so files of a killed process in them are on disk too. */
const settled = new Map<string, Promise<void>>()

const settle = (folder: string): Promise<void> => {
  const before = settled.get(folder)
  if (before) return before
  const above = dirname(folder)
  const settling = (above === folder ? Promise.resolve() : settle(above))
    .then(() => syncFolder(folder))
    .catch((error) => {
      if (!unsyncable.includes(error.code)) throw error
    })
  settled.set(folder, settling)
  settling.catch(() => settled.delete(folder))
  return settling
}

const make = async (folder: string, isParentMade = false): Promise<void> => {
  const parent = dirname(folder)
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return settle(parent)
    // Below /proc, creating a folder always fails with ENOENT.
    if (code !== 'ENOENT' || isParentMade) throw error
    await makeFolder(parent)
    return make(folder, true)
  }
  await settle(dirname(parent))
  await syncFolder(parent)
}

const making = new Map<string, Promise<void>>()

/**
 * Creates a folder and all missing parents. Resolves when all of them are on disk, also those that another call, or a
 * killed process, created without syncing.
 */
export const makeFolder = (folder: string): Promise<void> => {
  const before = making.get(folder)
  if (before) return before
  const made = make(folder).finally(() => making.delete(folder))
  making.set(folder, made)
  return made
}

/**
 * Makes the folder of a temporary file again, which a cleaner of old files may have taken. Where the lock beside it is missing
 * too, the disk has gone, and what is written there would not be on it.
 * @throws `cause`, why nothing could be written
 */
const makeAgain = async (folder: string, cause: unknown) => {
  const above = dirname(folder)
  if (!existsNow(join(above, 'lock'))) throw cause
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  await syncFolder(above)
}

const openNew = (path: string) =>
  openFile(path, 'wx', 0o600).catch(async (error) => {
    if (error.code !== 'ENOENT') throw error
    await makeAgain(dirname(path), error)
    return openFile(path, 'wx', 0o600)
  })

const writeNew = async (path: string, content: string | Uint8Array) => {
  const file = await openNew(path)
  try {
    const bytes = Buffer.from(content)
    // An empty file has no bytes to lose; the sync of its folder makes it durable.
    if (bytes.length === 0) return
    // A write may be partial; the next one continues there.
    for (let at = 0; at < bytes.length; )
      at += (await writeTo(file, bytes, at, bytes.length - at, at)).bytesWritten
    await sync(file)
  } finally {
    closeSync(file)
  }
}

/** Two containers on one volume may both have process id 1, so the id is not unique. */
const processName = crypto.randomUUID()
let temporaryCount = 0

/** True for the name of a file that `writeDurably` had not finished. */
export const isTemporary = (name: string) => /^[0-9a-f-]{36}-\d/.test(name)

/**
 * Writes a whole file or nothing: temporary file, fsync, rename, fsync of the folder.
 * @param temporaryFolder on the same file system as `path`; the next start removes what a crash leaves there
 * @throws the error of the failed system call; the old file is then unchanged, unless only the last fsync failed
 */
export const writeDurably = async (path: string, content: string | Uint8Array, temporaryFolder: string) => {
  const temporary = `${temporaryFolder}/${processName}-${temporaryCount++}-${basename(path)}`
  try {
    await writeNew(temporary, content)
    await rename(temporary, path)
  } catch (error) {
    await unlink(temporary).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}

/** Knows if the last write reached the disk. */
export type Health = {
  isGood: () => boolean
  /** Waits for a write and remembers if it failed. */
  watch: <T>(write: Promise<T>) => Promise<T>
  close: () => void
}

type HealthParts = {
  /** A harmless write for testing the disk. */
  tryWrite: () => Promise<void>
  onChange: (isGood: boolean) => void
}

/** How often a failed disk is tried again, so the server notices its recovery even without requests. */
const retryMs = 1000

export const createHealth = ({ tryWrite, onChange }: HealthParts): Health => {
  let isGood = true
  let timer: Timer | undefined

  const become = (isGoodNow: boolean) => {
    clearTimeout(timer)
    if (isGood !== isGoodNow) onChange(isGoodNow)
    isGood = isGoodNow
    if (isGood) return
    timer = setTimeout(() => tryWrite().then(succeed, fail), retryMs)
    timer.unref()
  }
  const succeed = () => become(true)
  const fail = () => become(false)

  return {
    isGood: () => isGood,
    watch: async (write) => {
      try {
        const result = await write
        succeed()
        return result
      } catch (error) {
        fail()
        throw error
      }
    },
    close: () => clearTimeout(timer),
  }
}

/** How documents are written as text. `decode` throws an `Error` that says what is wrong with the text. */
export type Codec = {
  encode: (data: unknown) => string
  decode: (text: string) => unknown
}

const parse = (text: string): unknown => {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  // lowdb takes null for "use the default data", and would overwrite the file.
  if (data === null) throw new Error('holds null')
  return data
}

/** Plain JSON, for the few files that people may edit. */
export const plainJson: Codec = { encode: (data) => JSON.stringify(data), decode: parse }

/** CRC-32 of a text as UTF-8, in hexadecimal. */
export const sumOf = (json: string | Uint8Array) => Bun.hash.crc32(json).toString(16).padStart(8, '0')

/** Puts the CRC-32 in front of a document that is already JSON. */
export const seal = (json: string) => `{"crc32":"${sumOf(json)}","document":${json}}`

/** Only up to the document: matching its end as well takes 1 ms per MB. */
const opening = /^\{"crc32":"([0-9a-f]{8})","document":/

/** Bytes in front of the document. */
export const openingBytes = seal('').length - 1

/** The CRC-32 that the beginning of a text says its document has. */
export const sumIn = (start: string) => {
  const [, sum] = opening.exec(start) ?? []
  return sum === undefined ? undefined : Number.parseInt(sum, 16)
}

export const cutShort = 'is cut short or no document of this program'
export const wrongSum = 'does not match its checksum'

/** JSON with its CRC-32, so reading it detects even a single flipped bit. */
export const checkedJson: Codec = {
  encode: (data) => seal(JSON.stringify(data)),
  decode: (text) => {
    const [opened, crc32] = opening.exec(text) ?? []
    if (opened === undefined || !text.endsWith('}')) throw new Error(text === '' ? 'is empty' : cutShort)
    const json = text.slice(opened.length, -1)
    if (crc32 !== sumOf(json)) throw new Error(wrongSum)
    return parse(json)
  },
}

/**
 * lowdb adapter for one JSON file; `write` resolves only when the bytes are on disk.
 * @throws {AppError} `damaged` for a file that does not decode; `storage-full` or `storage-unavailable` for a failed write
 */
export class DurableJSONFile<T> implements Adapter<T> {
  readonly #path: string
  readonly #temporaryFolder: string
  readonly #codec: Codec

  constructor(path: string, temporaryFolder: string, codec: Codec) {
    this.#path = path
    this.#temporaryFolder = temporaryFolder
    this.#codec = codec
  }

  /** `null` if there is no file. */
  async read(): Promise<T | null> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw damaged(this.#path, 'cannot be read', error)
    }
    try {
      return this.#codec.decode(text) as T
    } catch (error) {
      throw damaged(this.#path, (error as Error).message)
    }
  }

  async write(data: T): Promise<void> {
    try {
      await writeDurably(this.#path, this.#codec.encode(data), this.#temporaryFolder)
    } catch (error) {
      throw storageFailure(error)
    }
  }
}

/**
 * Reads a JSON file. @returns `undefined` if there is none
 * @param problemOf what is wrong with the data
 * @throws {AppError} `damaged`
 */
export const readJson = async <T>(
  file: DurableJSONFile<T>,
  path: string,
  problemOf: (data: T) => string | undefined,
): Promise<T | undefined> => {
  const db = new Low<T | null>(file as Adapter<T | null>, null)
  await db.read()
  if (db.data === null) return undefined
  const problem = problemOf(db.data)
  if (problem) throw damaged(path, problem)
  return db.data
}

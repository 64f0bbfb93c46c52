import { closeSync, fsync, open, openSync, write } from 'node:fs'
import { mkdir, readFile, rename, unlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Adapter } from 'lowdb'
import { damaged, storageFailure } from '../../errors.ts'
import type { Codec } from './codec.ts'

/** Windows has no handle for a folder; there the rename itself is journalled by the file system. */
const canSyncFolders = process.platform !== 'win32'

// Not a `FileHandle`, which is closed on a thread of its own: what is synced is closed in 2 µs, going there takes 20.
const openFile = promisify(open)
const writeTo = promisify(write)
const sync = promisify(fsync)

/** Makes what was renamed into, made in or removed from a folder survive a power cut. */
export const syncFolder = async (folder: string) => {
  if (!canSyncFolders) return
  // At once, for the kernel has just used the folder: 2 µs, and a turn of the thread pool less.
  const file = openSync(folder, 'r')
  try {
    await sync(file)
  } finally {
    closeSync(file)
  }
}

/** Makes a folder and every missing one above it, each synced in its parent. */
export const makeFolder = async (folder: string, isParentMade = false): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    // Below /proc the folder is refused in these words for ever.
    if (code !== 'ENOENT' || isParentMade) throw error
    await makeFolder(dirname(folder))
    return makeFolder(folder, true)
  }
  await syncFolder(dirname(folder))
}

const writeNew = async (path: string, content: string | Uint8Array) => {
  const file = await openFile(path, 'wx', 0o600)
  try {
    const bytes = Buffer.from(content)
    // A write may be short: the next one goes on where it ended.
    for (let at = 0; at < bytes.length; )
      at += (await writeTo(file, bytes, at, bytes.length - at, at)).bytesWritten
    await sync(file)
  } finally {
    closeSync(file)
  }
}

/** Two containers on one volume may both be process 1, so the process id alone would not tell them apart. */
const processName = crypto.randomUUID()
let temporaryCount = 0

/**
 * Puts a whole file in place, or nothing: temporary file, fsync, rename, fsync of the folder.
 * @param temporaryFolder on the same file system as `path`; what a crash leaves there is swept at start
 * @throws the error of the system call that failed; the former file is then as it was, unless only the last
 * fsync failed
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

/**
 * lowdb adapter for one JSON file whose `write` answers only when the bytes are on disk.
 * @throws {AppError} `damaged` for a file that does not decode; `storage-full` or `storage-unavailable` for a
 * failed write
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

  /** `null` when there is no such file. */
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

import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Adapter } from 'lowdb'
import { damaged, storageFailure } from '../errors.ts'

/** Windows has no handle for a folder; there the rename itself is journalled by the file system. */
const canSyncFolders = process.platform !== 'win32'

/** Makes what was renamed into or made in a folder survive a power cut. */
export const syncFolder = async (folder: string) => {
  if (!canSyncFolders) return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder and every missing one above it, each synced in its parent. */
export const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    await makeFolder(dirname(folder))
    return makeFolder(folder)
  }
  await syncFolder(dirname(folder))
}

const writeSynced = async (path: string, text: string) => {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

let temporaryCount = 0

/**
 * lowdb adapter for one JSON file. `write` answers only when the bytes are on disk: temporary file, fsync,
 * rename, fsync of the folder. A failed write leaves the former file as it was.
 * @throws {AppError} `damaged` for a file that is not JSON or holds `null`; `storage-full` or
 * `storage-unavailable` for a failed write.
 */
export class DurableJSONFile<T> implements Adapter<T> {
  readonly #path: string
  readonly #temporaryFolder: string

  /** @param temporaryFolder on the same file system as `path`; what a crash leaves there is swept at start. */
  constructor(path: string, temporaryFolder: string) {
    this.#path = path
    this.#temporaryFolder = temporaryFolder
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
    return parse<T>(this.#path, text)
  }

  async write(data: T): Promise<void> {
    const name = `${process.pid}-${temporaryCount++}-${basename(this.#path)}`
    const temporary = join(this.#temporaryFolder, name)
    try {
      await writeSynced(temporary, JSON.stringify(data))
      await rename(temporary, this.#path)
    } catch (error) {
      await unlink(temporary).catch(() => {})
      throw storageFailure(error)
    }
    await syncFolder(dirname(this.#path)).catch((error) => {
      throw storageFailure(error)
    })
  }
}

/** lowdb would take `null` for "use the default data" and overwrite the file. */
const parse = <T>(path: string, text: string): T => {
  let data: T | null
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw damaged(path, 'is not JSON', error)
  }
  if (data === null) throw damaged(path, 'holds null')
  return data
}

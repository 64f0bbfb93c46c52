import { closeSync, fsync, open, openSync, statSync, write } from 'node:fs'
import { access, mkdir, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const codes: readonly unknown[] = ['ENOENT', 'ENOTDIR']

/** True for an error that says there is nothing of that name; any other says that nobody could look. */
export const isMissing = (error: unknown) => codes.includes((error as NodeJS.ErrnoException).code)

/** False only where there is nothing of that name. @throws the error of a look that failed: something may be there */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false
      throw error
    },
  )

/** As `exists`, at once. */
export const existsNow = (path: string): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** The names in a folder; none where there is no folder. @throws the error of the system call */
export const namesIn = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The folder of a document: the first two characters of its id, so that 961 folders hold a million documents. */
export const shardOf = (id: string) => id.slice(0, 2)

/** The ids of the documents in a collection's folder, as their files are named; reads none of them. */
export async function* documentIds(folder: string): AsyncGenerator<string> {
  for (const shard of await namesIn(folder))
    for (const name of await namesIn(join(folder, shard)))
      if (name.endsWith('.json')) yield name.slice(0, -'.json'.length)
}

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

/** Whether the last write reached the disk. */
export type Health = {
  isGood: () => boolean
  /** Passes on what a write does, and remembers how it ended. */
  watch: <T>(write: Promise<T>) => Promise<T>
  close: () => void
}

export type HealthParts = {
  /** A write that changes nothing anybody sees. */
  tryWrite: () => Promise<void>
  onChange: (isGood: boolean) => void
}

/** How often a failed disk is tried again, so that a server nobody writes to notices that it is well. */
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

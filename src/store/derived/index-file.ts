import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { damaged } from '../../errors.ts'
import { makeFolder, syncFolder } from '../documents/durable-json-file.ts'
import { encodeRecord, type IndexEntry, recordBytes, removedMark, sortKey } from './index-record.ts'
import { pageOf, positionOf, type Records, stampAt } from './index-search.ts'

/** Append-only list of entries, oldest first. Each call waits for the ones before it. */
export type IndexFile = {
  /** Appends, without fsync; a stamp smaller than the last one becomes that one. */
  add: (entry: IndexEntry) => Promise<void>
  /** Marks an entry as removed, in place. @returns whether there is such an entry */
  remove: (entry: IndexEntry) => Promise<boolean>
  /** Living entries, newest first; fewer than `count` only where there are no more. @param before where to go on */
  page: (count: number, before: IndexEntry | undefined) => Promise<IndexEntry[]>
  /** Syncs and closes; the next call opens it again. @returns how many records it has */
  rest: () => Promise<number>
}

type Opened = Records & { handle: FileHandle; lastStamp: number; isDirty: boolean }

/**
 * @param leastRecords how many records it had when last known; 0 where it may be missing
 * @throws {AppError} from every call: `damaged` for a file that is missing, cut or holds something else
 */
export const openIndexFile = (path: string, leastRecords: number): IndexFile => {
  let opened: Opened | undefined
  let known = leastRecords
  let last: Promise<unknown> = Promise.resolve()

  const refuse = (problem: string) => damaged(path, problem)

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work)
    last = result.catch(() => {})
    return result
  }

  const measure = async (handle: FileHandle): Promise<Opened> => {
    const count = (await handle.stat()).size / recordBytes
    if (!Number.isInteger(count)) throw refuse('is cut short')
    if (count < known) throw refuse('has lost records')
    const read = async (first: number, records: number) => {
      const block = Buffer.alloc(records * recordBytes)
      const { bytesRead } = await handle.read(block, 0, block.length, first * recordBytes)
      if (bytesRead < block.length) throw refuse('is shorter than it was')
      return block
    }
    const file = { handle, count, read, refuse, lastStamp: 0, isDirty: false }
    if (count > 0) file.lastStamp = await stampAt(file, count - 1)
    return file
  }

  const openHandle = async (isMade: boolean) => {
    try {
      return await open(path, 'r+')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      if (known > 0) throw refuse('is missing')
      if (!isMade) return undefined
      await makeFolder(dirname(path))
      return open(path, 'wx+', 0o600)
    }
  }

  const use = async (isMade: boolean) => {
    if (opened) return opened
    const handle = await openHandle(isMade)
    if (!handle) return undefined
    try {
      opened = await measure(handle)
    } catch (error) {
      await handle.close()
      throw error
    }
    return opened
  }

  const write = async (file: Opened, bytes: Buffer, position: number) => {
    file.isDirty = true
    const { bytesWritten } = await file.handle.write(bytes, 0, bytes.length, position)
    if (bytesWritten < bytes.length) throw refuse('could not be written to its end')
  }

  let waiting: IndexEntry[] = []
  let adding: Promise<void> | undefined

  const addWaiting = async () => {
    const entries = waiting
    waiting = []
    adding = undefined
    const file = (await use(true)) as Opened
    let { lastStamp } = file
    const records = entries.map(({ stamp, id }) => {
      lastStamp = Math.max(stamp, lastStamp)
      return encodeRecord(sortKey({ id, stamp: lastStamp }))
    })
    await write(file, Buffer.from(records.join('')), file.count * recordBytes)
    file.count += entries.length
    file.lastStamp = lastStamp
  }

  return {
    // Those that wait for the same turn are written at once.
    add: (entry) => {
      waiting.push(entry)
      adding ??= inTurn(addWaiting)
      return adding
    },

    remove: (entry) =>
      inTurn(async () => {
        const file = await use(false)
        const position = file && (await positionOf(file, entry))
        if (!file || position === undefined) return false
        await write(file, removedMark, position * recordBytes)
        return true
      }),

    page: (count, before) =>
      inTurn(async () => {
        const file = await use(false)
        return file ? pageOf(file, count, before) : []
      }),

    rest: () =>
      inTurn(async () => {
        if (!opened) return known
        const { handle, count, isDirty } = opened
        opened = undefined
        known = count
        try {
          if (!isDirty) return count
          await handle.sync()
          await syncFolder(dirname(path))
        } finally {
          await handle.close()
        }
        return count
      }),
  }
}

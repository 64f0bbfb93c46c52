import { Database } from 'bun:sqlite'
import { readFile } from 'node:fs/promises'
import { isMissing } from '../disk.ts'

/** SQLite's write-ahead log of a file (https://sqlite.org/fileformat.html). */
export const logSuffix = '-wal'

/** Bytes of the header of a log; each new log has another one. */
const headerBytes = 32
const frameHeaderBytes = 24
const littleEndian = 0x377f0682

/** How often a file is read again because the server began a new log meanwhile, as it does every 4 MB. */
const mostReadings = 5

type Sums = readonly [number, number]

/** The checksum of bytes of a log, added to that of what is before them. */
const sumsOf = (log: DataView, from: number, length: number, [first, second]: Sums): Sums => {
  const isLittle = log.getUint32(0) === littleEndian
  for (let at = from; at < from + length; at += 8) {
    first = (first + log.getUint32(at, isLittle) + second) >>> 0
    second = (second + log.getUint32(at + 4, isLittle) + first) >>> 0
  }
  return [first, second]
}

const hasSums = (log: DataView, at: number, [first, second]: Sums) =>
  log.getUint32(at) === first && log.getUint32(at + 4) === second

/** The pages of the transactions in a log: where each begins, and how many pages the file then has. */
const pagesIn = (log: DataView, pageBytes: number) => {
  const committed = new Map<number, number>()
  const pending = new Map<number, number>()
  let filePages: number | undefined
  let sums = sumsOf(log, 0, frameHeaderBytes, [0, 0])
  if (!hasSums(log, frameHeaderBytes, sums)) return { committed, filePages }
  for (let at = headerBytes; at + frameHeaderBytes + pageBytes <= log.byteLength; ) {
    const start = at + frameHeaderBytes
    sums = sumsOf(log, start, pageBytes, sumsOf(log, at, 8, sums))
    const isOfThisLog = log.getBigUint64(at + 8) === log.getBigUint64(16)
    if (!isOfThisLog || !hasSums(log, at + 16, sums)) break
    pending.set(log.getUint32(at), start)
    // Only the last frame of a transaction has it.
    const pages = log.getUint32(at + 4)
    if (pages > 0) {
      for (const [page, place] of pending) committed.set(page, place)
      pending.clear()
      filePages = pages
    }
    at = start + pageBytes
  }
  return { committed, filePages }
}

/** A file as SQLite would see it with its log. */
export const withLog = (file: Uint8Array<ArrayBuffer>, log: Uint8Array): Uint8Array<ArrayBuffer> => {
  if (log.length < headerBytes) return file
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength)
  const pageBytes = view.getUint32(8)
  const { committed, filePages } = pagesIn(view, pageBytes)
  if (filePages === undefined) return file
  const whole = new Uint8Array(filePages * pageBytes)
  whole.set(file.subarray(0, whole.length))
  for (const [page, start] of committed)
    if (page <= filePages) whole.set(log.subarray(start, start + pageBytes), (page - 1) * pageBytes)
  return whole
}

/** The first bytes of a log, or all; none if there is no log. */
const readLog = async (log: string, length?: number) => {
  try {
    return await Bun.file(log).slice(0, length).bytes()
  } catch (error) {
    if (isMissing(error)) return new Uint8Array()
    throw error
  }
}

/**
 * The file, then its log. What a server moves from the log into the file meanwhile is in the log as well, unless it has
 * begun a new log. @returns `undefined` if it began new ones all the time
 */
const readWithLog = async (path: string) => {
  const log = path + logSuffix
  for (let time = 0; time < mostReadings; time++) {
    const before = await readLog(log, headerBytes)
    const [file, whole] = [await readFile(path), await readLog(log)]
    if (Bun.deepEquals(await readLog(log, headerBytes), before)) return withLog(file, whole)
  }
  return undefined
}

/** For bytes 18 and 19 of a file that has no log: SQLite would look for one. */
const rollbackVersion = 1

/**
 * Reads a SQLite file into memory, also that of a running server, which has locked it for itself: opening it would wait for
 * the server, or stop it. Nothing is written or mapped, so it works on a full and on a read-only disk.
 * @returns `undefined` if the server writes too fast for a whole copy. @throws the error of a system call
 */
export const openCopy = async (file: string): Promise<Database | undefined> => {
  const bytes = await readWithLog(file)
  return bytes && Database.deserialize(bytes.fill(rollbackVersion, 18, 20))
}

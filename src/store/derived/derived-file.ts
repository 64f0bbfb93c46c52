import { constants, Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isMissing } from '../disk.ts'

/** For an index without a file. */
export const inMemory = ':memory:'

/** SQLite's own files beside a file. There is a journal only until the file has its write-ahead log. */
const besides = ['-journal', '-wal', '-shm']

/** A file and SQLite's own files beside it. */
export const filesOf = (file: string): readonly string[] => [file, ...besides.map((suffix) => file + suffix)]

/** Killing the process loses nothing, because the kernel has all writes. After a power cut, the file is rebuilt. */
const settings = `
  PRAGMA busy_timeout = 2000;
  PRAGMA main.locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -2000;
  PRAGMA temp_store = MEMORY`

const stateTable = 'CREATE TABLE state (file TEXT NOT NULL, boot TEXT NOT NULL, isClean INTEGER NOT NULL)'

/** Changes if the file is copied or replaced. */
const identityOf = (file: string) => {
  if (file === inMemory) return file
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.ino}-${found.birthtimeMs}`
}

const versionOf = (database: Database) =>
  database.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version

type State = { file: string; boot: string; isClean: number }

/** True if no power cut can have changed the file since it was complete. */
export const isTrustedFile = (database: Database, file: string, boot: string, version: number) => {
  if (versionOf(database) !== version) return false
  const state = database.query<State, []>('SELECT file, boot, isClean FROM state').get()
  if (!state || state.file !== identityOf(file)) return false
  return state.isClean === 1 || (boot !== '' && state.boot === boot)
}

export type DerivedParts = {
  file: string
  /** Boot id of the machine; empty if unknown. */
  boot: string
  /** Stored in the file's header; identifies the tables. */
  version: number
  /** Creates the tables. */
  schema: string
}

/** The state of a file, stored for its next start. */
const createState = (database: Database, { file, boot, version }: DerivedParts) => {
  const identity = identityOf(file)
  const isWhole = isTrustedFile(database, file, boot, version)
  let isClean = isWhole && database.query<State, []>('SELECT isClean FROM state').get()?.isClean === 1

  const write = (isCleanNow: boolean) => {
    database.transaction(() => {
      database.exec('DELETE FROM state')
      database.query('INSERT INTO state VALUES (?, ?, ?)').run(identity ?? '', boot, isCleanNow ? 1 : 0)
    })()
    isClean = isCleanNow
  }

  return {
    /** True if it was complete, and no power cut can have changed it since. */
    isWhole,
    /** True if it was closed and not changed since. */
    isClean: () => isClean,
    /** False if the file was removed or replaced, so writes are lost. */
    isInPlace: () => identityOf(file) === identity,
    /** From now on, the next start may trust it, within the same boot of the machine. */
    setWhole: () => write(false),
    /** Called before the first change, and synced. Later changes are not, so the next start has to notice a power cut. */
    beforeChange: () => {
      if (!isClean) return
      database.exec('PRAGMA synchronous = FULL')
      write(false)
      // Into the file itself: the log may be emptied before what was in it is on disk.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = OFF')
    },
    setClean: () => {
      if (isClean || file === inMemory) return
      database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
      write(true)
    },
  }
}

export const removeDerivedFile = (file: string) => {
  if (file !== inMemory) for (const each of filesOf(file)) rmSync(each, { force: true })
}

const flags = constants.SQLITE_OPEN_READWRITE | constants.SQLITE_OPEN_CREATE | constants.SQLITE_OPEN_URI

/**
 * Opens a file that is built from the documents, and creates it and its tables if missing. A file of another version is
 * replaced. @throws SQLite's error
 */
export const openDerivedFile = (
  parts: DerivedParts,
): { database: Database; state: ReturnType<typeof createState> } => {
  const { file, version, schema } = parts
  // SQLite would make it readable for everyone.
  if (file !== inMemory) closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, flags)
  try {
    database.exec(settings)
    const found = versionOf(database)
    if (found === 0) database.exec(`${schema}; ${stateTable}; PRAGMA user_version = ${version}`)
    else if (found !== version) {
      database.close()
      removeDerivedFile(file)
      return openDerivedFile(parts)
    }
    return { database, state: createState(database, parts) }
  } catch (error) {
    database.close()
    throw error
  }
}

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
  // A start that was cut off leaves an empty file, which SQLite reads as one without tables.
  if (bytes?.length === 0) return new Database(inMemory)
  return bytes && Database.deserialize(bytes.fill(rollbackVersion, 18, 20))
}

import { constants, Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { damaged } from '../../errors.ts'
import type { ItemKind } from '../../items/ids.ts'

/** The SQLite file with the counts of a data folder. */
export const countsName = 'counts.sqlite'

/** What SQLite keeps beside the file while it is in use: the write-ahead log and the index of that log. */
export const logSuffix = '-wal'
export const sharedMemorySuffix = '-shm'

/** What `verify` says of a damaged file that was put aside. */
export const wasPutAside = 'was damaged and put aside; remove it when you have looked'

/** The name of a damaged file that was put aside, for somebody to look at and remove; its log keeps its own ending. */
export const asideName = (number: number) => `${countsName}.${number}.damaged`
export const isAside = (name: string) => /^counts\.sqlite\.\d+\.damaged(-wal)?$/.test(name)

/** How often an item was read or followed. */
export type Count = { kind: ItemKind; id: string; count: number }

/** Stands in the header of the file, whose tables are then the ones below. */
const version = 1

/** In bytes 18 and 19 of the header (https://sqlite.org/fileformat.html). */
const writeAheadVersion = 2

/** The rules of the columns are what a check of the file holds its rows against. */
const tables = `
  CREATE TABLE counts (
    kind TEXT NOT NULL, id TEXT NOT NULL, count INTEGER NOT NULL CHECK (count > 0), PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keys (name TEXT PRIMARY KEY, usedAt INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${version};`

/** The bytes of a new file, so that it can be put in place whole: an empty file is damage. */
export const newCountsFile = (counts: readonly Count[] = []): Uint8Array => {
  const database = new Database(':memory:')
  try {
    database.exec(tables)
    const insert = database.query('INSERT INTO counts VALUES (?, ?, ?)')
    database.transaction(() => {
      for (const { kind, id, count } of counts) insert.run(kind, id, count)
    })()
    const bytes = database.serialize()
    // Says of the file that it has a write-ahead log: to change that later, nobody else may be reading.
    return bytes.fill(writeAheadVersion, 18, 20)
  } finally {
    database.close()
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** @throws {AppError} `damaged` */
const quickCheck = (database: Database, path: string) => {
  const problems = database.query('PRAGMA quick_check(1)').values().flat()
  if (problems.join() !== 'ok') throw damaged(path, String(problems[0]))
}

/** @throws {AppError} `damaged` */
const checkVersion = (database: Database, path: string) => {
  const [found] = database.query('PRAGMA user_version').values().flat()
  if (found !== version) throw damaged(path, sizeOf(path) === 0 ? 'is empty' : 'is no file of counts')
}

/** True for what is wrong with the file itself, and not with the disk or with another process. */
export const isDamagedFile = (error: unknown) => {
  const { code = '', kind } = error as { code?: string; kind?: string }
  return kind === 'damaged' || /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

/** True where a server left the file without closing it. */
export const isUnclosed = (path: string) => sizeOf(path + logSuffix) > 0

/**
 * Makes the file ready for its one writer, which must not wait for anybody: it is the event loop of the server.
 * @param isSuspect whether every page is to be looked at, which takes 14 ms for 100,000 counts
 * @throws {AppError} `damaged`; SQLite's own error
 */
export const beginWriting = (database: Database, path: string, isSuspect: boolean) => {
  checkVersion(database, path)
  if (isSuspect) quickCheck(database, path)
  database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = NORMAL;')
}

/** How long a command waits for a server that is just opening the file. */
const longestWaitMs = 5000

/**
 * Reads the file, also of a running server, and leaves the folder as it is. Without a log nobody has it open, and what
 * nobody changes is read without making a log: also by another user, and from a disk that is mounted read-only.
 */
const readCountsFile = <T>(folder: string, read: (database: Database, path: string) => T): T => {
  const path = join(folder, countsName)
  const hasLog = statSync(path + logSuffix, { throwIfNoEntry: false }) !== undefined
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  const database = new Database(`${pathToFileURL(path)}?${hasLog ? 'mode=ro' : 'immutable=1'}`, flags)
  try {
    database.exec(`PRAGMA busy_timeout = ${longestWaitMs}`)
    checkVersion(database, path)
    return read(database, path)
  } finally {
    database.close()
  }
}

/** The whole file, as it is at one moment. @throws {Error} that says what is wrong with it */
export const exportCounts = (folder: string): Uint8Array =>
  readCountsFile(folder, (database, path) => {
    quickCheck(database, path)
    return database.serialize()
  })

/** When each key was last used, to the minute, in milliseconds since the epoch; nothing where the file does not tell. */
export const lastUses = (folder: string): ReadonlyMap<string, number> => {
  try {
    const rows = readCountsFile(folder, (database) =>
      database.query('SELECT name, usedAt FROM keys').values(),
    )
    return new Map(rows as [string, number][])
  } catch {
    return new Map()
  }
}

import { constants, Database } from 'bun:sqlite'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { damaged } from '../../errors.ts'
import type { ItemKind } from '../../items/ids.ts'
import { logSuffix, openCopy } from './file-copy.ts'

/** The SQLite file of counts in a data folder. */
export const countsName = 'counts.sqlite'

/** What `verify` reports for a damaged file that was put aside. */
export const wasPutAside = 'was damaged and put aside; remove it when you have looked'

/** The name of a damaged file that was put aside for a person to check. Its log keeps its suffix. */
export const asideName = (number: number) => `${countsName}.${number}.damaged`
export const isAside = (name: string) => /^counts\.sqlite\.\d+\.damaged(-wal)?$/.test(name)

/** Number of reads or visits of an item. */
export type Count = { kind: ItemKind; id: string; count: number }

/** Stored in the file's header; identifies the tables below. */
const version = 1

/** Marks bytes as a file with a write-ahead log (https://sqlite.org/fileformat.html). */
const markedAsLogged = (file: Uint8Array) => file.fill(2, 18, 20)

/** `quick_check` also checks the rows against these constraints. */
const tables = `
  CREATE TABLE counts (
    kind TEXT NOT NULL, id TEXT NOT NULL, count INTEGER NOT NULL CHECK (count > 0), PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE keys (name TEXT PRIMARY KEY, usedAt INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${version};`

/** The bytes of a new file, to be written as a whole, because an empty file counts as damaged. */
export const newCountsFile = (counts: readonly Count[] = []): Uint8Array => {
  const database = new Database(':memory:')
  try {
    database.exec(tables)
    const insert = database.query('INSERT INTO counts VALUES (?, ?, ?)')
    database.transaction(() => {
      for (const { kind, id, count } of counts) insert.run(kind, id, count)
    })()
    return markedAsLogged(database.serialize())
  } finally {
    database.close()
  }
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The low byte of SQLite's code for a damaged page; the check words it as it does one that the disk does not give. */
const corrupt = 11

/** @throws {AppError} `damaged`; an error with the code SQLITE_IOERR if the disk fails, which is no damage */
const quickCheck = (database: Database, path: string) => {
  const [problem] = database.query('PRAGMA quick_check(1)').values().flat().map(String)
  if (problem === 'ok') return
  const [, code = corrupt] = /error code=(\d+)/.exec(problem ?? '') ?? []
  if ((Number(code) & 0xff) !== corrupt)
    throw Object.assign(new Error(`${path}: ${problem}`), { code: 'SQLITE_IOERR' })
  throw damaged(path, problem ?? 'cannot be checked')
}

/** @throws {AppError} `damaged` */
const checkVersion = (database: Database, path: string) => {
  const [found] = database.query('PRAGMA user_version').values().flat()
  if (found !== version) throw damaged(path, sizeOf(path) === 0 ? 'is empty' : 'is no file of counts')
}

/** True if the file itself is damaged; false for errors of the disk or locks of other processes. */
export const isDamagedFile = (error: unknown) => {
  const { code = '', kind } = error as { code?: string; kind?: string }
  return kind === 'damaged' || /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

/** True if a server did not close the file. */
export const isUnclosed = (path: string) => sizeOf(path + logSuffix) > 0

/**
 * Prepares the file for its only user, the event loop of the server, which must never wait. As long as nobody else can open
 * it, SQLite keeps the index of the log in its own memory: in a mapped file, on a full disk, it would end the process (SIGBUS).
 * @param isSuspect true to check every page, which takes 14 ms for 100,000 counts
 * @throws {AppError} `damaged`; SQLite's own error
 */
export const beginWriting = (database: Database, path: string, isSuspect: boolean) => {
  // Before anything is read.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0; PRAGMA synchronous = NORMAL;')
  checkVersion(database, path)
  if (isSuspect) quickCheck(database, path)
}

/** Reads a copy, also of the file of a running server, and leaves the folder unchanged. */
const readCountsFile = async <T>(folder: string, read: (database: Database, path: string) => T) => {
  const path = join(folder, countsName)
  const database = await openCopy(path)
  if (!database) throw new Error(`${path}: is written too fast to be read; try again`)
  try {
    checkVersion(database, path)
    return read(database, path)
  } finally {
    database.close()
  }
}

/** A consistent copy of the file. @throws {Error} that says what is damaged */
export const exportCounts = (folder: string): Promise<Uint8Array> =>
  readCountsFile(folder, (database, path) => {
    quickCheck(database, path)
    return markedAsLogged(database.serialize())
  })

/** Bytes of the largest page of SQLite. */
const largestPage = 65_536

/**
 * True if the tables of a file are described in its first page alone, as ours are. SQLite keeps their description in memory,
 * and it may be as long as the file (https://sqlite.org/fileformat.html#b_tree_pages).
 */
const isBriefSchema = (path: string) => {
  const page = Buffer.alloc(largestPage)
  const file = openSync(path, 'r')
  readSync(file, page, 0, largestPage, 0)
  closeSync(file)
  const isLeaf = page.readUInt8(100) === 13
  const tables = page.readUInt16BE(103)
  // Of a length, only the last byte is below 128: two of them are at most 16,383.
  const isBrief = (cell: number) => (page[cell] ?? 255) < 128 || (page[cell + 1] ?? 255) < 128
  return (
    isLeaf && tables <= 8 && [...Array(tables).keys()].every((at) => isBrief(page.readUInt16BE(108 + 2 * at)))
  )
}

/** For a file from anywhere that nobody has open: takes no more memory the larger it is. @throws {Error} that says what is damaged */
export const checkCounts = (folder: string) => {
  const path = join(folder, countsName)
  if (sizeOf(path) > 0 && !isBriefSchema(path)) throw damaged(path, 'is no file of counts')
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  const database = new Database(`${pathToFileURL(path)}?immutable=1`, flags)
  try {
    checkVersion(database, path)
    quickCheck(database, path)
  } finally {
    database.close()
  }
}

/** The last use of each key, to the minute, in milliseconds since the epoch; empty if the file cannot be read. */
export const lastUses = async (folder: string): Promise<ReadonlyMap<string, number>> => {
  try {
    const rows = await readCountsFile(folder, (database) =>
      database.query('SELECT name, usedAt FROM keys').values(),
    )
    return new Map(rows as [string, number][])
  } catch {
    return new Map()
  }
}

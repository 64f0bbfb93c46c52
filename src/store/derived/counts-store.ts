import { constants, Database } from 'bun:sqlite'
import { closeSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { damaged } from '../../errors.ts'
import type { ItemKind } from '../../items/ids.ts'
import { existsNow, writeDurably } from '../disk.ts'
import { logSuffix, openCopy } from './derived-file.ts'

/** Added to the number of reads or visits of an item; `'forgotten'` deletes it. */
export type CountChange = { kind: ItemKind; id: string; by: number | 'forgotten' }
/** The number itself is what was added to none. */
export type Count = CountChange & { by: number }
export type CountsById = ReadonlyMap<string, number>

/** Counts of items and last uses of keys. Those of a folder answer at once, those of a database with a promise. */
export type CountsStore = {
  /** Creates what is missing. @throws the error of a system call */
  prepare: () => Promise<void>
  /** The counts above 0. @throws the error of the database */
  get: (kind: ItemKind, ids: readonly string[]) => CountsById | Promise<CountsById>
  /**
   * Writes all or nothing. After an error it is called with the same changes again, the same object, and adds them once.
   * @param uses minute of the last use of each key, by name. @throws the error of the database
   */
  write: (changes: readonly CountChange[], uses: ReadonlyMap<string, number>) => void | Promise<void>
  close: () => void
}

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino

/** Renames the file and its log. Only this process owns the folder, so a free name stays free. */
const putAside = (folder: string) => {
  const path = join(folder, countsName)
  let number = 1
  while (existsNow(join(folder, asideName(number)))) number++
  const aside = join(folder, asideName(number))
  if (existsNow(path + logSuffix)) renameSync(path + logSuffix, aside + logSuffix)
  renameSync(path, aside)
}

/** Opens the file at the first use, and again after a failure, so the server starts and answers without counts. */
const createConnection = (folder: string, onDamage: (error: Error) => void) => {
  const path = join(folder, countsName)
  let open: { database: Database; inode: number | undefined } | undefined

  const connect = () => {
    const isSuspect = isUnclosed(path)
    open = { database: new Database(path, { readwrite: true }), inode: inodeOf(path) }
    beginWriting(open.database, path, isSuspect)
  }
  const close = () => {
    open?.database.close()
    open = undefined
  }

  return {
    close,
    /** Closes a file that was removed or replaced: writes to it would be lost. */
    closeReplaced: () => {
      if (open && inodeOf(path) !== open.inode) close()
    },
    /** @returns `undefined` if there is no file, or it was just put aside */
    use: <T>(work: (database: Database) => T): T | undefined => {
      try {
        if (!open && existsNow(path)) connect()
        return open && work(open.database)
      } catch (error) {
        try {
          if (!isDamagedFile(error)) throw error
          putAside(folder)
          onDamage(error as Error)
          return undefined
        } finally {
          // Only after renaming: closing writes the log into the file, and removes the file with the log's name.
          close()
        }
      }
    },
  }
}

/** @param onDamage called after a damaged file was put aside under another name */
export const openCountsStore = (
  folder: string,
  temporaryFolder: string,
  onDamage: (error: Error) => void,
) => {
  const path = join(folder, countsName)
  const { use, close, closeReplaced } = createConnection(folder, onDamage)

  return {
    prepare: async () => {
      closeReplaced()
      if (use(() => true)) return
      // The log of an older file would be applied to the new one.
      rmSync(path + logSuffix, { force: true })
      await writeDurably(path, newCountsFile(), temporaryFolder)
    },

    get: (kind, ids) => {
      const sql = 'SELECT id, count FROM counts WHERE kind = ? AND id IN (SELECT value FROM json_each(?))'
      const rows = use((database) =>
        database.query<[string, number], [string, string]>(sql).values(kind, JSON.stringify(ids)),
      )
      return new Map(rows as [string, number][] | undefined)
    },

    write: (changes, uses) => {
      const isWritten = use((database) => {
        const add = database.query(
          'INSERT INTO counts VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count',
        )
        const forget = database.query('DELETE FROM counts WHERE kind = ? AND id = ?')
        const note = database.query('INSERT OR REPLACE INTO keys VALUES (?, ?)')
        database.transaction(() => {
          for (const { kind, id, by } of changes)
            by === 'forgotten' ? forget.run(kind, id) : add.run(kind, id, by)
          for (const [name, usedAt] of uses) note.run(name, usedAt)
        })()
        return true
      })
      if (!isWritten) throw new Error(`${path} is gone`)
    },

    close,
  } satisfies CountsStore
}

/** The SQLite file of counts in a data folder. */
export const countsName = 'counts.sqlite'

/** What `verify` reports for a damaged file that was put aside. */
export const wasPutAside = 'was damaged and put aside; remove it when you have looked'

/** The name of a damaged file that was put aside for a person to check. Its log keeps its suffix. */
export const asideName = (number: number) => `${countsName}.${number}.damaged`
export const isAside = (name: string) => /^counts\.sqlite\.\d+\.damaged(-wal)?$/.test(name)

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
export const newCountsFile = (
  counts: readonly Count[] = [],
  uses: ReadonlyMap<string, number> = new Map(),
): Uint8Array => {
  const database = new Database(':memory:')
  try {
    database.exec(tables)
    database.transaction(() => {
      for (const { kind, id, by } of counts)
        database.query('INSERT INTO counts VALUES (?, ?, ?)').run(kind, id, by)
      for (const use of uses) database.query('INSERT INTO keys VALUES (?, ?)').run(...use)
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

/** Reads a file that nobody has open. */
const readIdle = <T>(path: string, read: (database: Database) => T) => {
  const flags = constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI
  const database = new Database(`${pathToFileURL(path)}?immutable=1`, flags)
  try {
    return read(database)
  } finally {
    database.close()
  }
}

/** For a file from anywhere that nobody has open: takes no more memory the larger it is. @throws {Error} that says what is damaged */
export const checkCounts = (folder: string) => {
  const path = join(folder, countsName)
  if (sizeOf(path) > 0 && !isBriefSchema(path)) throw damaged(path, 'is no file of counts')
  readIdle(path, (database) => {
    checkVersion(database, path)
    quickCheck(database, path)
  })
}

/** All that a whole file holds which nobody has open. */
export const countsOfCopy = (path: string) =>
  readIdle(path, (database) => ({
    counts: database.query<Count, []>('SELECT kind, id, count AS by FROM counts').all(),
    uses: new Map(database.query('SELECT name, usedAt FROM keys').values() as [string, number][]),
  }))

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

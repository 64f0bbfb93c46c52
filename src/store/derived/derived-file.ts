import { constants, Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'

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
      database.exec('PRAGMA synchronous = OFF')
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

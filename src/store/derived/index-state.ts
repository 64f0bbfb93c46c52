import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { inMemory, version } from './index-schema.ts'

/** Changes if the file is copied or replaced. */
const identityOf = (file: string) => {
  if (file === inMemory) return file
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.ino}-${found.birthtimeMs}`
}

/** The version of the tables in a file; 0 without any. */
export const versionOf = (database: Database) =>
  database.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version

type State = { file: string; boot: string; isClean: number }

/**
 * True if no power cut can have changed the index since it was complete.
 * @param boot of the machine; empty if unknown
 */
export const isTrusted = (database: Database, file: string, boot: string) => {
  if (versionOf(database) !== version) return false
  const state = database.query<State, []>('SELECT file, boot, isClean FROM state').get()
  if (!state || state.file !== identityOf(file)) return false
  return state.isClean === 1 || (boot !== '' && state.boot === boot)
}

/** The state of the index, stored for its next start. */
export const createState = (database: Database, file: string, boot: string) => {
  const identity = identityOf(file)
  const isWhole = isTrusted(database, file, boot)
  let isClean = isWhole && database.query<State, []>('SELECT isClean FROM state').get()?.isClean === 1

  const write = (isCleanNow: boolean) => {
    database.transaction(() => {
      database.exec('DELETE FROM state')
      database.query('INSERT INTO state VALUES (?, ?, ?)').run(identity ?? '', boot, isCleanNow ? 1 : 0)
    })()
    isClean = isCleanNow
  }

  return {
    isWhole,
    isInPlace: () => identityOf(file) === identity,
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

import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { inMemory, version } from './index-schema.ts'

/** Changes if the file is copied or replaced. */
export const identityOf = (file: string) => {
  if (file === inMemory) return file
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.ino}-${found.birthtimeMs}`
}

/** The version of the tables in a file; 0 without any. */
export const versionOf = (database: Database) =>
  database.query<{ user_version: number }, []>('PRAGMA user_version').get()?.user_version

export type State = { file: string; boot: string; isClean: number }

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

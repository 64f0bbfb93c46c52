import { Database } from 'bun:sqlite'
import { chmodSync } from 'node:fs'

export type Lock = { release: () => void }

/**
 * Takes a lock that the kernel lets go when the process dies, however it dies: SQLite's exclusive lock on a
 * file of its own. A process id in a file would be no lock, for in a container every process is number 1.
 * @param waitMs how long to wait for another holder
 * @returns `undefined` when somebody else holds it
 */
export const takeLock = (file: string, waitMs: number): Lock | undefined => {
  const database = new Database(file, { create: true })
  try {
    chmodSync(file, 0o600)
    database.exec(
      `PRAGMA busy_timeout = ${waitMs}; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;`,
    )
    database.exec('BEGIN EXCLUSIVE')
    return { release: () => database.close() }
  } catch (error) {
    database.close()
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
}

import { Database } from 'bun:sqlite'
import { chmodSync, existsSync, statSync } from 'node:fs'

export type Lock = {
  /** False once somebody removed or replaced the file: what is locked then is no longer what others would find. */
  isInPlace: () => boolean
  release: () => void
}

const isBusy = (error: unknown) => (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino

/**
 * Takes a lock that the kernel lets go when the process dies, however it dies: SQLite's exclusive lock on a
 * file of its own. A process id in a file would be no lock, for in a container every process is number 1.
 * @returns `undefined` when somebody else holds it; keep what is returned, for a lock that nothing refers to is
 * collected and let go
 */
export const takeLock = (file: string): Lock | undefined => {
  const database = new Database(file, { create: true })
  try {
    chmodSync(file, 0o600)
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY;')
    database.exec('BEGIN EXCLUSIVE')
    // SQLite holds the file open, so that its number is not given to another.
    const inode = inodeOf(file)
    return { isInPlace: () => inodeOf(file) === inode, release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/** True while somebody holds the lock of a file; takes none, so that whoever wants it next gets it. */
export const isLocked = (file: string) => {
  if (!existsSync(file)) return false
  const database = new Database(file, { readonly: true })
  try {
    database.query('SELECT 1 FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    database.close()
  }
}

const pollMs = 10

/** Waits for another holder up to `waitMs`, without holding up the event loop: the holder may be this process. */
export const waitForLock = async (file: string, waitMs: number): Promise<Lock | undefined> => {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const lock = takeLock(file)
    if (lock || waitedMs >= waitMs) return lock
    await Bun.sleep(pollMs)
  }
}

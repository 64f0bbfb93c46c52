import { Database } from 'bun:sqlite'
import { chmodSync, existsSync, statSync } from 'node:fs'

export type Lock = {
  /** False if the file was removed or replaced, so other processes no longer see this lock. */
  isInPlace: () => boolean
  release: () => void
}

const isBusy = (error: unknown) => (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false

const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino

/**
 * Takes a lock that the kernel releases when the process dies for any reason: SQLite's exclusive lock on its own file. A file
 * with a process id does not work, because in containers every process has id 1.
 * @returns `undefined` if another process holds it. Keep the result: garbage collection would release the lock
 */
export const takeLock = (file: string): Lock | undefined => {
  const database = new Database(file, { create: true })
  try {
    chmodSync(file, 0o600)
    database.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY;')
    database.exec('BEGIN EXCLUSIVE')
    // SQLite keeps the file open, so its inode number is not reused.
    const inode = inodeOf(file)
    return { isInPlace: () => inodeOf(file) === inode, release: () => database.close() }
  } catch (error) {
    database.close()
    if (isBusy(error)) return undefined
    throw error
  }
}

/** True while a process holds the lock. Does not take it, so it never blocks another process. */
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

/** Waits up to `waitMs` for the lock, without blocking the event loop, because the holder may be this process. */
export const waitForLock = async (file: string, waitMs: number): Promise<Lock | undefined> => {
  for (let waitedMs = 0; ; waitedMs += pollMs) {
    const lock = takeLock(file)
    if (lock || waitedMs >= waitMs) return lock
    await Bun.sleep(pollMs)
  }
}

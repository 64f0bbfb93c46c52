import { mkdirSync, statSync } from 'node:fs'
import { readdir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { unusableFolder } from '../../errors.ts'
import { makeFolder } from '../disk.ts'
import { takeLock } from './lock.ts'

/** A folder next to the target, where an archive is unpacked. */
export type Beside = {
  path: string
  /** Removes the lock, so the folder can become the target. */
  unlock: () => Promise<void>
  remove: () => Promise<void>
}

const lockName = 'lock'

/** A folder without a lock is none of ours, unless the process was killed before it could make one. */
const removeIfAbandoned = async (path: string) => {
  const file = join(path, lockName)
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return rmdir(path)
  const lock = takeLock(file)
  if (!lock) return
  // Windows removes no file that is open.
  lock.release()
  await rm(path, { recursive: true, force: true })
}

/** Removes what killed processes left of the same target: nobody holds the lock. */
const removeAbandoned = async (target: string) => {
  const beginning = `${basename(target)}.restoring-`
  const entries = await readdir(dirname(target), { withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (
      entry.isDirectory() &&
      entry.name.startsWith(beginning) &&
      /^\d{1,10}$/.test(entry.name.slice(beginning.length))
    )
      // It may be another user's, and is then no business of this one.
      await removeIfAbandoned(join(dirname(target), entry.name)).catch(() => {})
}

const makeLocked = (path: string, target: string) => {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    // In containers, many processes have the same id.
    throw unusableFolder(`${path} is in the way: another restore into ${target} is running, or left it`)
  }
  return takeLock(join(path, lockName))
}

/** Makes the folder, and removes what killed processes left of theirs. The kernel's lock says which of them live. */
export const openBeside = async (target: string): Promise<Beside> => {
  await makeFolder(dirname(target))
  await removeAbandoned(target)
  const path = `${target}.restoring-${process.pid}`
  const lock = makeLocked(path, target)
  return {
    path,
    unlock: async () => {
      lock?.release()
      await rm(join(path, lockName), { force: true })
    },
    remove: async () => {
      lock?.release()
      await rm(path, { recursive: true, force: true })
    },
  }
}

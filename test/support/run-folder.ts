import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeLock } from '../../src/store/folder/lock.ts'

const prefix = 'shortcrust-run-'

/** The lock of a run that has ended. Another user's folder, and one that another run just removed, cannot be locked. */
const lockOfEnded = (folder: string) => {
  try {
    return takeLock(join(folder, 'lock'))
  } catch {
    return undefined
  }
}

/** Removes what earlier runs left whose remover was killed as well. */
const sweep = () => {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name)
    const lock = lockOfEnded(folder)
    if (!lock) continue
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      // A killed test left a disk mounted in it: no reason for this run to fail.
      console.warn(`left behind: ${(error as Error).message}`)
    }
    lock.release()
  }
}

/**
 * Makes the one folder that holds every temporary folder of a test run. A process of its own removes it when this one
 * ends, even by `kill -9`: no hook's time limit applies to it, and Ctrl-C does not reach it.
 */
export const openRunFolder = () => {
  sweep()
  const unlocked = mkdtempSync(join(tmpdir(), 'shortcrust-new-'))
  // Tests run programs as another user in it.
  chmodSync(unlocked, 0o711)
  const lock = takeLock(join(unlocked, 'lock'))
  // Its name is there for others to sweep only once the lock is held.
  const path = unlocked.replace('shortcrust-new-', prefix)
  renameSync(unlocked, path)
  const remover = Bun.spawn(['sh', '-c', 'cat >/dev/null; exec rm -rf -- "$0"', path], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  })
  remover.unref()
  /** Resolves once the folder is gone. */
  const remove = async () => {
    await remover.stdin.end()
    await remover.exited
    lock?.release()
  }
  return { path, remove }
}

import { closeSync, openSync, rmSync, statfsSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './process.ts'
import { requireProgram } from './programs.ts'

/** A small disk of its own over a folder, until it is taken away. */
export const mountOver = (folder: string, options: string) => {
  const { exitCode, stderr } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  if (exitCode !== 0) throw new Error(`mount failed: ${stderr}`)
  return () => Bun.spawnSync(['umount', folder])
}

/** Whether a disk can be mounted. Where not, the tests that need one are skipped with a line; with `CI=true` that is a failure. */
export const requireMount = () => {
  try {
    mountOver(temporaryFolder(), 'size=64k')()
    return true
  } catch (error) {
    const hint = `no small disk can be mounted, which takes root: ${(error as Error).message.trim()}`
    if (process.env.CI === 'true') throw new Error(hint)
    console.warn(`skipped: ${hint}`)
    return false
  }
}

/** Takes every free byte of the disk a folder is on; what it gives back frees them. */
export const fill = (folder: string) => {
  const file = join(folder, 'filler')
  const { stderr } = Bun.spawnSync(['dd', 'if=/dev/zero', `of=${file}`, 'bs=4096'])
  if (!String(stderr).includes('No space left')) throw new Error(`the disk is not full: ${stderr}`)
  return () => rmSync(file)
}

const runOrThrow = (command: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`${command[0]} failed: ${stderr}`)
}

/** An ext4 of 24 MB with blocks of 1 KiB over a folder, until it is taken away. */
export const mountExt4Over = (folder: string) => {
  const image = join(temporaryFolder(), 'image')
  closeSync(openSync(image, 'wx'))
  truncateSync(image, 24 * 1024 ** 2)
  runOrThrow(['mkfs.ext4', '-q', '-m', '0', '-b', '1024', image])
  runOrThrow(['mount', '-o', 'loop', image, folder])
  return () => {
    // A server that a failed test left there would keep it.
    Bun.spawnSync(['umount', '-l', folder])
    rmSync(image)
  }
}

/** Whether a file can be mounted as a disk, which takes root and a loop device. Where not, the tests that need it are skipped with a line. */
export const canMountExt4 = () => {
  if (!requireProgram('mkfs.ext4', 'e2fsprogs')) return false
  try {
    mountExt4Over(temporaryFolder())()
    return true
  } catch (error) {
    console.warn(`skipped: no file can be mounted, which takes root and a loop device: ${error}`)
    return false
  }
}

/** Takes all but so many blocks of the disk a folder is on; what it gives back frees them. */
export const leaveFree = (folder: string, blocks: number) => {
  const path = join(folder, 'filler')
  const file = openSync(path, 'w')
  try {
    while (statfsSync(folder).bavail > blocks) writeSync(file, Buffer.alloc(1024))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
  runOrThrow(['sync', '-f', folder])
  return () => rmSync(path)
}

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './process.ts'

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

import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What git prints. @throws when git refuses */
export const git = (folder: string, ...args: readonly string[]) => {
  const { stdout, stderr, exitCode } = Bun.spawnSync(['git', ...args], { cwd: folder })
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return String(stdout).trim()
}

/** The commit that a program built or run from this folder must name. */
export const commitOf = (folder: string) => {
  if (!existsSync(join(folder, '.git'))) return 'unknown'
  const changed = git(folder, 'status', '--porcelain', '--untracked-files=no')
  return git(folder, 'rev-parse', 'HEAD').slice(0, 7) + (changed ? '-dirty' : '')
}

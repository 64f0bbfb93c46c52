import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The commit of a folder's own repository, in seven digits, with `-dirty` if tracked files have changed. Sources without a
 * repository, as in a container build, may have it in a file named REVISION. `unknown` without a repository or without git.
 */
export const commitOf = (folder: string): string => {
  const revision = join(folder, 'REVISION')
  if (existsSync(revision)) return readFileSync(revision, 'utf8').trim().slice(0, 7) || 'unknown'
  if (!Bun.which('git')) return 'unknown'
  // Names the repository, so git does not use one in a folder above.
  const repository = [`--git-dir=${join(folder, '.git')}`, `--work-tree=${folder}`]
  // Asks for all 40 digits: the length of git's short form depends on the rest of the clone.
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
  const { stdout, exitCode } = Bun.spawnSync(['git', ...repository, ...describe], { cwd: folder })
  if (exitCode !== 0) return 'unknown'
  const [commit = '', ...dirty] = String(stdout).trim().split('-')
  return [commit.slice(0, 7), ...dirty].join('-')
}

/** Called as a macro, when the program is transpiled or compiled, so the executable contains the result. */
export const ownCommit = (): string => commitOf(join(import.meta.dir, '../../..'))

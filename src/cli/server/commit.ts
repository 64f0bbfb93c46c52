import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names the repository of a folder, so git does not use one in a folder above. */
const repositoryOf = (folder: string) => [`--git-dir=${join(folder, '.git')}`, `--work-tree=${folder}`]

/**
 * The commit of a folder's own repository, in seven digits, with `-dirty` if tracked files have changed. Sources without a
 * repository, as in a container build, may have it in a file named REVISION. `unknown` without a repository or without git.
 */
export const commitOf = (folder: string): string => {
  const revision = join(folder, 'REVISION')
  if (existsSync(revision)) return readFileSync(revision, 'utf8').trim().slice(0, 7) || 'unknown'
  if (!Bun.which('git')) return 'unknown'
  // Asks for all 40 digits: the length of git's short form depends on the rest of the clone.
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
  const { stdout, exitCode } = Bun.spawnSync(['git', ...repositoryOf(folder), ...describe], { cwd: folder })
  if (exitCode !== 0) return 'unknown'
  const [commit = '', ...dirty] = String(stdout).trim().split('-')
  return [commit.slice(0, 7), ...dirty].join('-')
}

/** Called as a macro, when the program is transpiled or compiled, so the executable contains the result. */
export const ownCommit = (): string => commitOf(join(import.meta.dir, '../../..'))

/** When the commit of a folder's own repository was made; 0 without a repository or without git. */
export const commitTimeOf = (folder: string): number => {
  if (!Bun.which('git')) return 0
  const show = ['show', '--no-patch', '--format=%ct', 'HEAD']
  const { stdout } = Bun.spawnSync(['git', ...repositoryOf(folder), ...show], { cwd: folder })
  return Number(String(stdout)) * 1000
}

/** Called as a macro, as `ownCommit` is: the same commit gives the same executable. */
export const ownCommitTime = (): number => commitTimeOf(join(import.meta.dir, '../../..'))

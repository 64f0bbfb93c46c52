import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The commit of a folder's own repository, as seven digits; `-dirty` follows where tracked files were changed since.
 * Where sources lie without their repository, as in the build of a container, a file named REVISION may tell it.
 * `unknown` where the folder is no repository or git is missing.
 */
export const commitOf = (folder: string): string => {
  const revision = join(folder, 'REVISION')
  if (existsSync(revision)) return readFileSync(revision, 'utf8').trim().slice(0, 7) || 'unknown'
  if (!Bun.which('git')) return 'unknown'
  // Named, so that a repository further up, which may be anybody's, is not asked.
  const repository = [`--git-dir=${join(folder, '.git')}`, `--work-tree=${folder}`]
  // All forty digits first: how many git would print by itself depends on what else a clone holds.
  const describe = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*']
  const { stdout, exitCode } = Bun.spawnSync(['git', ...repository, ...describe], { cwd: folder })
  if (exitCode !== 0) return 'unknown'
  const [commit = '', ...dirty] = String(stdout).trim().split('-')
  return [commit.slice(0, 7), ...dirty].join('-')
}

/** As a macro: it runs when the program is transpiled or compiled, so the executable holds the finished text. */
export const ownCommit = (): string => commitOf(join(import.meta.dir, '../../..'))

import { commitOf } from '../../src/cli/server/commit.ts'

/**
 * When the commit was made that a release is made of; the times in its archives.
 * @throws {Error} where there is no commit, or the work tree is not what was committed
 */
export const commitDate = (repository: string): Date => {
  const commit = commitOf(repository)
  if (commit === 'unknown') throw new Error('a release is made of a commit, and this is no git repository')
  if (commit.endsWith('-dirty'))
    throw new Error('a release is made of a commit: commit or stash the changes first (`git status`)')
  const { stdout } = Bun.spawnSync(['git', 'show', '-s', '--format=%ct', 'HEAD'], { cwd: repository })
  return new Date(Number(String(stdout)) * 1000)
}

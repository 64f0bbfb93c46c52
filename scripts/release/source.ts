import { commitOf } from '../../src/cli/server/commit.ts'

/**
 * The time of the commit of a release, which is also the time in its archives.
 * @throws {Error} where there is no commit, or the work tree is not what was committed
 */
export const commitDate = (repository: string): Date => {
  const commit = commitOf(repository)
  if (commit === 'unknown')
    throw new Error('a release is built from a commit, and this is not a git repository')
  if (commit.endsWith('-dirty'))
    throw new Error('a release is built from a commit: commit or stash the changes first (`git status`)')
  const { stdout } = Bun.spawnSync(['git', 'show', '-s', '--format=%ct', 'HEAD'], { cwd: repository })
  return new Date(Number(String(stdout)) * 1000)
}

import { endOf, type RunResult } from '../../test/support/process.ts'

/** Runs a program to its end, whatever comes of it. */
export const attempt = async (
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<RunResult> => {
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  return endOf(child)
}

/** What a program prints. @throws with its last words when it does not end with 0 */
export const outputOf = async (command: readonly string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await attempt(command, env)
  if (code !== 0)
    throw new Error(`${command.join(' ')} ended with ${code}:\n${(stderr || stdout).slice(-2000)}`)
  return stdout.trim()
}

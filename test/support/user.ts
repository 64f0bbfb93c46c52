import { expect } from 'bun:test'
import { join } from 'node:path'
import { type RunOptions, run, target, temporaryFolder, testKey } from './process.ts'
import { openTerminal } from './terminal.ts'

type UserRunOptions = RunOptions & { env?: Record<string, string> }

/** Somebody with a settings folder of their own, who runs the client's commands. */
export const newUser = () => {
  const settings = temporaryFolder()
  const own = { XDG_CONFIG_HOME: settings }
  const runAs = (args: readonly string[], { env = {}, ...options }: UserRunOptions = {}) =>
    run(args, { ...own, ...env }, [], options)
  return {
    settings,
    loginFile: join(settings, 'shortcrust', 'login.json'),
    run: runAs,
    logIn: (server: string, key = testKey) => runAs(['login', server], { stdin: key }),
    /** Runs a command on a pseudo-terminal. */
    atTerminal: (args: readonly string[], env: Record<string, string> = {}) =>
      openTerminal([...target, ...args], { env: { ...own, ...env } }),
  }
}

/** An answer of exit code 1 to 6: nothing on standard output, one line on standard error. */
export const failure = (code: number, says: RegExp) => {
  const line = new RegExp(`^shortcrust: [^\\n]*${says.source}[^\\n]*\\n$`)
  return { code, stdout: '', stderr: expect.stringMatching(line) as unknown as string }
}

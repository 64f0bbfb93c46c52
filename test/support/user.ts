import { expect } from 'bun:test'
import { join } from 'node:path'
import { cleanEnv, follow, type RunOptions, run, target, temporaryFolder, testKey } from './process.ts'

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
    /** Runs a command on a pseudo-terminal of 80 columns: what it shows, and a keyboard. */
    atTerminal: (args: readonly string[], env: Record<string, string> = {}) => {
      let feed: ReadableStreamDefaultController<Uint8Array>
      const screen = follow(
        new ReadableStream({
          start: (controller) => {
            feed = controller
          },
        }),
      )
      const terminal = new Bun.Terminal({
        data: (_, bytes) => feed.enqueue(bytes),
        exit: () => feed.close(),
      })
      const child = Bun.spawn([...target, ...args], { env: cleanEnv({ ...own, ...env }), terminal })
      return { screen, type: (text: string) => terminal.write(text), exited: child.exited }
    },
  }
}

/** An answer of exit code 1 to 6: nothing on standard output, one line on standard error. */
export const failure = (code: number, says: RegExp) => {
  const line = new RegExp(`^shortcrust: [^\\n]*${says.source}[^\\n]*\\n$`)
  return { code, stdout: '', stderr: expect.stringMatching(line) as unknown as string }
}

import { cleanEnv, follow } from './process.ts'

type TerminalOptions = { cwd?: string; env?: Record<string, string> }

/** Runs a program on a pseudo-terminal of 80 columns: what it shows, and a keyboard. */
export const openTerminal = (command: readonly string[], { cwd, env = {} }: TerminalOptions = {}) => {
  const shown = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
  const screen = follow(new ReadableStream({ start: shown.resolve }))
  const terminal = new Bun.Terminal({
    data: async (_, bytes) => (await shown.promise).enqueue(bytes),
    exit: async () => (await shown.promise).close(),
  })
  const child = Bun.spawn([...command], { env: cleanEnv(env), terminal, ...(cwd && { cwd }) })
  return {
    screen,
    type: (text: string) => terminal.write(text),
    exited: child.exited,
    end: async () => {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

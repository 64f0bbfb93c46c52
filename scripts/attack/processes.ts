import { join } from 'node:path'
import { keep } from '../../test/support/process.ts'

type Calls = Record<string, (...args: never[]) => unknown>
type Reply = { at: number; value?: unknown; failure?: string }
/** The same calls from another process. */
export type Remote<C extends Calls> = {
  [name in keyof C]: (...args: Parameters<C[name]>) => Promise<Awaited<ReturnType<C[name]>>>
}

/** Answers the calls of the process that started this one. */
export const serveCalls = (calls: Calls) => {
  process.on('message', async ({ at, name, args }: { at: number; name: string; args: never[] }) => {
    try {
      process.send?.({ at, value: await calls[name]?.(...args) } satisfies Reply)
    } catch (error) {
      process.send?.({ at, failure: String((error as Error).stack) } satisfies Reply)
    }
  })
  process.on('disconnect', () => process.exit(0))
}

/** Starts a script beside this one that calls `serveCalls`. @param prefix words before the command */
export const startRemote = <C extends Calls>(script: string, prefix: readonly string[] = []) => {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  const child = Bun.spawn([...prefix, process.execPath, join(import.meta.dir, script)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: ({ at, value, failure }: Reply) => {
      if (failure === undefined) waiting.get(at)?.resolve(value)
      else waiting.get(at)?.reject(new Error(failure))
      waiting.delete(at)
    },
    onExit: () => {
      for (const { reject } of waiting.values()) reject(new Error(`${script} ended by itself`))
    },
  })
  const call =
    (name: string) =>
    (...args: unknown[]) => {
      const answer = Promise.withResolvers<unknown>()
      waiting.set(++count, answer)
      child.send({ at: count, name, args })
      return answer.promise
    }
  const remote = new Proxy({}, { get: (_, name) => call(String(name)) }) as Remote<C>
  return { remote, stop: keep(child) }
}

import type { Asked, Reply } from './protocol.ts'

/** The worker, as the finder uses it. */
export type Link = {
  /** @throws {Error} with the `code` of SQLite or of the system; without one if the worker ended */
  call: <K extends keyof Asked>(what: K, ask: Asked[K]['ask']) => Promise<Asked[K]['answer']>
  hasEnded: () => boolean
  end: () => void
}

/** Compiled, every entry point is a script below the one folder of the program. */
const address = () => {
  const isCompiled = import.meta.url.includes('$bunfs') || import.meta.url.includes('~BUN')
  return new URL(isCompiled ? './store/words/worker.js' : './worker.ts', import.meta.url)
}

/** Starts the worker: 6 MB and 7 ms of another core. */
export const startWorker = (): Link => {
  const worker = new Worker(address().href)
  worker.unref()
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  let last = 0
  let ended: Error | undefined

  const endAll = (message: string) => {
    ended ??= new Error(message)
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  worker.onmessage = ({ data }: MessageEvent<string>) => {
    const reply = JSON.parse(data) as Reply
    const asked = waiting.get(reply.id)
    waiting.delete(reply.id)
    if ('failure' in reply) asked?.reject(Object.assign(new Error(reply.failure), { code: reply.code }))
    else asked?.resolve(reply.answer as never)
  }
  worker.onerror = ({ message }) => endAll(message)
  worker.addEventListener('close', () => endAll('the worker ended'))

  return {
    call: (what, ask) => {
      if (ended) return Promise.reject(ended)
      const asked = Promise.withResolvers<never>()
      waiting.set(++last, asked)
      // A string is copied at once; an object would be cloned field by field.
      worker.postMessage(JSON.stringify({ id: last, what, ask }))
      return asked.promise
    },
    hasEnded: () => ended !== undefined,
    end: () => worker.terminate(),
  }
}

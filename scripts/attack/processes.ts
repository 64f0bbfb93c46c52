import { join } from 'node:path'
import { keep } from '../measure/children.ts'
import type { Seen, Target } from './attack.ts'
import type { Order, Watched } from './monitor.ts'
import type { SenderNews, SenderOrder } from './sender.ts'

/** A script beside this one, spoken to over IPC. `take` gets what it says. */
const startScript = (
  prefix: readonly string[],
  script: string,
  args: readonly string[],
  take: (message: unknown) => void,
) => {
  const ended = Promise.withResolvers<never>()
  // Whoever waits for news is told; nobody else asks.
  ended.promise.catch(() => {})
  const child = Bun.spawn([...prefix, process.execPath, join(import.meta.dir, script), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: take,
    onExit: () => ended.reject(new Error(`${script} ended by itself`)),
  })
  return { child, stop: keep(child), ended: ended.promise }
}

/** Watches a server from a process of its own. */
export const startMonitor = async (url: string, pid: number) => {
  let news = Promise.withResolvers<unknown>()
  const script = startScript([], 'monitor.ts', [url, String(pid)], (message) => news.resolve(message))
  const next = () => Promise.race([news.promise, script.ended])
  await next()
  const order = async (what: Order) => {
    news = Promise.withResolvers()
    script.child.send(what)
    return (await next()) as Watched
  }
  return {
    begin: () => order('begin'),
    look: () => order('look'),
    end: () => order('end'),
    stop: script.stop,
  }
}

/**
 * Starts the process of the strangers. Lower priority than the server's: on a machine of two cores the strangers, who have
 * machines of their own, would else take the processor from the server.
 */
export const startSender = async () => {
  const ready = Promise.withResolvers<void>()
  let holding = Promise.withResolvers<void>()
  let seen = Promise.withResolvers<Seen>()
  const take = (message: unknown) => {
    const news = message as SenderNews
    if (news === 'ready') return ready.resolve()
    if (news === 'holding') return holding.resolve()
    if ('seen' in news) return seen.resolve(news.seen)
    seen.reject(new Error(news.failure))
  }
  const script = startScript(['nice', '-n', '10'], 'sender.ts', [], take)
  await Promise.race([ready.promise, script.ended])
  const tell = (order: SenderOrder) => script.child.send(order)
  return {
    /** Plays an attack. @param whileHeld runs while it holds; the attack is stopped afterwards */
    play: async (name: string, target: Target, whileHeld: () => Promise<void>): Promise<Seen> => {
      holding = Promise.withResolvers()
      seen = Promise.withResolvers()
      const meanwhile = holding.promise.then(whileHeld).finally(() => tell('stop'))
      tell({ name, target })
      return Promise.race([seen.promise, script.ended, meanwhile.then(() => seen.promise)])
    },
    stop: script.stop,
  }
}

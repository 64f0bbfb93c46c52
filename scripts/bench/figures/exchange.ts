import { anewEachRound, type Bench, type Figure } from '../bench.ts'
import { answerOnOneCore, onLoadCore } from '../cores.ts'
import type { Running } from '../processes.ts'
import { type Product, startProduct } from '../product.ts'
import { inTurns } from '../rounds.ts'
import { type Ask, createLoad, loadUntil, type Run } from '../wrk.ts'
import type { Measured } from '../wrk-output.ts'

type Server = Pick<Running, 'url' | 'pid'>

/** Something wrk asks for again and again. */
export type Exchange = {
  name: string
  what: string
  /** None where the figure only explains another one. */
  atLeast?: number
  limit: string
  /** Makes what is asked for, and says how to ask. */
  prepare: (product: Product, bench: Bench) => Promise<readonly Ask[]>
  /** Starts the limit and sees that it answers the same. */
  startLimit: (product: Product, asks: readonly Ask[]) => Promise<Running>
  /** Where what is asked for takes long to make. */
  isOpenedOnce?: true
  /** Length of a turn, where `turnMs` is too short. */
  turnMs?: number
  /** Called before each run; what it returns judges the run, and throws when it did not measure what it should. */
  watch?: (product: Product) => (measured: Measured) => void
}

/** Time for 100 requests of each connection: the last one is answered in the other's turn. */
export const turnMs = 50

/**
 * By requests and not by time: the runtime compiles what was called often. A paste that is created takes the server's
 * thread 205 µs in the first seconds and 160 after 20,000, which redirects reach in a third of a second.
 */
const warmUpRequests = 20_000

/** Load on one server, after unmeasured requests for what is compiled and cached on the way. */
export const prepareRuns = async (server: Server, asks: readonly Ask[], { seconds, isSmoke }: Bench) => {
  answerOnOneCore(server.pid)
  const load = createLoad(server.url, asks, { prefix: onLoadCore() })
  if (!isSmoke) await loadUntil(load, warmUpRequests)
  // Half of the time it is halted.
  return () => load.begin(2 * seconds)
}

const prepareProduct = async (exchange: Exchange, product: Product, bench: Bench, asks: readonly Ask[]) => {
  const begin = await prepareRuns(product, asks, bench)
  return async (): Promise<Run> => {
    const judge = exchange.watch?.(product)
    const run = await begin()
    return {
      ...run,
      measured: async () => {
        const measured = await run.measured()
        judge?.(measured)
        return measured
      },
    }
  }
}

const roundOf = (exchange: Exchange, product: () => Promise<Run>, limit: () => Promise<Run>) => ({
  round: inTurns({ product, limit }, exchange.turnMs ?? turnMs),
})

const opened = ({ isOpenedOnce }: Exchange, open: Figure['open']) =>
  isOpenedOnce ? open : anewEachRound(open)

/** The product against a limit. */
export const exchangeFigure = (exchange: Exchange): Figure => ({
  name: exchange.name,
  what: exchange.what,
  ...(exchange.atLeast !== undefined && { target: { atLeast: exchange.atLeast } }),
  unit: 'req/s',
  sides: ['shortcrust', exchange.limit],
  open: opened(exchange, async (bench) => {
    const product = await startProduct(bench)
    const asks = await exchange.prepare(product, bench)
    const limit = await exchange.startLimit(product, asks)
    bench.defer(limit.stop)
    const runLimit = await prepareRuns(limit, asks, bench)
    return roundOf(exchange, await prepareProduct(exchange, product, bench, asks), runLimit)
  }),
})

/** The product with a full folder against itself with an empty one. */
export const fullFolderFigure = (exchange: Exchange): Figure => ({
  name: `full/${exchange.name}`,
  what: `${exchange.what}: full folder against an empty one`,
  target: { atLeast: 0.95 },
  unit: 'req/s',
  sides: ['full folder', 'empty folder'],
  open: opened(exchange, async (bench) => {
    const prepareOn = async (product: Product) =>
      prepareProduct(exchange, product, bench, await exchange.prepare(product, bench))
    const stock = await bench.stock()
    // Deferred first, so that it is done when the server has ended.
    bench.defer(stock.reset)
    const full = await prepareOn(await startProduct(bench, stock))
    const empty = await prepareOn(await startProduct(bench))
    return roundOf(exchange, full, empty)
  }),
})

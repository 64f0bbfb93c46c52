import { join } from 'node:path'
import { follow } from '../../test/support/process.ts'
import { keep } from '../measure/children.ts'
import type { Answer, AnswerInput, BaselineName, CreateInput, ReadInput } from './baselines.ts'
import { anewEachRound, type Bench, type Figure } from './figure.ts'
import { type Product, startProduct } from './product.ts'
import { answerOnOneCore, inTurns, type Run } from './rounds.ts'
import { type Ask, createLoad, loadUntil } from './wrk.ts'

/** Asks one server once. Without `Accept-Encoding` in the request, as wrk asks, no coding is accepted. */
export const ask = async (url: string, { method = 'GET', path, headers, body }: Ask): Promise<Answer> => {
  const response = await fetch(url + path, {
    method,
    headers: { 'Accept-Encoding': 'identity', ...headers },
    redirect: 'manual',
    decompress: false,
    ...(body === undefined ? {} : { body }),
  })
  const all = [...response.headers].filter(([name]) => name !== 'date')
  return {
    status: response.status,
    headers: Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}

/** @throws when a baseline answers anything else than the product: the comparison would mean nothing */
export const assertSame = (name: string, product: Answer, baseline: Answer) => {
  const [wanted, given] = [product, baseline].map((answer) => JSON.stringify(answer))
  if (wanted !== given)
    throw new Error(`${name}: the baseline does not answer the same.\n${wanted}\n${given}`)
}

/** A process that answers HTTP. */
type Running = { url: string; pid: number; stop: () => Promise<unknown> }

/** Starts one of baselines.ts, and waits until it listens. */
export const startBaseline = async (
  name: BaselineName,
  input: AnswerInput | ReadInput | CreateInput,
): Promise<Running> => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'baselines.ts'), name], {
    stdin: new Blob([JSON.stringify(input)]),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const stop = keep(child)
  const [, url = ''] = await follow(child.stdout).waitFor(/listening on (\S+)\n/)
  return { url, pid: child.pid, stop }
}

/** Something wrk asks for again and again. */
export type Exchange = {
  name: string
  what: string
  atLeast: number
  baseline: string
  /** Makes what is asked for, and says how to ask. */
  prepare: (product: Product, bench: Bench) => Promise<readonly Ask[]>
  /** Starts the baseline and sees that it answers the same. */
  startBaseline: (product: Product, first: Ask, asks: readonly Ask[]) => Promise<Running>
  /** Where what is asked for takes long to make. */
  isOpenedOnce?: true
  turnMs: number
  /** Called before each run; what it returns judges the run, and throws when it did not measure what it should. */
  watch?: (product: Product) => (answered: number) => void
}

/**
 * By requests and not by time: the runtime compiles what was called often. A paste that is created takes the server's
 * thread 205 µs in the first seconds and 160 after 20,000, which redirects reach in a third of a second.
 */
const warmUpRequests = 20_000

/** Load on one server, after unmeasured requests for what is compiled and cached on the way. */
const prepareRuns = async (
  server: Pick<Running, 'url' | 'pid'>,
  asks: readonly Ask[],
  { seconds, isSmoke }: Bench,
) => {
  answerOnOneCore(server.pid)
  const begin = createLoad(server.url, asks)
  if (!isSmoke) await loadUntil(begin, warmUpRequests)
  // Half of the time it is halted.
  return () => begin(2 * seconds)
}

const prepareProduct = async (
  { prepare, watch }: Exchange,
  product: Product,
  bench: Bench,
  asks?: readonly Ask[],
) => {
  const begin = await prepareRuns(product, asks ?? (await prepare(product, bench)), bench)
  return async (): Promise<Run> => {
    const judge = watch?.(product)
    const run = await begin()
    const answered = async () => {
      const count = await run.answered()
      judge?.(count)
      return count
    }
    return { ...run, answered }
  }
}

const opened = ({ isOpenedOnce }: Exchange, open: Figure['open']) =>
  isOpenedOnce ? open : anewEachRound(open)

/** The product against a baseline. */
export const exchangeFigure = (exchange: Exchange): Figure => ({
  name: exchange.name,
  what: exchange.what,
  target: { atLeast: exchange.atLeast },
  unit: 'req/s',
  sides: ['shortcrust', exchange.baseline],
  open: opened(exchange, async (bench) => {
    const server = await startProduct(bench)
    const asks = await exchange.prepare(server, bench)
    const bare = await exchange.startBaseline(server, asks[0] as Ask, asks)
    bench.defer(bare.stop)
    const baseline = await prepareRuns(bare, asks, bench)
    const product = await prepareProduct(exchange, server, bench, asks)
    return { round: inTurns({ product, baseline }, exchange.turnMs) }
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
    const product = await prepareProduct(exchange, await startProduct(bench, await bench.stock()), bench)
    const baseline = await prepareProduct(exchange, await startProduct(bench), bench)
    return { round: inTurns({ product, baseline }, exchange.turnMs) }
  }),
})

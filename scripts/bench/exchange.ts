import { join } from 'node:path'
import { idOf } from '../../test/support/counts.ts'
import { readBytes } from '../../test/support/memory.ts'
import { follow, keep } from '../../test/support/process.ts'
import type { Answer, BaselineName } from './baselines.ts'
import { type Product, type Stock, type StockName, startProduct } from './product.ts'
import type { Described, Pair } from './results.ts'
import { answerOnOneCore, type Run, takeTurns } from './rounds.ts'
import { type Ask, type Asks, createLoad, loadUntil } from './wrk.ts'

/** What a figure may use while it is measured. */
export type Bench = {
  /** Length of one measurement. */
  seconds: number
  isSmoke: boolean
  /** What is to be ended after the round. */
  closers: AsyncDisposableStack
  /** A folder with many items, made when first asked for. */
  stock: (name: StockName) => Promise<Stock>
}

/**
 * `play` measures one round, and starts both sides for it: where a process happens to lie in memory makes it 6 % faster or
 * slower for all of its life, so rounds with the same processes agree with each other and not with the next run.
 */
export type Figure = Described & { play: (bench: Bench, isBaselineFirst: boolean) => Promise<Pair> }

/** Asks one server once. Without `Accept-Encoding` in the request, as wrk asks, no coding is accepted. */
export const ask = async (url: string, { method = 'GET', path, headers, body }: Ask): Promise<Answer> => {
  const init = { method, headers: { 'Accept-Encoding': 'identity', ...headers }, ...(body && { body }) }
  const response = await fetch(url + path, { ...init, redirect: 'manual', decompress: false })
  const all = [...response.headers].filter(([name]) => name !== 'date')
  return {
    status: response.status,
    headers: Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    body: Buffer.from(await response.arrayBuffer()).toString('base64'),
  }
}

/** @throws when a baseline answers anything else than the product: the comparison would mean nothing */
const assertSame = (name: string, product: Answer, baseline: Answer) => {
  const [wanted, given] = [JSON.stringify(product), JSON.stringify(baseline)]
  if (wanted !== given)
    throw new Error(`${name}: the baseline does not answer the same.\n${wanted}\n${given}`)
}

/** The answer, without the id of a new item. */
const withoutNewId = ({ status, headers, body }: Answer): Answer => {
  const id = idOf(headers.location)
  if (status !== 201 || !id) return { status, headers, body }
  const location = headers.location?.replace(id, '') ?? ''
  return { status, headers: { ...headers, location }, body: atob(body).replaceAll(id, '') }
}

/** Something wrk asks for again and again, against a baseline. */
export type Exchange = {
  name: string
  what: string
  atLeast: number
  baseline: BaselineName
  /** What the table calls the baseline. */
  against: string
  /** The answer. */
  status: number
  /** What the folder holds; nothing when left out. */
  stock?: StockName
  /** Makes what is asked for, and says how to ask. */
  prepare: (product: Product, stock?: Stock) => Promise<Asks>
  /** What the baseline needs to know beside the first answer. */
  inputOf: (product: Product, answer: Answer, asks: Asks) => object
  turnMs: number
  /** What a server reads from files for each answer, at least; else the run did not measure what it should. */
  leastReadBytes?: number
}

/** Starts a process of baselines.ts that answers the same as the product. */
const startBaseline = async (exchange: Exchange, product: Product, asks: Asks, { closers }: Bench) => {
  const { name, baseline, status, inputOf } = exchange
  const answer = await ask(product.url, asks[0])
  if (answer.status !== status) throw new Error(`${name} is answered ${answer.status}, not ${status}`)
  const input = JSON.stringify({ ...answer, ...inputOf(product, answer, asks) })
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'baselines.ts'), baseline], {
    stdio: [new Blob([input]), 'pipe', 'inherit'],
  })
  closers.defer(keep(child))
  const [, url = ''] = await follow(child.stdout).waitFor(/listening on (\S+)\n/)
  assertSame(name, withoutNewId(answer), withoutNewId(await ask(url, asks[0])))
  return { url, pid: child.pid }
}

/**
 * By requests and not by time: the runtime compiles what was called often. A paste that is created takes the server's
 * thread 205 µs in the first seconds and 160 after 20,000, which redirects reach in a third of a second.
 */
const warmUpRequests = 20_000

/** Load on one server, after unmeasured requests for what is compiled and cached on the way. */
const prepareRun = async (
  { leastReadBytes = 0 }: Exchange,
  { url, pid }: { url: string; pid: number },
  asks: Asks,
  bench: Bench,
) => {
  answerOnOneCore(pid)
  const begin = createLoad(url, asks)
  if (!bench.isSmoke) await loadUntil(begin, warmUpRequests)
  return async (): Promise<Run> => {
    const before = readBytes(pid)
    // Half of the time it is halted.
    const run = await begin(2 * bench.seconds)
    const answered = async () => {
      const count = await run.answered()
      const bytes = (readBytes(pid) - before) / count
      if (bytes >= leastReadBytes) return count
      throw new Error(`the answers came out of a cache: ${bytes.toFixed(0)} bytes were read for each`)
    }
    return { ...run, answered }
  }
}

/** The product against a baseline, or with the full folder against itself with an empty one. */
export const figureOf = (exchange: Exchange, isAgainstItself: boolean): Figure => ({
  name: isAgainstItself ? `full/${exchange.name}` : exchange.name,
  what: isAgainstItself ? `${exchange.what}: full folder against an empty one` : exchange.what,
  target: { atLeast: isAgainstItself ? 0.95 : exchange.atLeast },
  unit: 'req/s',
  sides: isAgainstItself ? ['full folder', 'empty folder'] : ['shortcrust', exchange.against],
  play: async (bench, isBaselineFirst) => {
    const prepareProduct = async (name = exchange.stock) => {
      const stock = name && (await bench.stock(name))
      const server = await startProduct(bench.closers, stock)
      return { server, asks: await exchange.prepare(server, stock) }
    }
    const { server, asks } = await prepareProduct(isAgainstItself ? 'full' : undefined)
    const other = isAgainstItself ? await prepareProduct() : { server: undefined, asks }
    const bare = other.server ?? (await startBaseline(exchange, server, asks, bench))
    const baseline = await prepareRun(exchange, bare, other.asks, bench)
    const sides = { product: await prepareRun(exchange, server, asks, bench), baseline }
    const order = ['product', 'baseline'] as const
    return takeTurns(sides, exchange.turnMs, isBaselineFirst ? order.toReversed() : order)
  },
})

import { createClient } from '../../test/support/client.ts'
import { type RunningServer, start } from '../../test/support/process.ts'
import type { Bench, Stock } from './bench.ts'

/** A running server of ours. */
export type Product = RunningServer & {
  client: ReturnType<typeof createClient>
  stock: Stock | undefined
}

/** No rate limit, or nothing could be created; no log, for the limits write none either. */
export const productArgs = ['--rate-limit', 'off', '--log', 'off']

/** Starts the executable, on a full folder or an empty one. */
export const startProduct = async (bench: Bench, stock?: Stock): Promise<Product> => {
  const server = await start({ args: productArgs, ...(stock && { data: stock.data }) })
  bench.defer(server.stop)
  return { ...server, client: createClient(server.url), stock }
}

/** The path of an address that a creation answered. */
export const pathOf = (address = '') => new URL(address).pathname

/** What a browser sends that takes gzip. */
export const browserHeaders = { Accept: 'text/html', 'Accept-Encoding': 'gzip' }

/** On a busy machine the first answers may be plain, because the child was not ready in time. */
const mostReads = 20

/** Reads a page until it is highlighted. */
export const readHighlighted = async ({ client }: Product, path: string) => {
  for (let at = 0; at < mostReads; at++) {
    const page = await (await client.get(path, browserHeaders)).text()
    if (page.includes('<span class=')) return
  }
  throw new Error(`${path} is never highlighted`)
}

import { createClient, type PasteBody } from '../../test/support/client.ts'
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

/** A busy machine may not start the child in time; such a page stays plain, but another paste gets another chance. */
const mostTries = 20

/** Creates a paste and reads its page, which is then in memory. @returns the path of one that was highlighted */
export const createPage = async ({ client }: Product, fields: PasteBody) => {
  for (let at = 0; at < mostTries; at++) {
    const path = pathOf((await client.paste(fields)).pasteUrl)
    const page = await (await client.get(path, browserHeaders)).text()
    if (page.includes('<span class=')) return path
  }
  throw new Error('the machine is too busy: no page is highlighted in time')
}

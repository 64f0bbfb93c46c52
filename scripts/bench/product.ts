import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste, type PasteBody } from '../../test/support/client.ts'
import { pathOf } from '../../test/support/counts.ts'
import { type RunningServer, start, temporaryFolder, testKey } from '../../test/support/process.ts'
import { fileOf, type Kind, listAll } from '../measure/lists.ts'
import { typescript } from '../measure/sample-code.ts'
import { type Ask, createLoad, loadUntil } from './wrk.ts'

/** A data folder with many items in it, the newest link first. */
export type Stock = { data: string; links: readonly string[] }

/** A running server of ours. */
export type Product = RunningServer & { client: ReturnType<typeof createClient> }

/** No rate limit, or nothing could be created; no log, for the baselines write none either. */
export const productArgs = ['--rate-limit', 'off', '--log', 'off']

/** Starts the executable, on a full folder or an empty one. */
export const startProduct = async (closers: AsyncDisposableStack, stock?: Stock): Promise<Product> => {
  const server = await start({ args: productArgs, ...(stock && { data: stock.data }) })
  closers.defer(async () => void (await server.stop()))
  return { ...server, client: createClient(server.url) }
}

/** What a browser sends that takes gzip. */
export const browserHeaders = { Accept: 'text/html', 'Accept-Encoding': 'gzip' }

/** Creates a paste and reads its page, which is then in memory. @returns the path of one that was highlighted */
export const createPage = async ({ client }: Product, fields: PasteBody) => {
  // Where a busy machine starts the child too late, a page stays plain and has no tag: try another paste.
  for (let at = 0; at < 20; at++) {
    const path = pathOf((await client.paste(fields)).pasteUrl)
    const page = await client.get(path, browserHeaders)
    await page.text()
    if (page.headers.has('etag')) return path
  }
  throw new Error('the machine is too busy: no page is highlighted in time')
}

const jsonHeaders = { key: testKey, 'Content-Type': 'application/json' }
const creations: Record<Kind, { path: string; body: object }> = {
  link: { path: '/shortener', body: { url: 'https://example.org/a/page/of/some/length?number=1' } },
  paste: { path: '/paste', body: { ...examplePaste, text: typescript(4096) } },
}

/** The request that creates a link or a paste of 4 KB. */
export const creationOf = (kind: Kind): Ask => {
  const { path, body } = creations[kind]
  return { method: 'POST', path, headers: jsonHeaders, body: JSON.stringify(body) }
}

/** Creates so many at least, over HTTP: the folder is then what the server makes of it, in whatever format. */
const fill = async ({ url }: Product, kind: Kind, count: number) => {
  if (count > 0) await loadUntil(createLoad(url, [creationOf(kind)]), count)
  const { ids } = await listAll(url, kind)
  if (ids.length < count) throw new Error(`${ids.length} of ${count} ${kind}s are listed`)
  return ids
}

const stocks = {
  full: { pastes: 100_000, links: 100_000 },
  /** Eight times what 4 MiB of memory hold: asked for in turn, a link is long out of it when it comes up again. */
  links: { pastes: 0, links: 60_000 },
}
export type StockName = keyof typeof stocks

/** Makes a folder with so many items. */
const makeStock = async (name: StockName, isSmoke: boolean): Promise<Stock> => {
  const data = join(temporaryFolder(), 'data')
  const most = isSmoke ? 12_000 : Infinity
  await using closers = new AsyncDisposableStack()
  const server = await startProduct(closers, { data, links: [] })
  await fill(server, 'paste', Math.min(stocks[name].pastes, most))
  return { data, links: await fill(server, 'link', Math.min(stocks[name].links, most)) }
}

/** @returns what makes each folder when it is first asked for */
export const createStocks = (isSmoke: boolean) => {
  const made: { [name in StockName]?: Promise<Stock> } = {}
  return (name: StockName) => {
    made[name] ??= makeStock(name, isSmoke)
    return made[name]
  }
}

/** What the file of an item holds. */
export const documentOf = (data: string, kind: Kind, id: string) =>
  JSON.parse(readFileSync(fileOf(data, kind, id), 'utf8')).document as Record<string, unknown>

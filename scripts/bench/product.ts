import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste, type PasteBody } from '../../test/support/client.ts'
import { type RunningServer, start, temporaryFolder, testKey } from '../../test/support/process.ts'
import { withClosers } from '../measure/children.ts'
import { listAll } from '../measure/lists.ts'
import { typescript } from '../measure/sample-code.ts'
import type { Bench, Stock } from './figure.ts'
import { type Ask, createLoad, loadUntil } from './wrk.ts'

/** A running server of ours. */
export type Product = RunningServer & { client: ReturnType<typeof createClient>; stock: Stock | undefined }

/** No rate limit, or nothing could be created; no log, for the baselines write none either. */
export const productArgs = ['--rate-limit', 'off', '--log', 'off']

/** Starts the executable, on a full folder or an empty one. */
export const startProduct = async ({ defer }: Pick<Bench, 'defer'>, stock?: Stock): Promise<Product> => {
  const server = await start({ args: productArgs, ...(stock && { data: stock.data }) })
  defer(server.stop)
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

const creations = {
  link: { path: '/shortener', body: { url: 'https://example.org/a/page/of/some/length?number=1' } },
  paste: { path: '/paste', body: { ...examplePaste, text: typescript(4096) } },
}
export type Kind = keyof typeof creations

/** The request that creates a link or a paste of 4 KB. */
export const creationOf = (kind: Kind): Ask => {
  const { path, body } = creations[kind]
  const headers = { key: testKey, 'Content-Type': 'application/json' }
  return { method: 'POST', path, headers, body: JSON.stringify(body) }
}

/** Creates so many at least, over HTTP: the folder is then what the server makes of it, in whatever format. */
export const fill = async (product: Pick<Product, 'url'>, kind: Kind, count: number) => {
  await loadUntil(createLoad(product.url, [creationOf(kind)]), count)
  const { ids } = await listAll(product.url, kind)
  if (ids.length < count) throw new Error(`${ids.length} of ${count} ${kind}s are listed`)
  return ids
}

/** Pastes and links, each, of the full folder. */
const stocked = { full: 100_000, smoke: 12_000 }

/** @returns what makes the full folder when first asked for it */
export const createStock = (isSmoke: boolean): Bench['stock'] => {
  const count = isSmoke ? stocked.smoke : stocked.full
  const make = () =>
    withClosers(async (defer) => {
      const data = join(temporaryFolder(), 'data')
      const server = await start({ args: productArgs, data })
      defer(server.stop)
      await fill(server, 'paste', count)
      return { data, links: await fill(server, 'link', count) }
    })
  let stock: ReturnType<typeof make> | undefined
  return () => {
    stock ??= make()
    return stock
  }
}

/** Path of the file of an item. */
export const fileOf = (data: string, kind: Kind, id: string) =>
  join(data, `${kind}s`, id.slice(0, 2), `${id}.json`)

/** What the file of an item holds. */
export const documentOf = (data: string, kind: Kind, id: string) =>
  JSON.parse(readFileSync(fileOf(data, kind, id), 'utf8')).document as Record<string, unknown>

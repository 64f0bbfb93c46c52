import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readBytes } from '../../test/support/memory.ts'
import { typescript } from '../measure/sample-code.ts'
import type { Answer } from './baselines.ts'
import { ask, assertSame, type Exchange, startBaseline } from './exchange.ts'
import {
  browserHeaders,
  createPage,
  creationOf,
  documentOf,
  fileOf,
  fill,
  type Kind,
  type Product,
  pathOf,
} from './product.ts'
import type { Ask } from './wrk.ts'

const idIn = (address = '') => address.split('/').at(-1) ?? ''

const expectStatus = async ({ url }: Product, wanted: number, asked: Ask): Promise<readonly [Ask]> => {
  const { status } = await ask(url, asked)
  if (status !== wanted) throw new Error(`${asked.path} answered ${status}, not ${wanted}`)
  return [asked]
}

/** A bare `Bun.serve` that answers what the product answers, from memory. */
const startBare: Exchange['startBaseline'] = async (product, first) => {
  const answer = await ask(product.url, first)
  const ifNoneMatch = first.headers?.['If-None-Match']
  const bare = await startBaseline('answer', { ...answer, path: first.path, ifNoneMatch })
  assertSame(first.path, answer, await ask(bare.url, first))
  return bare
}

const sample = { text: typescript(4096), title: 'sample.ts' }
const preparePage = async (product: Product) =>
  expectStatus(product, 200, { path: await createPage(product, sample), headers: browserHeaders })

/** Time for 100 requests of each connection: the last one is answered in the other's turn. */
const hot = { baseline: 'bare Bun.serve', atLeast: 0.9, startBaseline: startBare, turnMs: 50 }

/** What the server has in memory. */
const hotReads: readonly Exchange[] = [
  {
    ...hot,
    name: 'link-hot',
    what: 'follow a short link',
    prepare: async (product) => {
      const { shortendUrl } = await product.client.link('https://example.org/a/page/of/some/length?number=1')
      return expectStatus(product, 302, { path: pathOf(shortendUrl) })
    },
  },
  {
    ...hot,
    name: 'raw-4k',
    what: 'raw paste of 4 KB',
    prepare: async (product) =>
      expectStatus(product, 200, { path: pathOf((await product.client.paste(sample)).rawUrl) }),
  },
  { ...hot, name: 'page-4k-gzip', what: 'page of 4 KB of TypeScript, gzip', prepare: preparePage },
  {
    ...hot,
    name: 'page-not-modified',
    what: '304 for the same page, gzip',
    // The same request from a client that has the answer already.
    prepare: async (product) => {
      const [page] = await preparePage(product)
      const { etag } = (await ask(product.url, page)).headers
      if (etag === undefined) throw new Error(`${page.path} has no ETag`)
      return expectStatus(product, 304, { ...page, headers: { ...page.headers, 'If-None-Match': etag } })
    },
  },
]

/** Eight times what 4 MiB hold: asked for in turn, a link is long out of the cache when it comes up again. */
const coldLinks = { full: 60_000, smoke: 12_000 }
/** The documents are larger, as `prepare` makes sure. */
const leastFileBytes = 200

const coldLink: Exchange = {
  name: 'cold-link',
  what: 'follow links that are not in memory',
  atLeast: 0.5,
  baseline: 'open, read, parse, answer',
  isOpenedOnce: true,
  turnMs: 150,
  // Throws unless the server read a file for each answer.
  watch: (product) => {
    const before = readBytes(product.pid)
    return (answered) => {
      const bytes = (readBytes(product.pid) - before) / answered
      if (bytes < leastFileBytes)
        throw new Error(`the links came out of the cache: ${bytes.toFixed(0)} bytes were read for each`)
    }
  },
  prepare: async (product, { isSmoke }) => {
    const wanted = isSmoke ? coldLinks.smoke : coldLinks.full
    // The oldest first: the newest are in the cache of the server that made them.
    const all = product.stock?.links ?? (await fill(product, 'link', wanted))
    const ids = all.toReversed().slice(0, wanted)
    const { size } = statSync(fileOf(product.data, 'link', ids[0] as string))
    if (size < leastFileBytes) throw new Error(`a link of ${size} bytes is too small to tell a read by`)
    return ids.map((id) => ({ path: `/s/${id}` }))
  },
  startBaseline: async ({ url, data }, first, asks) => {
    const answer = await ask(url, first)
    const files = Object.fromEntries(asks.map(({ path }) => [path, fileOf(data, 'link', idIn(path))]))
    const bare = await startBaseline('read', { ...answer, files })
    assertSame(first.path, answer, await ask(bare.url, first))
    return bare
  },
}

const withoutId = ({ status, headers, body: base64 }: Answer) => {
  const { location = '' } = headers
  const id = idIn(location)
  const body = Buffer.from(base64, 'base64').toString()
  const masked = { status, headers: { ...headers, location: location.replace(id, '') } }
  return { id, body, masked: { ...masked, body: body.replaceAll(id, '') } }
}

const creation = (kind: Kind, what: string): Exchange => ({
  name: `create-${kind}`,
  what,
  atLeast: 0.8,
  baseline: 'the same system calls',
  turnMs: 500,
  prepare: async () => [creationOf(kind)],
  startBaseline: async ({ url, data }, first) => {
    const answer = await ask(url, first)
    if (answer.status !== 201) throw new Error(`${first.path} answered ${answer.status}`)
    const { id, body, masked } = withoutId(answer)
    const sent = Object.keys(JSON.parse(first.body ?? '{}'))
    const stored = Object.entries(documentOf(data, kind, id))
    const common = Object.fromEntries(stored.filter(([name]) => name !== 'id' && !sent.includes(name)))
    // Beside the product's folder, so that both are on the same disk.
    const folder = join(dirname(data), 'baseline')
    const bare = await startBaseline('create', { ...answer, kind, folder, common, body, id })
    assertSame(first.path, masked, withoutId(await ask(bare.url, first)).masked)
    return bare
  },
})

/** What wrk asks for, in the order of the table. */
export const exchanges: readonly Exchange[] = [
  ...hotReads,
  coldLink,
  creation('link', 'create a link, durably'),
  creation('paste', 'create a paste of 4 KB, durably'),
]

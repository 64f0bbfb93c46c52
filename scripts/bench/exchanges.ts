import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { idOf, pathOf } from '../../test/support/counts.ts'
import { fileOf, type Kind } from '../measure/lists.ts'
import { typescript } from '../measure/sample-code.ts'
import { ask, type Exchange } from './exchange.ts'
import { browserHeaders, createPage, creationOf, documentOf, type Product } from './product.ts'

const sample = { text: typescript(4096), title: 'sample.ts' }
const preparePage = async (product: Product) => {
  return { path: await createPage(product, sample), headers: browserHeaders }
}

/** The request of a page that a child makes. Where a busy machine starts that too late, the page has no tag yet. */
const untilTagged = async (url: string, path: string) => {
  for (let at = 0; at < 20; at++)
    if ((await ask(url, { path, headers: browserHeaders })).headers.etag !== undefined)
      return { path, headers: browserHeaders }
  throw new Error(`the machine is too busy: ${path} is not made in time`)
}

/** The preview of 4 KB of Markdown. */
const prepareView = async ({ client, url }: Product) => {
  const text = '## A heading\n\nSome *words* and `code`.\n\n- [ ] one\n- two\n\n'.repeat(64)
  const { pasteUrl } = await client.paste({ text, language: 'markdown' })
  return untilTagged(url, `${pathOf(pasteUrl)}?view=preview`)
}

/** A page that compares two pastes of 4 KB; every tenth line differs. */
const prepareComparison = async ({ client, url }: Product) => {
  const changed = sample.text.replace(/(.*\n){10}/g, (lines) => lines.replace('const', 'let'))
  const paths = [await client.paste(sample), await client.paste({ ...sample, text: changed })]
  const [first, second] = paths.map(({ pasteUrl = '' }) => idOf(pasteUrl))
  return untilTagged(url, `/diff/${first}/${second}`)
}

/** A page, as a client asks for it that has the newest already. @throws when it has no tag */
const prepareNotModified = async (product: Product, path: string) => {
  const { etag } = (await ask(product.url, { path, headers: browserHeaders })).headers
  if (etag === undefined) throw new Error(`${path} has no ETag`)
  return { path, headers: { ...browserHeaders, 'If-None-Match': etag } }
}

/** A paste that was changed, as *Follow* asks for its page. */
export const prepareFollowing = async (product: Product) => {
  const path = await createPage(product, { ...sample, text: 'former' })
  await product.client.change(path, { text: sample.text })
  return prepareNotModified(product, path)
}

/** What the server has in memory, against a bare `Bun.serve` that answers the same from memory. */
const hot = (
  name: string,
  what: string,
  status: number,
  prepare: (product: Product) => Promise<{ path: string; headers?: Record<string, string> }>,
): Exchange => ({
  name,
  what,
  atLeast: 0.9,
  baseline: 'answer',
  against: 'bare Bun.serve',
  status,
  // Time for 100 requests of each connection: the last one is answered in the other's turn.
  turnMs: 50,
  prepare: async (product) => [await prepare(product)],
  inputOf: (_, __, [{ path, headers }]) => ({ path, ifNoneMatch: headers?.['If-None-Match'] }),
})

const hotReads = [
  hot('link-hot', 'follow a short link', 302, async ({ client }) => ({
    path: pathOf((await client.link('https://example.org/a/page/of/some/length?number=1')).shortendUrl),
  })),
  hot('raw-4k', 'raw paste of 4 KB', 200, async ({ client }) => ({
    path: pathOf((await client.paste(sample)).rawUrl),
  })),
  hot('page-4k-gzip', 'page of 4 KB of TypeScript, gzip', 200, preparePage),
  // The same request from a client that has the answer already.
  hot('page-not-modified', '304 for the same page, gzip', 304, async (product) =>
    prepareNotModified(product, await createPage(product, sample)),
  ),
  hot('page-view', 'preview of 4 KB of Markdown, gzip', 200, prepareView),
  hot('page-diff', 'page that compares two pastes of 4 KB, gzip', 200, prepareComparison),
  hot('page-followed', '304 for the page of a changed paste, gzip', 304, prepareFollowing),
]

/** How many are asked for in turn; their documents are larger, as `prepare` makes sure. */
const [coldLinks, leastFileBytes] = [60_000, 200]

const coldLink: Exchange = {
  name: 'cold-link',
  what: 'follow links that are not in memory',
  atLeast: 0.5,
  baseline: 'read',
  against: 'open, read, parse, answer',
  status: 302,
  stock: 'links',
  turnMs: 150,
  leastReadBytes: leastFileBytes,
  prepare: async ({ data }, stock) => {
    // The oldest first: the newest are in the cache of the server that made them.
    const [first = '', ...others] = stock?.links.slice(-coldLinks).toReversed() ?? []
    const { size } = statSync(fileOf(data, 'link', first))
    if (size < leastFileBytes) throw new Error(`a link of ${size} bytes is too small to tell a read by`)
    return [{ path: `/s/${first}` }, ...others.map((id) => ({ path: `/s/${id}` }))]
  },
  inputOf: ({ data }, _, asks) => ({
    files: Object.fromEntries(asks.map(({ path }) => [path, fileOf(data, 'link', idOf(path))])),
  }),
}

const creation = (kind: Kind, what: string): Exchange => ({
  name: `create-${kind}`,
  what,
  atLeast: 0.8,
  baseline: 'create',
  against: 'the same system calls',
  status: 201,
  turnMs: 500,
  prepare: async () => [creationOf(kind)],
  inputOf: ({ data }, { headers }, [{ body = '{}' }]) => {
    const id = idOf(headers.location)
    const replaced = new Set(['id', ...Object.keys(JSON.parse(body))])
    const stored = Object.entries(documentOf(data, kind, id))
    const common = Object.fromEntries(stored.filter(([name]) => !replaced.has(name)))
    // Beside the product's folder, so that both are on the same disk.
    return { kind, folder: join(dirname(data), 'baseline'), common, id }
  },
})

/** What wrk asks for, in the order of the table. */
export const exchanges: readonly Exchange[] = [
  ...hotReads,
  coldLink,
  creation('link', 'create a link, durably'),
  creation('paste', 'create a paste of 4 KB, durably'),
]

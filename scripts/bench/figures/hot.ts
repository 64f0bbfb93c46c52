import { type Answer, ask, assertSame } from '../answers.ts'
import type { AnswerInput } from '../limits/answer.ts'
import { ownHeaders } from '../limits/nginx.ts'
import { startLimit, startNginx } from '../processes.ts'
import { browserHeaders, createPage, type Product, pathOf } from '../product.ts'
import { typescript } from '../sample-code.ts'
import type { Ask } from '../wrk.ts'
import type { Exchange } from './exchange.ts'

const answerOf = async ({ url }: Product, [first]: readonly Ask[]) => {
  if (!first) throw new Error('there is nothing to ask')
  return { first, answer: await ask(url, first) }
}

/** A bare `Bun.serve` that answers what the product answers, from memory. */
export const startBareWith =
  (how: Omit<AnswerInput, 'answers'>): Exchange['startLimit'] =>
  async (product, asks) => {
    const { first, answer } = await answerOf(product, asks)
    const ifNoneMatch = first.headers?.['If-None-Match']
    const answers = { [first.path]: { ...answer, ...(ifNoneMatch !== undefined && { ifNoneMatch }) } }
    const limit = await startLimit('answer', { ...how, answers } satisfies AnswerInput)
    assertSame(first.path, answer, await ask(limit.url, first))
    return limit
  }

/** nginx puts its own note below a redirect. */
const startBareNginx: Exchange['startLimit'] = async (product, asks) => {
  const { first, answer } = await answerOf(product, asks)
  const limit = await startNginx(answer)
  const comparable = ({ status, headers }: Answer) => ({
    status,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))),
    body: '',
  })
  assertSame(first.path, comparable(answer), comparable(await ask(limit.url, first)))
  return limit
}

const expectStatus = async (product: Product, wanted: number, asked: Ask): Promise<readonly Ask[]> => {
  const { status } = await ask(product.url, asked)
  if (status !== wanted) throw new Error(`${asked.path} answered ${status}, not ${wanted}`)
  return [asked]
}

const prepareLink: Exchange['prepare'] = async (product) => {
  const { shortendUrl } = await product.client.link('https://example.org/a/page/of/some/length?number=1')
  return expectStatus(product, 302, { path: pathOf(shortendUrl) })
}

const sample = { text: typescript(4096), title: 'sample.ts' }

const prepareRaw: Exchange['prepare'] = async (product) =>
  expectStatus(product, 200, { path: pathOf((await product.client.paste(sample)).rawUrl) })

export const preparePage: Exchange['prepare'] = async (product) =>
  expectStatus(product, 200, { path: await createPage(product, sample), headers: browserHeaders })

/** The same request from a client that has the answer already. */
const unchanged =
  (prepare: Exchange['prepare']): Exchange['prepare'] =>
  async (product, bench) => {
    const { first, answer } = await answerOf(product, await prepare(product, bench))
    const { etag } = answer.headers
    if (etag === undefined) throw new Error(`${first.path} has no ETag`)
    return expectStatus(product, 304, { ...first, headers: { ...first.headers, 'If-None-Match': etag } })
  }

const bare = { limit: 'bare Bun.serve', atLeast: 0.9, startLimit: startBareWith({}) }

export const linkHot: Exchange = {
  ...bare,
  name: 'link-hot',
  what: 'follow a short link',
  prepare: prepareLink,
}

export const linkHotNginx: Exchange = {
  ...linkHot,
  name: 'link-hot-nginx',
  what: 'follow a short link, against nginx',
  limit: 'nginx return 302',
  atLeast: 0.6,
  startLimit: startBareNginx,
}

/** Reads of what the server has in memory. */
export const hotReads: readonly Exchange[] = [
  { ...bare, name: 'raw-4k', what: 'raw paste of 4 KB', prepare: prepareRaw },
  { ...bare, name: 'page-4k-gzip', what: 'page of 4 KB of TypeScript, gzip', prepare: preparePage },
  {
    ...bare,
    name: 'page-not-modified',
    what: '304 for the same page, gzip',
    prepare: unchanged(preparePage),
  },
  { ...bare, name: 'raw-not-modified', what: '304 for the same raw paste', prepare: unchanged(prepareRaw) },
]

const finished = { limit: 'bare Bun.serve, finished Headers', startLimit: startBareWith({ isReady: true }) }

/** Against the fastest form of a bare server, which no documentation shows. */
export const readyReads: readonly Exchange[] = [linkHot, ...hotReads].map(
  ({ name, what, prepare }): Exchange => ({
    ...finished,
    name: `ready/${name}`,
    what: `${what}, against the fastest bare server`,
    prepare,
  }),
)

import { childrenOf, megabyte, proportionalBytes, rest } from '../../test/support/memory.ts'
import { start } from '../../test/support/process.ts'
import { withClosers } from '../measure/children.ts'
import { listAll } from '../measure/lists.ts'
import { typescript } from '../measure/sample-code.ts'
import { exchangeFigure, fullFolderFigure } from './exchange.ts'
import { exchanges } from './exchanges.ts'
import type { Bench, Figure } from './figure.ts'
import { createPage, type Product, pathOf, productArgs, startProduct } from './product.ts'
import { median } from './results.ts'

/** Milliseconds from the start of the process to its first answer: of some starts the median, for some take longer. */
const startTime = async (data: string, times: number) => {
  const values: number[] = []
  while (values.length < times) {
    const began = performance.now()
    const server = await start({ args: productArgs, data })
    const { status } = await fetch(`${server.url}/healthz`)
    values.push(performance.now() - began)
    await server.stop()
    if (status !== 200) throw new Error(`/healthz answered ${status}`)
  }
  return median(values)
}

type Measure = (bench: Bench) => Promise<() => Promise<number>>

/** Against a number, in its unit. @param open prepares what is measured in each round */
const allowed = (name: string, what: string, [most, unit]: [number, string], open: Measure): Figure => ({
  name,
  what: `${what}, of ${most} ${unit} allowed`,
  target: { atMost: 1 },
  unit,
  sides: ['shortcrust', 'allowed'],
  open: async (bench) => {
    const measure = await open(bench)
    return { round: async () => ({ product: await measure(), baseline: most }) }
  },
})

/** Follows a link and reads a raw text and the start page. @throws when the highlighting child runs for that */
const useWithoutPage = async ({ client, pid }: Product) => {
  const { shortendUrl } = await client.link()
  const { rawUrl } = await client.paste()
  for (const path of [pathOf(shortendUrl), pathOf(rawUrl), '/']) await (await client.get(path)).text()
  if (childrenOf(pid).length) throw new Error('the highlighting child runs before it is needed')
}

const useOnce = async (product: Product) => {
  await useWithoutPage(product)
  await createPage(product, { text: typescript(4096) })
  if (childrenOf(product.pid).length !== 1)
    throw new Error('a page was asked for, and no highlighting child runs')
}

/** What a fresh server holds that rests after its use. What several processes share lies in memory once. */
const resting =
  (use: (product: Product) => Promise<void>): Measure =>
  async (bench) =>
  () =>
    withClosers(async (defer) => {
      const product = await startProduct({ defer })
      await use(product)
      await rest(bench)
      const processes = [product.pid, ...childrenOf(product.pid)]
      return processes.reduce((sum, pid) => sum + proportionalBytes(pid), 0) / megabyte
    })

const others: readonly Figure[] = [
  allowed('memory-idle', 'memory idle, server and highlighter together (PSS)', [110, 'MB'], resting(useOnce)),
  allowed('memory-plain', 'memory idle without the highlighter (PSS)', [40, 'MB'], resting(useWithoutPage)),
  allowed(
    'full/start',
    'start to first answer with a full folder',
    [80, 'ms'],
    async ({ stock, isSmoke }) => {
      const { data } = await stock()
      return () => startTime(data, isSmoke ? 1 : 3)
    },
  ),
  allowed('full/list-page', 'a page of 200 of the 100,000 links of a key', [1, 'ms'], async (bench) => {
    const product = await startProduct(bench, await bench.stock())
    // The first page waits for the index.
    return async () => median((await listAll(product.url, 'link')).times.slice(1))
  }),
]

/** Every figure, in the order of the table. Creations come last: they make the full folder fuller. */
export const figures: readonly Figure[] = [
  ...exchanges.map(exchangeFigure),
  ...others,
  ...exchanges.map(fullFolderFigure),
]

import { join } from 'node:path'
import {
  childrenOf,
  megabyte,
  ownMilliseconds,
  privateBytes,
  proportionalBytes,
  rest,
  treeBytes,
} from '../../test/support/memory.ts'
import { start, temporaryFolder } from '../../test/support/process.ts'
import { compile } from '../build.ts'
import { listAll } from '../measure/lists.ts'
import { typescript } from '../measure/sample-code.ts'
import { type Bench, type Figure, figureOf } from './exchange.ts'
import { exchanges, prepareFollowing } from './exchanges.ts'
import { createPage, type Product, productArgs, startProduct } from './product.ts'
import { median } from './results.ts'

/** Milliseconds from the start of the process to its first answer: of some starts the median, for some take longer. */
const startTime = async ({ stock, isSmoke }: Bench) => {
  const { data } = await stock('full')
  const values: number[] = []
  while (values.length < (isSmoke ? 1 : 3)) {
    const began = performance.now()
    const server = await start({ args: productArgs, data })
    const { ok } = await fetch(`${server.url}/healthz`)
    values.push(performance.now() - began)
    if ((await server.stop()) !== 0 || !ok) throw new Error('/healthz is not answered with 200')
  }
  return median(values)
}

type Measure = (bench: Bench) => Promise<number>

/** Against a number, in its unit. */
const allowed = (name: string, what: string, [most, unit]: [number, string], measure: Measure): Figure => ({
  ...{ name, what, target: { atMost: 1 }, unit },
  sides: ['shortcrust', 'allowed'],
  play: async (bench) => ({ product: await measure(bench), baseline: most }),
})

/** Follows a link and reads a raw text and the start page. @throws when the highlighting child runs for that */
const useWithoutPage = async ({ client, pid }: Product) => {
  const { shortendUrl = '' } = await client.link()
  const { rawUrl = '' } = await client.paste({ language: 'text' })
  for (const address of [shortendUrl, rawUrl, '/'])
    await (await client.get(address, { Accept: 'text/html' })).text()
  if (childrenOf(pid).length) throw new Error('the highlighting child runs before it is needed')
}

const useOnce = async (product: Product) => {
  await useWithoutPage(product)
  await createPage(product, { text: typescript(4096) })
  if (childrenOf(product.pid).length !== 1) throw new Error('no highlighting child runs for a page')
}

/** Compiled as the program is: what each of its kind takes on this runtime. */
const bareServer = async () => {
  const [source, program] = ['bare.ts', 'bare'].map((name) => join(temporaryFolder(), name)) as [
    string,
    string,
  ]
  const serve = "Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('') })"
  await Bun.write(source, `console.log(\`listening on http://127.0.0.1:\${${serve}.port}\`)`)
  await compile(program, undefined, [], [source])
  // Until it is on the disk, what is mapped of a new file counts as private.
  Bun.spawnSync(['sync', program])
  return program
}
let bare: Promise<string> | undefined

/**
 * What a fresh server and its child hold that rest after their use, beside a server that does nothing.
 * @param more what it may take beside that, in MB
 */
const resting = (
  name: string,
  what: string,
  [use, bytesOf, more]: [typeof useOnce, typeof privateBytes, number],
): Figure => ({
  ...{ name, what, target: { atMost: 1 }, unit: 'MB' },
  sides: ['shortcrust', `bare Bun.serve and ${more} MB`],
  play: async (bench) => {
    bare ??= bareServer()
    const floor = await start({ program: [await bare] })
    bench.closers.defer(async () => void (await floor.kill()))
    const product = await startProduct(bench.closers)
    await use(product)
    await rest(bench)
    const baseline = treeBytes(floor.pid, bytesOf) / megabyte + more
    return { product: treeBytes(product.pid, bytesOf) / megabyte, baseline }
  },
})

/** A page of the list once the server has listed it. The first time it reads 200 documents, which takes several times as long. */
const listPage: Measure = async ({ closers, stock }) => {
  const { url } = await startProduct(closers, await stock('full'))
  await listAll(url, 'link')
  return median((await listAll(url, 'link')).times)
}

const [followers, followEveryMs] = [300, 1500]

/** Processor time of a server whose readers follow one paste, in percent of a core; each asks as often as its page does. */
const following: Measure = async ({ closers, seconds }) => {
  const product = await startProduct(closers)
  const { path, headers } = await prepareFollowing(product)
  const [began, before] = [performance.now(), ownMilliseconds(product.pid)]
  const end = began + seconds * 1000
  const read = async (at: number) => {
    await Bun.sleep((at * followEveryMs) / followers)
    for (; performance.now() < end; await Bun.sleep(followEveryMs)) {
      const { status } = await fetch(product.url + path, { headers: { ...headers, Purpose: 'follow' } })
      if (status !== 304) throw new Error(`a follower was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: followers }, (_, at) => read(at)))
  return (100 * (ownMilliseconds(product.pid) - before)) / (performance.now() - began)
}

const others: readonly Figure[] = [
  allowed('followers', '300 readers follow a paste', [5, '% of a core'], following),
  resting('memory-idle', 'memory idle, with the highlighter (PSS)', [useOnce, proportionalBytes, 80]),
  resting('memory-plain', 'memory idle, without the highlighter (PSS)', [
    useWithoutPage,
    proportionalBytes,
    25,
  ]),
  resting('private-idle', 'of it private, with the highlighter', [useOnce, privateBytes, 53]),
  resting('private-plain', 'of it private, without the highlighter', [useWithoutPage, privateBytes, 13]),
  allowed('full/start', 'start to first answer with a full folder', [80, 'ms'], startTime),
  allowed('full/list-page', 'a page of 200 of 100,000 links, listed before', [1, 'ms'], listPage),
]

/** Every figure, in the order of the table. Creations come last: they make the full folder fuller. */
export const figures: readonly Figure[] = [
  ...exchanges.map((exchange) => figureOf(exchange, false)),
  ...others,
  ...exchanges.map((exchange) => figureOf(exchange, true)),
]

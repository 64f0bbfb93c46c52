import type { Figure } from '../bench.ts'
import { childMilliseconds } from '../memory.ts'
import { browserHeaders, type Product, pathOf, startProduct } from '../product.ts'
import { alternately, halfOf } from '../rounds.ts'
import { typescript } from '../sample-code.ts'
import { createLoad } from '../wrk.ts'

/** The cache holds four such pages, or twelve that were stopped and are plain: asked for in turn, each is highlighted anew. */
const count = 24
const bytes = 1_000_000
/** A page takes the highlighter up to two seconds. */
const leastSeconds = 10
/** Two at once, so that the child always has the next one to do. */
const readersAtOnce = 2
/** Tokenising 1 MB takes many times that, and a page out of the cache nothing; a busy machine stops some halfway. */
const leastMillisecondsPerPage = 20

const createPages = async ({ client }: Product) => {
  const pages: string[] = []
  for (let at = 0; at < count; at++) {
    const { pasteUrl } = await client.paste({ text: `// Paste ${at}\n${typescript(bytes)}` })
    pages.push(pathOf(pasteUrl))
  }
  return pages
}

/** Reads pages without pause, as a browser does, until told to stop. */
const createReaders = ({ url, pid }: Product, pages: readonly string[]) => {
  let read = 0
  let isOver = false
  let next = 0
  const readOne = async () => {
    const path = pages[next++ % count] as string
    const response = await fetch(url + path, { headers: browserHeaders, decompress: false })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
    read++
  }
  const readAll = async () => {
    while (!isOver) await readOne()
  }
  return async (work: () => Promise<number>) => {
    isOver = false
    await readOne()
    const [readBefore, timeBefore] = [read, childMilliseconds(pid)]
    const readers = Array.from({ length: readersAtOnce }, readAll)
    const value = await Promise.race([work(), Promise.all(readers).then(() => Number.NaN)])
    const [pagesRead, milliseconds] = [read - readBefore, childMilliseconds(pid) - timeBefore]
    isOver = true
    await Promise.all(readers)
    return { value, pagesRead, milliseconds }
  }
}

export const underHighlightFigure: Figure = {
  name: 'link-under-highlight',
  what: 'p99 of following a link while 1 MB pastes are highlighted, against the quiet p99',
  target: { atMost: 3 },
  unit: 'ms',
  sides: ['highlighting', 'quiet'],
  open: async (bench) => {
    const product = await startProduct(bench)
    const { shortendUrl } = await product.client.link()
    const load = createLoad(product.url, [{ path: pathOf(shortendUrl) }])
    const whileReading = createReaders(product, await createPages(product))
    const seconds = bench.isSmoke ? bench.seconds : Math.max(bench.seconds, leastSeconds)
    const p99 = async () => (await load.run(halfOf(seconds))).p99Milliseconds
    const totals = { pages: 0, milliseconds: 0 }
    const loaded = async () => {
      const { value, pagesRead, milliseconds } = await whileReading(p99)
      totals.pages += pagesRead
      totals.milliseconds += milliseconds
      return value
    }
    return {
      round: alternately(loaded, p99),
      finish: async () => {
        const { pages, milliseconds } = totals
        if (milliseconds < leastMillisecondsPerPage * Math.max(1, pages))
          throw new Error(
            `${pages} pages took the highlighter ${milliseconds} ms: they came out of the cache`,
          )
        return [`${pages} pages of 1 MB were read meanwhile, for ${milliseconds} ms of the child's time`]
      },
    }
  },
}

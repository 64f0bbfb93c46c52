import { join } from 'node:path'
import { start, temporaryFolder, testKey } from '../../../test/support/process.ts'
import type { Figure } from '../bench.ts'
import { fillFolder } from '../folder.ts'
import { productArgs } from '../product.ts'
import { median } from '../stats.ts'

const items = 100_000
const pageSize = 200
const mostMilliseconds = 20

/** Lists everything, page after page. @returns milliseconds of each page but the first, which waits for the index */
const listAll = async (url: string, count: number) => {
  const times: number[] = []
  let listed = 0
  for (let after: string | null = ''; after !== null; ) {
    const began = performance.now()
    const path: string = `/links?limit=${pageSize}${after === '' ? '' : `&after=${after}`}`
    const response = await fetch(url + path, { headers: { key: testKey } })
    const page = (await response.json()) as { links: unknown[]; after: string | null }
    times.push(performance.now() - began)
    listed += page.links.length
    after = page.after
  }
  if (listed !== count) throw new Error(`${listed} of ${count} items were listed`)
  return times.slice(1)
}

/** A page of a list of 100,000 items. */
export const listPageFigure: Figure = {
  name: 'list-page',
  what: 'a page of 200 of the 100,000 links of a key, of 20 ms allowed',
  target: { atMost: 1 },
  unit: 'ms',
  sides: ['page', 'allowed'],
  open: async ({ isSmoke, defer }) => {
    const count = isSmoke ? 1000 : items
    const data = join(temporaryFolder(), 'data')
    // A second after each other, as a list is in the order of creation.
    fillFolder(data, 'link', count, 1000)
    const server = await start({ args: productArgs, data })
    defer(server.stop)
    return {
      round: async () => ({ product: median(await listAll(server.url, count)), limit: mostMilliseconds }),
    }
  },
}

import { statSync } from 'node:fs'
import { ask, assertSame } from '../answers.ts'
import { fileOf, fillFolder } from '../folder.ts'
import { readBytes } from '../memory.ts'
import { startLimit } from '../processes.ts'
import type { Product } from '../product.ts'
import type { Exchange } from './exchange.ts'

/** Eight times what 4 MiB hold: asked for in turn, a link is long out of the cache when it comes up again. */
const count = { full: 60_000, smoke: 20_000 }

const idOf = (path = '') => path.split('/').at(-1) ?? ''
const linkFile = ({ data }: Product, path: string) => fileOf(data, 'link', idOf(path))

/** The documents are larger, as `prepare` makes sure. */
const leastFileBytes = 200

/** @throws unless the server read a file for each answer */
const watch: Exchange['watch'] = (product) => {
  const before = readBytes(product.pid)
  return ({ requests }) => {
    const bytes = (readBytes(product.pid) - before) / requests
    if (bytes < leastFileBytes)
      throw new Error(`the links came out of the cache: ${bytes.toFixed(0)} bytes were read for each`)
  }
}
export const coldLink: Exchange = {
  name: 'cold-link',
  what: 'follow links that are not in memory',
  atLeast: 0.5,
  isOpenedOnce: true,
  turnMs: 150,
  limit: 'open, read, parse, answer',
  watch,
  prepare: async (product, { isSmoke }) => {
    const wanted = isSmoke ? count.smoke : count.full
    const ids = product.stock?.links.slice(0, wanted) ?? fillFolder(product.data, 'link', wanted)
    if (ids.length < wanted) throw new Error(`${ids.length} links are too few`)
    const { size } = statSync(fileOf(product.data, 'link', ids[0] as string))
    if (size < leastFileBytes) throw new Error(`a link of ${size} bytes is too small to tell a read by`)
    return ids.map((id) => ({ path: `/s/${id}` }))
  },
  startLimit: async (product, asks) => {
    const [first] = asks
    if (!first) throw new Error('there is nothing to ask')
    const answer = await ask(product.url, first)
    const files = Object.fromEntries(asks.map(({ path }) => [path, linkFile(product, path)]))
    const limit = await startLimit('read', { files, status: answer.status, headers: answer.headers })
    assertSame(first.path, answer, await ask(limit.url, first))
    return limit
  },
}

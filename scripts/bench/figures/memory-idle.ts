import type { Figure } from '../bench.ts'
import { childrenOf, megabyte, proportionalBytes, residentBytes, rest } from '../memory.ts'
import { createPage, type Product, pathOf, startProduct } from '../product.ts'
import { typescript } from '../sample-code.ts'

const allowedMegabytes = 110
/** The child is ended after 60 s; later than this it never will be. */
const longestWaitMs = 90_000
const shortestWaitMs = 55_000

/** Follows a link and reads a page. @throws when the child runs before there is something to highlight, or not then */
const useOnce = async (product: Product) => {
  const { client, pid } = product
  const { shortendUrl } = await client.link()
  const paste = { text: typescript(4096) }
  const { rawUrl } = await client.paste(paste)
  for (const path of [pathOf(shortendUrl), pathOf(rawUrl), '/']) await (await client.get(path)).text()
  if (childrenOf(pid).length) throw new Error('the highlighting child runs before it is needed')
  await createPage(product, paste)
  if (childrenOf(pid).length !== 1) throw new Error('a page was asked for, and no highlighting child runs')
}

const sumOf = (bytesOf: (pid: number) => number, { pid }: Product) =>
  [pid, ...childrenOf(pid)].reduce((sum, one) => sum + bytesOf(one), 0) / megabyte

/** @returns after how many milliseconds of idleness the child ended */
const waitForChildToEnd = async ({ pid }: Product) => {
  const began = performance.now()
  while (childrenOf(pid).length) {
    if (performance.now() - began > longestWaitMs) throw new Error('the idle highlighting child does not end')
    await Bun.sleep(100)
  }
  const waited = performance.now() - began
  if (waited < shortestWaitMs) throw new Error(`the idle highlighting child ended after ${waited} ms already`)
  return waited
}

export const memoryIdleFigure: Figure = {
  name: 'memory-idle',
  what: 'resident memory idle, server and child together (PSS), of 110 MB allowed',
  target: { atMost: 1 },
  unit: 'MB',
  sides: ['shortcrust', 'allowed'],
  open: async (bench) => {
    let summed = 0
    return {
      round: async () => {
        const product = await startProduct(bench)
        await useOnce(product)
        await rest(bench)
        // What both share, the pages of one executable, lies in memory once.
        const resident = sumOf(proportionalBytes, product)
        summed = sumOf(residentBytes, product)
        await product.stop()
        return { product: resident, limit: allowedMegabytes }
      },
      finish: async () => {
        const shared = `${summed.toFixed(1)} MB when what both share is counted twice (the sum of both RSS)`
        if (bench.isSmoke) return [shared, 'skipped: that the child ends after a minute of idleness']
        const product = await startProduct(bench)
        await useOnce(product)
        const waited = await waitForChildToEnd(product)
        const alone = sumOf(residentBytes, product).toFixed(1)
        return [shared, `the child ended after ${(waited / 1000).toFixed(1)} s; then ${alone} MB`]
      },
    }
  },
}

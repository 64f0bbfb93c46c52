import { testKey } from '../../../test/support/process.ts'
import type { Figure } from '../bench.ts'
import { megabyte, residentBytes, rest } from '../memory.ts'
import { browserHeaders, type Product, pathOf, startProduct } from '../product.ts'
import { typescript } from '../sample-code.ts'
import { type Ask, createLoad, loadUntil } from '../wrk.ts'

const counts = { full: { first: 100_000, all: 2_000_000 }, smoke: { first: 2_000, all: 20_000 } }
const items = 100

const creation = (path: string, body: object): Ask => ({
  method: 'POST',
  path,
  headers: { key: testKey, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** Of a hundred requests: 60 links, 15 raw, 10 pages, 5 previews, 5 unknown ids, 5 creations. */
const mix = (link: string, raw: string, page: string): Ask[] => [
  ...Array.from({ length: 60 }, () => ({ path: link })),
  ...Array.from({ length: 15 }, () => ({ path: raw })),
  ...Array.from({ length: 10 }, () => ({ path: page, headers: browserHeaders })),
  ...Array.from({ length: 5 }, () => ({ path: `${link}+` })),
  ...Array.from({ length: 5 }, () => ({ path: '/s/2222222' })),
  ...Array.from({ length: 3 }, () => creation('/shortener', { url: 'https://example.org/' })),
  ...Array.from({ length: 2 }, () =>
    creation('/paste', { text: typescript(4096), title: 'a', description: '', language: 'typescript' }),
  ),
]
const unknownShare = 0.05

const prepare = async ({ client }: Product) => {
  const asks: Ask[] = []
  for (let at = 0; at < items; at++) {
    const { shortendUrl } = await client.link(`https://example.org/${at}`)
    const { rawUrl, pasteUrl } = await client.paste({ text: `// ${at}\n${typescript(4096)}` })
    asks.push(...mix(pathOf(shortendUrl), pathOf(rawUrl), pathOf(pasteUrl)))
  }
  return asks
}

export const memoryLongFigure: Figure = {
  name: 'memory-long',
  what: 'resident memory of the server after 2,000,000 mixed requests, against that after 100,000',
  target: { atMost: 1.15 },
  unit: 'MB',
  sides: ['at the end', 'early'],
  rounds: 1,
  open: async (bench) => {
    const product = await startProduct(bench)
    const load = createLoad(product.url, await prepare(product), { errorShare: unknownShare })
    const restedMegabytes = async () => {
      await rest(bench)
      return residentBytes(product.pid) / megabyte
    }
    const { first, all } = bench.isSmoke ? counts.smoke : counts.full
    let done = { early: 0, late: 0 }
    return {
      round: async () => {
        const early = await loadUntil(load, first)
        const limit = await restedMegabytes()
        const late = await loadUntil(load, all - first)
        done = { early, late: early + late }
        return { product: await restedMegabytes(), limit }
      },
      finish: async () => [
        `after ${done.late.toLocaleString('en')} requests against ${done.early.toLocaleString('en')}`,
      ],
    }
  },
}

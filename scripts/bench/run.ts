import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, temporaryFolder, testKey } from '../../test/support/process.ts'
import { type Bench, type Figure, type Stock, withClosers } from './bench.ts'
import { fillFolder, keepOnly } from './folder.ts'
import type { Options } from './options.ts'
import { productArgs } from './product.ts'
import { type Pair, type Result, resultOf } from './results.ts'

/** Pastes and links, each, of the full folder. */
const stocked = { full: 100_000, smoke: 20_000 }

/** As after a first start, which reads every document beside: the list of own items is answered when that is done. */
const startFirst = (data: string) =>
  withClosers(async (defer) => {
    const server = await start({ args: productArgs, data })
    defer(server.stop)
    const { status } = await fetch(`${server.url}/links`, { headers: { key: testKey } })
    if (status !== 200) throw new Error(`/links answered ${status}`)
  })

const createStock = (count: number) => {
  const make = async (): Promise<Stock> => {
    const data = join(temporaryFolder(), 'data')
    const pastes = fillFolder(data, 'paste', count)
    const links = fillFolder(data, 'link', count)
    // Nothing in it expires.
    mkdirSync(join(data, 'expiry'), { mode: 0o700 })
    writeFileSync(join(data, 'expiry/complete'), '', { mode: 0o600 })
    await startFirst(data)
    const aside = temporaryFolder()
    const kept = { paste: new Set(pastes), link: new Set(links) }
    const reset = () => {
      for (const kind of ['paste', 'link'] as const) keepOnly(data, kind, kept[kind], aside)
    }
    return { data, links, reset }
  }
  let stock: Promise<Stock> | undefined
  return () => {
    stock ??= make()
    return stock
  }
}

/** @param progress told what is being done */
export const createRunner = (options: Options, progress: (text: string) => void) => {
  const { seconds, isSmoke } = options
  const stock = createStock(isSmoke ? stocked.smoke : stocked.full)

  /** @throws when it cannot be measured, or does not measure what it should */
  return async (figure: Figure): Promise<Result> => {
    progress(`${figure.name}: starting`)
    return withClosers(async (defer) => {
      const bench: Bench = { seconds, isSmoke, stock, defer }
      const { round, finish } = await figure.open(bench)
      const rounds = figure.rounds ?? options.rounds
      const pairs: Pair[] = []
      for (let at = 0; at < rounds; at++) {
        progress(`${figure.name}: round ${at + 1} of ${rounds}`)
        pairs.push(await round(at % 2 === 1))
      }
      return resultOf(figure, pairs, (await finish?.()) ?? [])
    })
  }
}

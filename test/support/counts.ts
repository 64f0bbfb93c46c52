import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The last part of an address. */
export const idOf = (address = '') => address.split('/').at(-1) as string
export const pathOf = (address = '') => new URL(address).pathname
/** The file that holds an item's count. */
export const countsFileOf = (data: string, address = '') => {
  const collection = address.includes('/s/') ? 'links' : 'pastes'
  return join(data, 'counts', collection, `${idOf(address).slice(0, 2)}.json`)
}
/** What is on disk of one item's count. */
export const storedCount = (data: string, address = ''): number => {
  const file = countsFileOf(data, address)
  if (!existsSync(file)) return 0
  return JSON.parse(readFileSync(file, 'utf8')).document[idOf(address)] ?? 0
}
/** Looks every few milliseconds, for a folder that does not exist yet cannot be watched. */
export const waitForStoredCount = async (data: string, address: string, count: number) => {
  while (storedCount(data, address) < count) await Bun.sleep(5)
}
/** What the page of a link says of its visits. */
export const shownVisits = async (base: string, address = '') => {
  const html = await (await fetch(`${base}${pathOf(address)}+`)).text()
  return /(?:No visits yet|[\d,]+ visits?)(?=<)/.exec(html)?.[0]
}

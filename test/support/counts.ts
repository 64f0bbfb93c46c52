import { Database } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLog } from '../../src/store/derived/derived-file.ts'

/** The last part of an address. */
export const idOf = (address = '') => address.split('/').at(-1) as string
export const pathOf = (address = '') => new URL(address).pathname
/** The file that holds the counts of a data folder. */
export const countsFileIn = (data: string) => join(data, 'counts.sqlite')
/** Rows of the counts on disk, also of a running server. */
export const storedRows = (data: string, sql: string): readonly unknown[][] => {
  if (!existsSync(countsFileIn(data))) return []
  const [file, log] = [countsFileIn(data), `${countsFileIn(data)}-wal`]
  const whole = withLog(readFileSync(file), existsSync(log) ? readFileSync(log) : Buffer.alloc(0))
  const database = Database.deserialize(whole.fill(1, 18, 20))
  try {
    return database.query(sql).values()
  } finally {
    database.close()
  }
}
/** Every count on disk as `kind/id`. */
export const storedCounts = (data: string): Record<string, number> =>
  Object.fromEntries(storedRows(data, "SELECT kind || '/' || id, count FROM counts"))
/** What is on disk of one item's count. */
export const storedCount = (data: string, address = ''): number =>
  storedCounts(data)[`${address.includes('/s/') ? 'link' : 'paste'}/${idOf(address)}`] ?? 0
/** Looks every few milliseconds, for a folder that does not exist yet cannot be watched. */
export const waitForStoredCount = async (data: string, address: string, count: number) => {
  while (storedCount(data, address) < count) await Bun.sleep(5)
}
/** What the page of a link says of its visits. */
export const shownVisits = async (base: string, address = '') => {
  const html = await (await fetch(`${base}${pathOf(address)}+`)).text()
  return /(?:No visits yet|[\d,]+ visits?)(?=<)/.exec(html)?.[0]
}

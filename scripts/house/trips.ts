import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, start, temporaryFolder, testKey } from '../../test/support/process.ts'

/** The files that a request enters, by its name. */
export type Trips = Readonly<Record<string, readonly string[]>>

/** What each round enters: a server also works for itself, and some of that falls into a trip. */
const common = (first: Trips, ...others: readonly Trips[]): Trips =>
  Object.fromEntries(
    Object.entries(first).map(([name, files]) => [
      name,
      files.filter((file) => others.every((other) => other[name]?.includes(file))),
    ]),
  )

const paste = { text: 'one\ntwo\n', title: 'A title', description: '', language: 'text' }

/** Starts the program from its sources and notes which files each request enters, in order. */
export const measureTrips = async (): Promise<Trips> => {
  const trail = join(temporaryFolder(), 'trail')
  closeSync(openSync(trail, 'w'))
  const server = await start({
    program: [
      process.execPath,
      '--preload',
      join(import.meta.dir, 'instrument.ts'),
      join(repository, 'src/main.ts'),
    ],
    args: ['--rate-limit', 'off', '--log', 'off'],
    env: { SHORTCRUST_API_KEY: testKey, SHORTCRUST_TRAIL: trail },
  })
  const entered = () => readFileSync(trail, 'utf8').trim().split('\n')

  const send = async (address: string, init: RequestInit) => {
    const before = entered().length
    const response = await fetch(new URL(address, server.url), { redirect: 'manual', ...init })
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${address} was answered ${response.status}: ${text}`)
    return { text, trip: [...new Set(entered().slice(before))] }
  }
  const create = async (path: string, body: object) => {
    const headers = { key: testKey, 'content-type': 'application/json' }
    const { text, trip } = await send(path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { addresses: JSON.parse(text) as Record<string, string>, trip }
  }

  /** What the server does for itself after a creation is over. */
  const rest = async () => {
    for (let before = 0; before < entered().length; await Bun.sleep(50)) before = entered().length
  }

  const round = async (): Promise<Trips> => {
    const { addresses, trip } = await create('/paste', paste)
    const { pasteUrl = '', deletionUrl = '' } = addresses
    const { shortendUrl = '' } = (await create('/shortener', { url: 'https://example.org/' })).addresses
    await rest()
    const page = () => send(pasteUrl, { headers: { accept: 'text/html' } })
    await send(shortendUrl, {})
    return {
      create: trip,
      page: (await page()).trip,
      'page in memory': (await page()).trip,
      'redirect in memory': (await send(shortendUrl, {})).trip,
      list: (await send('/pastes', { headers: { key: testKey } })).trip,
      delete: (await send(deletionUrl, { method: 'DELETE' })).trip,
    }
  }

  try {
    // The first round enters what is made once.
    await round()
    return common(await round(), await round(), await round())
  } finally {
    await server.stop()
  }
}

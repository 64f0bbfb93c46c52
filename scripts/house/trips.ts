import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, start, temporaryFolder, testKey } from '../../test/support/process.ts'
import { writeInstrumented } from './instrument.ts'

/** The files that a request enters, by its name. */
type Trips = Readonly<Record<string, readonly string[]>>

/** What each round enters: a server also works for itself, and some of that falls into a trip. */
const common = (first: Trips, ...others: readonly Trips[]): Trips =>
  Object.fromEntries(
    Object.entries(first).map(([name, files]) => [
      name,
      files.filter((file) => others.every((other) => other[name]?.includes(file))),
    ]),
  )

const paste = { text: 'const one = 1\n', title: 'A title', description: '', language: 'javascript' }
const headers = { key: testKey, 'content-type': 'application/json' }

/** Starts the program from its sources and notes which files each request enters, in order, also in the highlighter's child. */
export const measureTrips = async (): Promise<Trips> => {
  const trail = join(temporaryFolder(), 'trail')
  closeSync(openSync(trail, 'w'))
  const server = await start({
    program: [process.execPath, writeInstrumented(repository, temporaryFolder(), trail)],
    args: ['--rate-limit', 'off', '--log', 'off'],
    env: { SHORTCRUST_API_KEY: testKey },
  })
  const entered = () => readFileSync(trail, 'utf8').trim().split('\n')
  /** What the server does for itself after an answer is over. */
  const rest = async () => {
    for (let before = 0; before < entered().length; await Bun.sleep(50)) before = entered().length
  }

  const send = async (address: string, init: RequestInit = {}) => {
    await rest()
    const before = entered().length
    const response = await fetch(new URL(address, server.url), { redirect: 'manual', headers, ...init })
    const text = await response.text()
    if (response.status >= 400) throw new Error(`${address} was answered ${response.status}: ${text}`)
    return { text, trip: [...new Set(entered().slice(before))] }
  }
  const post = async (path: string, body: object, method = 'POST') => {
    const { text, trip } = await send(path, { method, body: JSON.stringify(body) })
    return { answer: JSON.parse(text) as Record<string, string>, trip }
  }

  const round = async (): Promise<Trips> => {
    const { answer, trip } = await post('/paste', paste)
    const { pasteUrl = '', deletionUrl = '' } = answer
    const { shortendUrl = '' } = (await post('/shortener', { url: 'https://example.org/' })).answer
    const page = async () => (await send(pasteUrl, { headers: { accept: 'text/html' } })).trip
    await send(shortendUrl)
    return {
      create: trip,
      'first highlighted page': await page(),
      'page in memory': await page(),
      'redirect in memory': (await send(shortendUrl)).trip,
      list: (await send('/pastes')).trip,
      search: (await send('/pastes?q=title')).trip,
      change: (await post(`/pastes/${pasteUrl.split('/').at(-1)}`, { title: 'Another' }, 'PATCH')).trip,
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

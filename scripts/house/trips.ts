import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository, start, temporaryFolder, testKey } from '../../test/support/process.ts'

/** What a request enters: different files, and how often the next function was in another file, or in another room. */
export type Trip = { files: readonly string[]; hops: number; roomChanges: number }

const roomOf = (file: string) => file.split('/').slice(0, 2).join('/')
const changes = (names: readonly string[]) =>
  names.filter((name, at) => at > 0 && name !== names[at - 1]).length

const tripOf = (entered: readonly string[]): Trip => ({
  files: [...new Set(entered)],
  hops: changes(entered),
  roomChanges: changes(entered.map(roomOf)),
})

const paste = { text: 'one\ntwo\n', title: 'A title', description: '', language: 'text' }

/** Starts the program from its sources and notes which files each request enters, in order. */
export const measureTrips = async (): Promise<Readonly<Record<string, Trip>>> => {
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
    return { text, trip: tripOf(entered().slice(before)) }
  }
  const create = async (path: string, body: object) => {
    const headers = { key: testKey, 'content-type': 'application/json' }
    const { text, trip } = await send(path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { addresses: JSON.parse(text) as Record<string, string>, trip }
  }

  try {
    // The first of each kind enters what is made once.
    await create('/paste', paste)
    const { addresses, trip } = await create('/paste', paste)
    const { pasteUrl = '', deletionUrl = '' } = addresses
    const { shortendUrl = '' } = (await create('/shortener', { url: 'https://example.org/' })).addresses
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
  } finally {
    await server.stop()
  }
}

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cutTo } from '../../src/items/field.ts'
import { checkedJson, documentJson } from '../../src/store/documents/json-file.ts'
import { createClient } from '../support/client.ts'
import { type RunningServer, start, testKey } from '../support/process.ts'

type Stored = { id: string; text: string; title: string; description: string; language: string }
type Listed = { pastes: (Stored & { bytes: number })[] }

const long = { title: '😀'.repeat(2000), description: `a${'é'.repeat(50_000)}` }
const text = 'é'.repeat(200_000)

describe('pastes that a former version stored', () => {
  let server: RunningServer
  const addresses: string[] = []
  const listed = async () => {
    const response = await createClient(server.url).get('/pastes', { key: testKey })
    return ((await response.json()) as Listed).pastes
  }

  beforeAll(async () => {
    const first = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    for (const name of ['plain', 'damaged', 'long'])
      addresses.push((await createClient(first.url).paste({ title: name })).pasteUrl ?? '')
    await first.stop()
    const rewrite = (at: number, encode: (paste: Stored) => string) => {
      const id = addresses[at]?.slice(-10) ?? ''
      const file = join(first.data, 'pastes', id.slice(0, 2), `${id}.json`)
      writeFileSync(file, encode(documentJson.decode(readFileSync(file, 'utf8')) as Stored))
    }
    // The text stood before the words.
    const former = ({ title, description, language, text: _, ...facts }: Stored, words = {}) =>
      checkedJson.encode({ ...facts, text, title, description, language, ...words })
    rewrite(0, (paste) => former(paste))
    rewrite(1, (paste) => former(paste).replace('"title":"d', '"title":"D'))
    rewrite(2, (paste) => former(paste, long))
    server = await start({ data: first.data, args: ['--rate-limit', 'off'] })
  })
  afterAll(() => server.stop())

  test('are listed with the size of their text and their words cut, but for damaged ones, which the log names', async () => {
    const [longest, plain, ...others] = await listed()
    expect(others).toEqual([])
    expect(plain).toMatchObject({ title: 'plain', bytes: 400_000 })
    expect(longest).toMatchObject({
      title: `${'😀'.repeat(255)}…`,
      description: `a${'é'.repeat(4094)}…`,
      bytes: 400_000,
    })
    await server.stderr.waitFor(/item left out of a list/)
  })

  test('have their words whole in the record and on their pages', async () => {
    const { get } = createClient(server.url)
    const address = addresses[2] ?? ''
    const record = await (await get(`/pastes/${address.slice(-10)}`, { key: testKey })).json()
    expect(record).toMatchObject({ paste: { ...long, text, bytes: 400_000 } })
    const path = new URL(address).pathname
    expect(await (await get(path, { accept: 'application/json' })).json()).toMatchObject(long)
  })
})

describe('words that are cut', () => {
  test.each([
    ['stay as they are up to the limit', 'aé', 3, 'aé'],
    ['end with an ellipsis, which counts', 'abcdef', 5, 'ab…'],
    ['end between two characters', 'aéé', 4, 'a…'],
    ['keep no half of a pair', '😀😀', 7, '😀…'],
    ['may be the ellipsis alone', '😀a', 4, '…'],
  ])('%s', (_, words, maxBytes, cut) => {
    expect(cutTo(maxBytes, words)).toBe(cut)
  })
})

import { describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { browser, expectError } from '../support/expectations.ts'
import { type RunningServer, run, start } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer({ args: ['--log', 'off'] })

let keys = 0

/** A client whose key has taken no token yet. */
const freshClient = async ({ url, data }: RunningServer = server) => {
  const { stdout } = await run(['keys', 'add', `client-${++keys}`, '--data', data])
  const key = stdout.trim()
  return { ...createClient(url, key), key }
}
type Client = Awaited<ReturnType<typeof freshClient>>

const exhaust = (client: Client) => Promise.all([client.paste(), client.link(), client.paste()])

describe('one key', () => {
  test('may create three times, pastes and links together; the fourth is refused on either endpoint', async () => {
    const client = await freshClient()
    await exhaust(client)
    await expectError(await client.post('/paste', examplePaste), 429)
    await expectError(await client.post('/shortener', { url: 'https://example.org/' }), 429)
  })

  test('is told the limit and when to come back', async () => {
    const client = await freshClient()
    await exhaust(client)
    const response = await client.post('/paste', examplePaste)
    const seconds = response.headers.get('Retry-After') ?? ''
    expect(seconds).toMatch(/^\d+$/)
    expect(Number(seconds)).toBeWithin(1, 16)
    expect(response.headers.get('RateLimit')).toMatch(new RegExp(`^"[a-z]+";r=0;t=${seconds}$`))
    expect(response.headers.get('RateLimit-Policy')).toMatch(/^"[a-z]+";q=3;w=15$/)
    const error = await expectError(response, 429, /3 requests per 15 seconds/)
    expect(error).toContain(`${seconds} s`)
  })

  test('is told so as a program also by a browser', async () => {
    const client = await freshClient()
    await exhaust(client)
    await expectError(await client.post('/paste', examplePaste, browser), 429)
  })

  test('cannot get a fourth token by asking at the same moment', async () => {
    const client = await freshClient()
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post('/paste', examplePaste)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
  })
})

describe('a token is taken', () => {
  test.each([
    ['is not JSON', '/paste', '{', 400],
    ['misses a field', '/paste', {}, 422],
    ['misses the address', '/shortener', {}, 422],
    ['has no address in its url', '/shortener', { url: 'nonsense' }, 400],
    ['is too large', '/paste', { ...examplePaste, text: 'a'.repeat(2 ** 20 + 1) }, 413],
  ])('by a request that %s', async (_, path, body, status) => {
    const client = await freshClient()
    for (let taken = 0; taken < 3; taken++) await expectError(await client.post(path, body), status)
    await expectError(await client.post('/paste', examplePaste), 429)
  })
})

describe('no token is taken', () => {
  test('by a refused request: who never stops asking gets the next token all the same', async () => {
    const quick = await start({ args: ['--rate-limit', '1/1s', '--log', 'off'] })
    try {
      const client = await freshClient(quick)
      await client.paste()
      const statuses = new Set<number>()
      while (!statuses.has(201)) statuses.add((await client.post('/paste', examplePaste)).status)
      expect([...statuses]).toEqual([429, 201])
    } finally {
      await quick.stop()
    }
  })

  test('by a request without a valid key', async () => {
    const client = await freshClient()
    for (const key of ['', 'sc_unknown'])
      for (let refused = 0; refused < 5; refused++)
        await expectError(await client.post('/paste', examplePaste, { key }), 401)
    await exhaust(client)
  })

  test('by reading and deleting, nor do they need one', async () => {
    const client = await freshClient()
    const [paste, link] = [await client.paste(), await client.link()]
    for (const address of [paste.pasteUrl, paste.rawUrl, link.shortendUrl, `${link.shortendUrl}+`])
      expect((await client.get(address ?? '', browser)).status).toBeOneOf([200, 302])
    const erase = ({ deletionUrl = '' }) => client.get(deletionUrl, {}, { method: 'DELETE' })
    expect((await erase(paste)).status).toBe(200)
    expect((await erase(link)).status).toBe(200)
    const { pasteUrl = '', deletionUrl } = await client.paste()
    await expectError(await client.post('/paste', examplePaste), 429)
    expect((await client.get(pasteUrl)).status).toBe(200)
    expect((await erase({ deletionUrl: deletionUrl ?? '' })).status).toBe(200)
  })

  test('by a wrong address or method', async () => {
    const client = await freshClient()
    for (let wrong = 0; wrong < 5; wrong++) {
      await expectError(await client.post('/pasted', examplePaste), 404)
      await expectError(await client.get('/paste', { key: client.key }), 405)
    }
    await exhaust(client)
  })
})

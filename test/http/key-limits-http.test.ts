import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { keyFileOf } from '../support/key-file.ts'
import { type RunningServer, run, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const link = { url: 'https://example.org/' }

const { server: limited } = withServer({ args: ['--rate-limit', '2/9999s'] })
const { server: unlimited } = withServer()

let names = 0

/** A client whose key has these limits. */
const clientWith = async (limits: string, { url, data }: RunningServer = unlimited) => {
  const name = `client-${++names}`
  const flags = limits === '' ? [] : limits.split(' ')
  const { stdout } = await run(['keys', 'add', name, ...flags, '--data', data])
  const key = stdout.trim()
  const change = (fields: object) =>
    keyFileOf(data).change((entry) => (entry.name === name ? { ...entry, ...fields } : entry))
  return { ...createClient(url, key), key, url, change }
}
type Client = Awaited<ReturnType<typeof clientWith>>

const statusOf = async (client: Client) => (await client.post('/shortener', link)).status

const upload = (method: string, path: string, key: string, headers: Record<string, string> = {}) =>
  fetch(unlimited.url + path, { method, body: 'a text', headers: { key, ...headers } })

const sendForm = (fields: Record<string, string>) =>
  fetch(`${unlimited.url}/`, { method: 'POST', headers: browser, body: new URLSearchParams(fields) })

describe('a key that expires', () => {
  test('is refused with 401 once it has, on every way of creating, and told when that was', async () => {
    const client = await clientWith('--expires 1h')
    expect(await statusOf(client)).toBe(201)
    client.change({ expiresAt: Date.UTC(2020, 0) })
    const says = /^This API key expired at 2020-01-01T00:00:00\.000Z; ask the person who runs this server/
    await expectError(await client.post('/paste', examplePaste), 401, says)
    await expectError(await client.post('/shortener', link), 401, says)
    for (const [method, path] of [
      ['POST', '/'],
      ['PUT', '/a.py'],
      ['POST', '/documents'],
    ] as const)
      await expectError(await upload(method, path, client.key), 401, says)
    expect(await expectPage(await sendForm({ create: 'link', ...link, key: client.key }), 401)).toMatch(
      /<p class="field-error" id="error-key">This API key expired at 2020/,
    )
  })

  test('works again when the file gives it more time', async () => {
    const client = await clientWith('--expires 1h')
    client.change({ expiresAt: 1 })
    expect(await statusOf(client)).toBe(401)
    client.change({ expiresAt: Date.now() + 3_600_000 })
    expect(await statusOf(client)).toBe(201)
  })
})

describe('a key for pastes only', () => {
  let client: Client
  beforeAll(async () => {
    client = await clientWith('--only paste')
  })

  test('makes them on every way', async () => {
    expect((await client.post('/paste', examplePaste)).status).toBe(201)
    expect((await upload('POST', '/', client.key)).status).toBe(201)
    expect((await upload('PUT', '/', client.key)).status).toBe(201)
    expect((await upload('PUT', '/a.py', client.key)).status).toBe(201)
    expect((await upload('POST', '/documents', client.key)).status).toBe(200)
    await expectPage(await sendForm({ create: 'paste', ...examplePaste, key: client.key }), 201)
  })

  const says = /This API key may create pastes only; use a key that may create short links/

  test('is refused with 403 for short links, and told what it may do', async () => {
    await expectError(await client.post('/shortener', link), 403, says)
    await expectError(await client.post('/shortener', link, browser), 403, says)
  })

  test('is refused by the form for links, which keeps what was typed', async () => {
    const html = await expectPage(await sendForm({ create: 'link', ...link, key: client.key }), 403)
    expect(html).toMatch(new RegExp(`<p class="field-error" id="error-key">${says.source}\\.<`))
    expect(html).toContain(`value="${link.url}"`)
    expect(html).not.toContain(client.key)
  })
})

describe('a key for short links only', () => {
  let client: Client
  beforeAll(async () => {
    client = await clientWith('--only shorten')
  })

  test('makes them by the API and by the form', async () => {
    expect(await statusOf(client)).toBe(201)
    await expectPage(await sendForm({ create: 'link', ...link, key: client.key }), 201)
  })

  const says = /This API key may create short links only; use a key that may create pastes/

  test.each([
    ['POST', '/'],
    ['PUT', '/'],
    ['PUT', '/a.py'],
    ['POST', '/documents'],
  ])('is refused with 403 by %s %s', async (method, path) => {
    await expectError(await upload(method, path, client.key), 403, says)
  })

  test('is refused by POST /paste, and by the form for pastes', async () => {
    await expectError(await client.post('/paste', examplePaste), 403, says)
    const form = { create: 'paste', ...examplePaste, key: client.key }
    expect(await expectPage(await sendForm(form), 403)).toMatch(says)
  })

  test('is refused with a page where a browser uploads', async () => {
    const html = await expectPage(await upload('PUT', '/a.py', client.key, browser), 403)
    expect(html).toContain('Not allowed')
    expect(html).toMatch(says)
    expect(html).toContain('The message above says what is allowed')
  })

  test('may make pastes as well once the file says so', async () => {
    const other = await clientWith('--only shorten')
    other.change({ only: undefined })
    expect((await other.post('/paste', examplePaste)).status).toBe(201)
  })
})

describe('a key with a rate of its own', () => {
  const expectRefusal = async (client: Client, policy: string, says: RegExp) => {
    const response = await client.post('/shortener', link)
    const seconds = response.headers.get('Retry-After')
    expect(response.headers.get('RateLimit-Policy')).toBe(`"default";${policy}`)
    expect(response.headers.get('RateLimit')).toBe(`"default";r=0;t=${seconds}`)
    await expectError(response, 429, says)
    return Number(seconds)
  }

  test.each([
    ['the server limits others', () => limited],
    ['the server limits nobody else', () => unlimited],
  ])('has that rate where %s, and is told it', async (_, server) => {
    const client = await clientWith('--rate 4/2h', server())
    const statuses = await Promise.all([1, 2, 3, 4].map(() => statusOf(client)))
    expect(statuses).toEqual([201, 201, 201, 201])
    const seconds = await expectRefusal(client, 'q=4;w=7200', /4 requests per 7200 seconds/)
    expect(seconds).toBeWithin(7100, 7201)
  })

  test('leaves the others at the rate of the server', async () => {
    const own = await clientWith('--rate 1/1h', limited)
    const other = await clientWith('', limited)
    expect([await statusOf(own), await statusOf(own)]).toEqual([201, 429])
    expect([await statusOf(other), await statusOf(other)]).toEqual([201, 201])
    await expectRefusal(other, 'q=2;w=9999', /2 requests per 9999 seconds/)
  })

  test('has another rate from the next request on when the file was changed', async () => {
    const client = await clientWith('--rate 1/1h', limited)
    expect([await statusOf(client), await statusOf(client)]).toEqual([201, 429])
    client.change({ rate: { requests: 2, seconds: 60 } })
    expect(await statusOf(client)).toBe(201)
    expect(await expectRefusal(client, 'q=2;w=60', /2 requests per 60 seconds/)).toBeWithin(1, 61)
    client.change({ rate: undefined })
    await expectRefusal(client, 'q=2;w=9999', /2 requests per 9999 seconds/)
  })

  test('loses no token by what is outside of its scope', async () => {
    const client = await clientWith('--rate 1/1h --only shorten')
    for (let refused = 0; refused < 5; refused++)
      await expectError(await client.post('/paste', examplePaste), 403)
    expect([await statusOf(client), await statusOf(client)]).toEqual([201, 429])
    await expectError(await client.post('/paste', examplePaste), 403)
  })
})

describe('the key from outside', () => {
  test('has the rate of the server and no other limit', async () => {
    const client = createClient(limited.url)
    expect((await client.post('/paste', examplePaste)).status).toBe(201)
    expect((await client.post('/shortener', link)).status).toBe(201)
    const refused = await client.post('/paste', examplePaste)
    expect(refused.headers.get('RateLimit-Policy')).toBe('"default";q=2;w=9999')
    await expectError(refused, 429)
    expect((await createClient(unlimited.url, testKey).post('/paste', examplePaste)).status).toBe(201)
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { keyFileOf } from '../support/key-file.ts'
import { type RunningServer, run } from '../support/process.ts'
import { withServer } from '../support/server.ts'

// What can be wrong with one request, in the order in which it is found.
const faults = [
  { name: 'no valid key', status: 401 },
  { name: 'an expired key', status: 401 },
  { name: 'outside of what the key may do', status: 403 },
  { name: 'no token left', status: 429 },
  { name: 'too large', status: 413 },
  { name: 'not readable', status: 400 },
  { name: 'a wrong field', status: 422 },
] as const
type Fault = (typeof faults)[number]['name']

/** Every combination of faults, one and all of them included; a key that is unknown cannot have expired. */
const combinations = Array.from({ length: 2 ** faults.length - 1 }, (_, mask) =>
  faults.filter((_, bit) => (mask + 1) & (1 << bit)),
).filter(([first, second]) => first?.name !== 'no valid key' || second?.name !== 'an expired key')
const table = combinations.map(
  (some) =>
    [some.map(({ name }) => name).join(' + '), some[0]?.status ?? 0, some.map(({ name }) => name)] as const,
)

const link = { url: 'https://example.org/' }
const small = ['--max-paste', '1KiB', '--log', 'off']

/** By name: what the key may do, and whether it has expired. */
type Keys = Readonly<Record<string, string>>
const keysOf = new Map<RunningServer, Keys>()

/** Six keys, each of which has taken one token. */
const addKeys = async ({ url, data }: RunningServer): Promise<Keys> => {
  const add = async (scope: string, state: string) => {
    const only = scope === 'any' ? [] : ['--only', scope]
    const { stdout } = await run(['keys', 'add', `${scope}-${state}`, ...only, '--data', data])
    const client = createClient(url, stdout.trim())
    await (scope === 'shorten' ? client.link() : client.paste())
    return [`${scope}-${state}`, stdout.trim()] as const
  }
  const keys: (readonly [string, string])[] = []
  for (const scope of ['any', 'paste', 'shorten'])
    for (const state of ['good', 'expired']) keys.push(await add(scope, state))
  keyFileOf(data).change((key) => (key.name.endsWith('-expired') ? { ...key, expiresAt: 1 } : key))
  return Object.fromEntries(keys)
}

const { server } = withServer({ args: ['--rate-limit', 'off', ...small] })
const { server: exhausted } = withServer({ args: ['--rate-limit', '1/9999s', ...small] })
beforeAll(async () => {
  await createClient(exhausted.url).link()
  for (const one of [server, exhausted]) keysOf.set(one, await addKeys(one))
})

/** A server and a key that have these faults. */
const access = (outside: 'paste' | 'shorten', has: (fault: Fault) => boolean) => {
  const one = has('no token left') ? exhausted : server
  const scope = has('outside of what the key may do') ? outside : 'any'
  const name = `${scope}-${has('an expired key') ? 'expired' : 'good'}`
  return { url: one.url, key: has('no valid key') ? 'sc_unknown' : (keysOf.get(one)?.[name] ?? '') }
}

const send = (path: string, body: object, has: (fault: Fault) => boolean) => {
  const { url, key } = access(path === '/paste' ? 'shorten' : 'paste', has)
  const client = createClient(url, key)
  const json = JSON.stringify(has('a wrong field') ? {} : body)
  // White space around JSON changes nothing but its size.
  return client.post(
    path,
    (has('not readable') ? '{' : '') + json + (has('too large') ? ' '.repeat(2 ** 21) : ''),
  )
}

describe.each([
  ['/paste', examplePaste],
  ['/shortener', link],
])('POST %s', (path, body) => {
  test('accepts a request without a fault', async () => {
    expect((await send(path, body, () => false)).status).toBe(201)
  })

  test.each(table)('finds first of: %s', async (_, status, some) => {
    await expectError(await send(path, body, (fault) => some.includes(fault)), status)
  })

  test.each([
    ['another content type', 'text/plain', '{}'],
    ['an array', 'application/json', '[]'],
    ['10,002 values', 'application/json', `{"a":[${'1,'.repeat(10_001)}1]}`],
    ['65 levels', 'application/json', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
  ])('finds %s before the fields that are missing in it', async (_, type, empty) => {
    await expectError(await createClient(server.url).post(path, empty, { 'Content-Type': type }), 400)
  })
})

const sendFile = (method: string, path: string, has: (fault: Fault) => boolean) => {
  const { url, key } = access('shorten', has)
  const text = has('too large') ? 'a'.repeat(1025) : 'a'
  return fetch(`${url}${path}${has('a wrong field') ? '?language=nonsense' : ''}`, {
    method,
    headers: { key },
    body: Buffer.concat([Buffer.from(text), Buffer.from(has('not readable') ? [0xff] : [])]),
  })
}

describe.each([
  ['POST', '/', 201],
  ['PUT', '/', 201],
  ['PUT', '/name.py', 201],
  ['POST', '/documents', 200],
])('%s %s', (method, path, created) => {
  test('accepts a file without a fault', async () => {
    expect((await sendFile(method, path, () => false)).status).toBe(created)
  })

  test.each(table)('finds first of: %s', async (_, status, some) => {
    await expectError(await sendFile(method, path, (fault) => some.includes(fault)), status)
  })
})

describe('the size of a text', () => {
  const tooLong = 'a'.repeat(1025)

  test('is found before fields that are missing', async () => {
    await expectError(await createClient(server.url).post('/paste', { text: tooLong }), 413, /text/)
  })

  test('is found after the key and the rate', async () => {
    const body = { ...examplePaste, text: tooLong }
    await expectError(await createClient(exhausted.url, 'sc_unknown').post('/paste', body), 401)
    await expectError(await createClient(exhausted.url).post('/paste', body), 429)
  })
})

describe('the field url', () => {
  test('is found to be no string before it is found to be no address', async () => {
    await expectError(await createClient(server.url).post('/shortener', { url: 5 }), 422, /"url"/)
  })

  test('is found to be no address last', async () => {
    const answer = (url: string, key?: string) =>
      createClient(url, key).post('/shortener', { url: 'nonsense' })
    await expectError(await answer(exhausted.url, 'sc_unknown'), 401)
    await expectError(await answer(exhausted.url), 429)
    await expectError(await answer(server.url), 400, /^Invalid URL format: /)
  })
})

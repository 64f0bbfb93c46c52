import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/expectations.ts'
import { keyFileOf } from '../support/key-file.ts'
import { isFolder, run, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer({ args: ['--rate-limit', '1/900s', '--log', 'off'] })

const add = async (...words: string[]) =>
  (await run(['keys', 'add', ...words, '--data', server.data])).stdout.trim()
const ask = (key?: string, init: RequestInit = {}) =>
  fetch(`${server.url}/key`, { headers: key === undefined ? {} : { key }, ...init })

describe('GET /key', () => {
  test('names the key, and says nothing about limits that it has not', async () => {
    const key = await add('laptop')
    const response = await ask(key)
    expect(response.status).toBe(200)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toEqual({ success: true, name: 'laptop' })
    expect(await (await ask(testKey)).json()).toEqual({ success: true, name: 'environment' })
  })

  test('names every limit of the key, and never the key', async () => {
    const key = await add('ci', '--only', 'paste', '--rate', '10/1m', '--expires', '90d')
    const text = await (await ask(key)).text()
    expect(JSON.parse(text)).toEqual({
      success: true,
      name: 'ci',
      only: 'paste',
      rate: { requests: 10, seconds: 60 },
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    })
    expect(text).not.toContain(key)
    expect(text).not.toContain(new Bun.CryptoHasher('sha256').update(key).digest('hex'))
  })

  test('says at once that it was made an admin key, and no longer', async () => {
    const key = await add('boss')
    const set = (...words: string[]) => run(['keys', 'set', 'boss', ...words, '--data', server.data])
    expect((await set('--admin', '--rate', '9/1m')).code).toBe(0)
    expect(await (await ask(key)).json()).toMatchObject({ admin: true, rate: { requests: 9, seconds: 60 } })
    await set('--admin', 'none', '--rate', 'none')
    expect(await (await ask(key)).json()).toEqual({ success: true, name: 'boss' })
  })

  test('is 401 without a key, with an unknown one, and with one that has expired', async () => {
    await expectError(await ask(), 401, /header "key".*missing/)
    await expectError(await ask(`${testKey}x`), 401, /not valid/)
    if (!isFolder) return
    const key = await add('old')
    keyFileOf(server.data).change((entry) => (entry.name === 'old' ? { ...entry, expiresAt: 1 } : entry))
    await expectError(await ask(key), 401, /expired at 1970/)
  })

  test('answers other methods with 405, and a browser in JSON as well', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      await expectError(await ask(testKey, { method, headers: { key: testKey } }), 405)
    const asBrowser = await ask(undefined, { headers: { Accept: 'text/html' } })
    expect(asBrowser.headers.get('Content-Type')).toStartWith('application/json')
  })
})

import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer()

const get = (...lines: string[]) => exchange(server.url, lines)

const create = (host: string) => {
  const body = '{"url":"https://example.org/"}'
  const head = [
    `Host: ${host}`,
    `key: ${testKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return exchange(server.url, ['POST /shortener HTTP/1.1', ...head], body)
}

describe('a Host that names no host is answered with 400', () => {
  test.each([
    '',
    ' ',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'user@host',
    'a,b',
    '<script>',
    '"a"',
    'a:',
    'a:port',
    'a:-1',
    'a:99999',
    'a:123456',
    ':80',
    '[::1',
    '::1',
    '[::::]',
    '[nonsense]',
    '999.999.999.999',
    '1.2.3.4.5',
    'xn--',
    'a%2fb',
    'é',
    'http://a',
  ])('%j', async (host) => {
    await expectError(await get('GET / HTTP/1.1', `Host: ${host}`), 400, /Host/)
    await expectError(await get('GET /nothing HTTP/1.1', `Host: ${host}`), 400, /Host/)
    await expectError(await create(host), 400, /Host/)
  })

  test.each([260, 3000, 9000])('one of %i characters', async (characters) => {
    const host = `${'a'.repeat(characters - 5)}:8080`
    for (const path of ['/', '/qr/p/zzzzzzzzzz', '/docs'])
      await expectError(await get(`GET ${path} HTTP/1.1`, `Host: ${host}`), 400, /Host/)
  })

  test('two of them', async () => {
    await expectError(await get('GET / HTTP/1.1', 'Host: a', 'Host: b'), 400, /Host/)
  })

  test('none of them, in HTTP/1.0', async () => {
    await expectError(await get('GET / HTTP/1.0'), 400, /Host/)
  })

  test('none of them, in HTTP/1.1: the runtime answers itself', async () => {
    expect((await get('GET / HTTP/1.1')).status).toBe(400)
  })

  test('in HTML for a browser', async () => {
    const response = await get('GET / HTTP/1.1', 'Host: a b', 'Accept: text/html')
    expect(response.status).toBe(400)
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('Host')
  })
})

describe('a Host that names one is taken, and stands in the answer', () => {
  test.each([
    'nas',
    'a',
    'nas:8080',
    'nas.local',
    'my_nas-2.example',
    'example.org.',
    '192.168.1.20',
    '192.168.1.20:65535',
    '[::1]',
    '[fd00::1]:8080',
    'xn--mnchen-3ya.example',
  ])('%j', async (host) => {
    expect((await get('GET / HTTP/1.1', `Host: ${host}`)).status).toBe(200)
    const response = await create(host)
    expect(response.status).toBe(201)
    expect(response.headers.get('Location')).toStartWith(`http://${host}/s/`)
  })
})

test('what is in memory is not given to a Host that names no host', async () => {
  const client = createClient(server.url)
  const { pasteUrl = '', rawUrl = '' } = await client.paste({ language: 'text' })
  const { shortendUrl = '' } = await client.link()
  for (const address of [pasteUrl, rawUrl, shortendUrl]) {
    const path = new URL(address).pathname
    // The second time it is in memory, and answered before the routes are asked.
    for (const status of [0, 1].map(() => (address === shortendUrl ? 302 : 200)))
      expect((await get(`GET ${path} HTTP/1.1`, 'Host: nas')).status).toBe(status)
    for (const host of ['a b', '999.999.999.999', 'nas:99999', ''])
      await expectError(await get(`GET ${path} HTTP/1.1`, `Host: ${host}`), 400, /Host/)
  }
})

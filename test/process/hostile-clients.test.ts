import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from '../support/hostile.ts'
import { residentBytes } from '../support/memory.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const mebibyte = 1024 ** 2
/** The server's own limit of a body, and the memory it may take beyond that of a quiet one. */
const allowedGrowth = 64 * mebibyte

const post = (...headers: string[]) =>
  [`POST /paste HTTP/1.1`, 'Host: nas', `key: ${testKey}`, 'Content-Type: application/json', ...headers].join(
    '\r\n',
  )
const get = (target: string, ...headers: string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: nas', ...headers, 'Connection: close'].join('\r\n')

/** Bodiless refusals of the runtime, sent before any route is known; the connection is closed with them. */
const isRuntimeRefusal = (answer: string) =>
  /^HTTP\/1\.1 (4\d\d|505) [^\r]+\r\nConnection: close\r\n\r\n$/.test(answer)

const expectRefusal = (answer: string) => {
  if (answer === '' || isRuntimeRefusal(answer)) return
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answer).toMatch(/\r\nX-Content-Type-Options: nosniff\r\n/)
  expect(answer).toMatch(/\r\nContent-Security-Policy: default-src 'none'/)
  expect(answer).toEndWith('}')
  expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toEqual({
    success: false,
    error: expect.any(String),
  })
}

const hasWholeAnswer = (received: string) => received.includes('\r\n\r\n') && received.endsWith('}')

describe('a hostile client', () => {
  const { server } = withServer({ args: ['--rate-limit', 'off'] })
  let quietBytes = 0
  beforeAll(async () => {
    await fetch(`${server.url}/healthz`)
    quietBytes = residentBytes(server.pid)
  })
  afterEach(() => {
    expect(residentBytes(server.pid) - quietBytes).toBeLessThan(allowedGrowth)
    expect(server.stderr.text()).not.toMatch(/ error |\n +at /)
  })

  const bodies: readonly (readonly [string, string])[] = [
    ['announces 10 GB', `${post('Content-Length: 10000000000')}\r\n\r\n`],
    [
      'announces 10 GB without a key',
      'POST /paste HTTP/1.1\r\nHost: nas\r\nContent-Length: 10000000000\r\n\r\n',
    ],
    ['announces two lengths', `${post('Content-Length: 5', 'Content-Length: 6')}\r\n\r\nhello`],
    ['announces a negative length', `${post('Content-Length: -5')}\r\n\r\nhello`],
    [
      'announces a length and chunks',
      `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}\r\n\r\n0\r\n\r\n`,
    ],
    ['sends a chunk with no size', `${post('Transfer-Encoding: chunked')}\r\n\r\nZZ\r\nhello`],
    ['sends 20 KB of headers', `${get('/', `A: ${'a'.repeat(20_000)}`)}\r\n\r\n`],
    ['sends 500 headers', `${get('/', ...Array.from({ length: 500 }, (_, at) => `A${at}: b`))}\r\n\r\n`],
    ['sends an address of 20 KB', `${get(`/${'a'.repeat(20_000)}`)}\r\n\r\n`],
    ['sends no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['sends an empty Host', 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['sends a Host with a path', 'GET / HTTP/1.1\r\nHost: nas/x?y\r\nConnection: close\r\n\r\n'],
    ['sends two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['speaks HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n\r\n'],
    ['speaks HTTP/0.9', 'GET /\r\n'],
    ['speaks HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['speaks TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['asks for a file', `${get('file:///etc/passwd')}\r\n\r\n`],
    ['asks for a tunnel', 'CONNECT other:443 HTTP/1.1\r\nHost: nas\r\nConnection: close\r\n\r\n'],
    ['asks about everything', 'OPTIONS * HTTP/1.1\r\nHost: nas\r\nConnection: close\r\n\r\n'],
  ]
  test.each(bodies)('that %s gets a 4xx with every header, or a closed connection', async (_, request) => {
    const connection = await connect(server.url, { first: request })
    expectRefusal(await connection.until(hasWholeAnswer))
    connection.close()
  })

  const paths = [
    '/p/%00', '/p/%2F', '/p/..%2f..%2fkeys.json', '/p/../../keys.json', '/p/%zz', '/p/raw/%2e%2e', '/s/%00+', '/s/+', '/%',
    '//', '/p//', '/assets/..%2f..%2fpackage.json', '/p/%F0%9F%98%80', '/s/\xff\xfe', `/p/${'a'.repeat(8000)}`,
    '/p/keys.json', '/s/../none', '/p/shortcrust.json', 'http://other.example/p/abc', '/data/keys.json',
  ] // biome-ignore format: a list to skim
  test.each(paths.map((path) => [path.slice(0, 40), path]))(
    'that asks for %s gets a 404 with every header',
    async (_, path) => {
      const connection = await connect(server.url, { first: `${get(path)}\r\n\r\n` })
      const answer = await connection.closed
      expect(answer).toMatch(/^HTTP\/1\.1 404 /)
      expectRefusal(answer)
    },
  )

  test('that sends chunks without end is answered 413, and its memory stays bounded', async () => {
    const connection = await connect(server.url, { first: `${post('Transfer-Encoding: chunked')}\r\n\r\n` })
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    for (let sent = 0; sent < 300 && !hasWholeAnswer(connection.received()); sent++) {
      connection.send(chunk)
      await fetch(`${server.url}/healthz`)
    }
    const answer = await connection.until(hasWholeAnswer)
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
    expectRefusal(answer)
    connection.close()
  })

  test.each([
    ['a length', `${post('Content-Length: 50')}\r\n\r\n{"text":`],
    ['chunks', `${post('Transfer-Encoding: chunked')}\r\n\r\n5\r\nhel`],
  ])('that ends a body early, after %s, gets a 4xx or a closed connection', async (_, first) => {
    const connection = await connect(server.url, { first, isHalfClosed: true })
    expectRefusal(await connection.closed)
  })

  test('that pipelines 50 requests gets 50 answers', async () => {
    const one = 'GET /healthz HTTP/1.1\r\nHost: nas\r\n\r\n'
    const connection = await connect(server.url, { first: `${one.repeat(49)}${get('/healthz')}\r\n\r\n` })
    expect((await connection.closed).split('HTTP/1.1 200 OK').length - 1).toBe(50)
  })

  test('that closes its half after asking still gets the answer', async () => {
    const connection = await connect(server.url, {
      first: 'GET /healthz HTTP/1.1\r\nHost: nas\r\n\r\n',
      isHalfClosed: true,
    })
    expect(await connection.closed).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  test('with 1,000 idle connections and 100 slow bodies keeps nobody else waiting', async () => {
    const slow = `${post('Content-Length: 50')}\r\n\r\n{"text":`
    const firsts = Array.from({ length: 1100 }, (_, at) => (at < 1000 ? '' : slow))
    const connections = await Promise.all(firsts.map((first) => connect(server.url, { first })))
    for (let at = 0; at < 200; at++) expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const creation = await fetch(`${server.url}/shortener`, {
      method: 'POST',
      headers: { key: testKey, 'Content-Type': 'application/json' },
      body: '{"url":"http://example.org/"}',
    })
    expect(creation.status).toBe(201)
    for (const connection of connections) connection.close()
  })

  test('that never finishes its headers is cut off', async () => {
    const connection = await connect(server.url, { first: 'GET / HTTP/1.1\r\nHost:' })
    expectRefusal(await connection.closed)
  })
})

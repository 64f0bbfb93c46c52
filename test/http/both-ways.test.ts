import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { connect } from 'node:net'
import type { FastPath, Fetch } from '../../src/http/listen.ts'
import { createIds } from '../../src/items/ids.ts'
import { type Server, startServer } from '../../src/server.ts'
import { configOf } from '../support/config.ts'
import { browser } from '../support/expectations.ts'
import { newPath } from '../support/store.ts'

const key = 'sc_a-key-of-the-environment'
const hourMs = 3_600_000

/** What a server was told to answer with. */
type Listening = { fetch: Fetch; routes: FastPath }

/** A server, and a second listener on the same app that has nothing but Elysia's routes. */
const openBothWays = async (flags: Record<string, string>) => {
  const clock = { now: Date.now() }
  const config = configOf({
    flags: { data: newPath(), port: '0', host: '127.0.0.1', 'rate-limit': 'off', ...flags },
    env: { SHORTCRUST_API_KEY: key },
  })
  const serve = spyOn(Bun, 'serve')
  const server: Server = await startServer({
    config,
    ids: {
      ...createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
      requestId: () => 'the-same-id',
    },
    log: () => {},
    now: () => clock.now,
    monotonic: () => performance.now(),
    program: 'shortcrust of a test',
    spawnChild: () => {
      throw new Error('nothing is highlighted here')
    },
  })
  const options = serve.mock.calls.at(-1)?.[0] as unknown as Listening & Bun.Serve.Options<undefined>
  serve.mockRestore()
  const routed = Bun.serve({ ...options, port: 0, routes: {} } as Bun.Serve.Options<undefined>)
  return { clock, server, routed, fastPath: options.routes }
}

/** A whole answer, byte for byte, but for its date. */
const exchange = (port: number, head: string) =>
  new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(head))
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('close', () =>
      resolve(
        Buffer.concat(chunks)
          .toString('latin1')
          .replace(/^Date:.*\r\n/im, ''),
      ),
    )
    socket.on('error', reject)
  })

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)

const settings = [
  ['as it comes', {}, ''],
  ['with a log of requests', { 'access-log': 'on' }, ''],
  ['with metrics', { metrics: '127.0.0.1:0' }, ''],
  ['under a sub-path', { 'public-url': 'http://nas/x' }, '/x'],
  ['under a sub-path that a proxy takes off', { 'public-url': 'http://nas/x' }, ''],
  ['under a sub-path that begins like a route', { 'public-url': 'http://nas/p' }, '/p'],
  ['under such a sub-path that a proxy takes off', { 'public-url': 'http://nas/p' }, ''],
] as const

describe.each(settings)('%s, the fast path and the routes give the same bytes', (_, flags, prefix) => {
  let open: Awaited<ReturnType<typeof openBothWays>>
  const names: Record<string, string> = {}
  const create = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${open.server.port}${path}`, {
      method: 'POST',
      headers: { key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Record<string, string>
    expect(response.status).toBe(201)
    return answer
  }
  const idOf = (url = '') => url.split('/').at(-1) ?? ''
  const createBoth = async (name: string, fields: object, isDeleted = false) => {
    const text = { text: `${name} <b>\n`.repeat(100), title: name, description: '', language: 'text' }
    const { maxUses, ...rest } = fields as { maxUses?: number }
    const paste = await create('/paste', { ...text, ...rest, ...(maxUses && { maxReads: maxUses }) })
    const url = { url: `https://example.org/${name}` }
    const link = await create('/shortener', { ...url, ...rest, ...(maxUses && { maxVisits: maxUses }) })
    names[`p ${name}`] = idOf(paste.pasteUrl)
    names[`s ${name}`] = idOf(link.shortendUrl)
    if (!isDeleted) return
    for (const { deletionUrl = '' } of [paste, link]) {
      const { search, pathname } = new URL(deletionUrl)
      const local = `http://127.0.0.1:${open.server.port}${pathname.replace('/x/', '/')}${search}`
      expect((await fetch(local, { method: 'DELETE' })).status).toBe(200)
    }
  }

  beforeAll(async () => {
    open = await openBothWays(flags)
    await createBoth('expired', { expiresIn: '1h' })
    open.clock.now += 2 * hourMs
    await createBoth('usual', {})
    await createBoth('named', { alias: 'a-name' })
    await createBoth('expiring', { expiresIn: '1d' })
    await createBoth('burning', { maxUses: 2 })
    await createBoth('deleted', {}, true)
    await createBoth('previewed', {})
  })
  afterAll(async () => {
    await open.routed.stop(true)
    await open.server.stop()
  })

  /** Both answers to a request, once both have been given before. */
  const compare = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const head = [
      `${method} ${prefix}${path} HTTP/1.1\r\n`,
      ...linesOf({ Host: 'nas', Connection: 'close', ...headers }),
    ]
    const ask = () =>
      Promise.all(
        [open.server.port, open.routed.port ?? 0].map((port) => exchange(port, `${head.join('')}\r\n`)),
      )
    await ask()
    const [fast = '', routed = ''] = await ask()
    expect(fast).toStartWith('HTTP/1.1 ')
    expect(`${head.join('')}${fast}`).toBe(`${head.join('')}${routed}`)
    return fast
  }

  const spellingsOf = (id: string) => [
    ...[id, id.toUpperCase(), `${id}/`, `${id}/more`, `${id}.txt`, `${id}%20`, `./${id}`, `x/../${id}`],
    ...['x=1', 'lang=python', 'lang=nonsense', 'lines=2-3&grep=USUAL', 'lines=nonsense'].map(
      (query) => `${id}?${query}`,
    ),
    `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
  ]
  const noNames = ['', 'nope', 'paste', 'raw', 'delete', '%ff', '%2f', '%00', '%', '%zz', '\xff', '*', ':id']
  const kinds = ['usual', 'named', 'expiring', 'burning', 'deleted', 'expired']
  const accepts = ['*/*', 'text/html', 'application/json', 'text/plain', 'text/html;q=0, text/plain']
  const hosts = ['a', 'nas:8080', '', 'bad host', 'nas:99999', '[::1]:80', '999.999.999.999', 'x'.repeat(300)]
  const codings = ['identity', 'gzip', 'zstd']
  const methods = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']
  const bots = { 'User-Agent': 'Slackbot' }

  type Asked = readonly [method: string, name: string, headers?: Record<string, string>]
  /** What is asked below a path, from the name of each kind of item. */
  const requests: Record<string, (nameOf: (kind: string) => string) => Asked[]> = {
    'in every spelling, and at names that are none': (nameOf) =>
      [...spellingsOf(nameOf('usual')), ...noNames, 'x'.repeat(3000)].flatMap((name) =>
        ['*/*', 'text/html'].map((Accept): Asked => ['GET', name, { Accept, ...bots }]),
      ),
    'of every kind of item, in every form and coding': (nameOf) =>
      kinds.flatMap((kind) =>
        accepts.flatMap((Accept) =>
          codings.map((coding): Asked => ['GET', nameOf(kind), { Accept, 'Accept-Encoding': coding }]),
        ),
      ),
    'to every method': (nameOf) =>
      kinds.flatMap((kind): Asked[] => [
        ...methods.map((method): Asked => [method, nameOf(kind), { Accept: 'text/html' }]),
        ...(kind === 'burning' ? [] : [['POST', nameOf(kind), { 'Content-Length': '0' }] as const]),
      ]),
    'at every host': (nameOf) => hosts.map((Host): Asked => ['GET', nameOf('usual'), { Host }]),
  }

  describe.each([
    ['/s/', 's'],
    ['/p/', 'p'],
    ['/p/raw/', 'p'],
    ['/diff/a-name/', 'p'],
  ])('%s', (path, kind) => {
    const nameOf = (which: string) => names[`${kind} ${which}`] ?? ''

    test.each(Object.entries(requests))('%s', async (_, requestsOf) => {
      for (const [method, name, headers] of requestsOf(nameOf)) await compare(method, path + name, headers)
    })

    test('to who has it already', async () => {
      for (const Accept of accepts) {
        const whole = await compare('GET', path + nameOf('usual'), { Accept })
        const etag = /^etag: (.*)\r$/im.exec(whole)?.[1]
        for (const held of [`W/${etag}`, `"a", ${etag}`, '*', '"another"'])
          await compare('GET', path + nameOf('usual'), { Accept, 'If-None-Match': held })
        if (!etag) continue
        const again = await compare('GET', path + nameOf('usual'), { Accept, 'If-None-Match': etag })
        expect(again).toStartWith('HTTP/1.1 304 ')
      }
    })
  })

  test('to a preview of a link', async () => {
    for (const which of ['previewed', 'burning', 'deleted', 'expired'])
      for (const end of ['+', '%2B', '%2b', '+?x', '++', '+/'])
        await compare('GET', `/s/${names[`s ${which}`]}${end}`, { Accept: 'text/html' })
  })

  test('and the fast path is there, but where a sub-path begins like a route', () => {
    const paths = ['/diff/:id/:other', '/s/:id', '/p/raw/:id', '/p/:id'].sort()
    const expected: Record<string, string[]> = {
      '': paths,
      '/x': [...paths, ...paths.map((one) => `/x${one}`)],
    }
    const at = flags && 'public-url' in flags ? new URL(flags['public-url']).pathname : ''
    expect(Object.keys(open.fastPath).sort()).toEqual((expected[at] ?? []).sort())
  })
})

describe('what is in memory', () => {
  let open: Awaited<ReturnType<typeof openBothWays>>
  beforeAll(async () => {
    open = await openBothWays({})
  })
  afterAll(async () => {
    await open.routed.stop(true)
    await open.server.stop()
  })

  test('is answered in the same turn: a link, a raw paste, a page, and 304', async () => {
    const base = `http://127.0.0.1:${open.server.port}`
    const post = async (path: string, body: object) => {
      const headers = { key, 'Content-Type': 'application/json' }
      const response = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await response.json()) as Record<string, string>
    }
    const text = { text: 'a line\n'.repeat(200), title: '', description: '', language: 'text' }
    const { pasteUrl = '' } = await post('/paste', text)
    const { shortendUrl = '' } = await post('/shortener', { url: 'https://example.org/' })
    const ask = (template: string, url: string, headers: Record<string, string> = {}) => {
      const request = new Request(url, { headers: { host: 'nas', ...headers } })
      Object.assign(request, { params: { id: url.split('/').at(-1) } })
      const answer = open.fastPath[template]?.GET(request, {} as Bun.Server<undefined>)
      if (!answer) throw new Error(`there is no ${template}`)
      return answer
    }
    const zstd = { ...browser, 'Accept-Encoding': 'zstd' }
    const json = { Accept: 'application/json' }
    const cases = [
      ['/s/:id', shortendUrl, {}, 302],
      ['/p/raw/:id', pasteUrl, {}, 200],
      ['/p/:id', pasteUrl, browser, 200],
      ['/p/:id', pasteUrl, zstd, 200],
      ['/p/:id', pasteUrl, json, 200],
      ['/p/:id', pasteUrl, { Accept: 'text/plain' }, 200],
    ] as const
    for (const [template, url, headers, status] of cases) {
      const first = await ask(template, url, headers)
      await first.text()
      const again = ask(template, url, headers)
      expect(again).toBeInstanceOf(Response)
      expect((again as Response).status).toBe(status)
      const etag = first.headers.get('ETag')
      if (etag === null) continue
      const held = ask(template, url, { ...headers, 'If-None-Match': etag })
      expect((held as Response).status).toBe(304)
    }
  })
})

import { afterAll, describe, expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { createClient } from '../support/client.ts'
import { freePort } from '../support/ports.ts'
import { run } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { newUser } from '../support/user.ts'

const { server } = withServer()

/** What was asked of the targets, as `METHOD /path`. */
const asked: string[] = []
let most = 0
let open = 0
const answers: Readonly<Record<string, (method: string) => Response | Promise<Response>>> = {
  '/fine': () => new Response('here'),
  '/moved': () => new Response(null, { status: 301, headers: { Location: '/fine' } }),
  '/login': () => new Response(null, { status: 401 }),
  '/no-head': (method) => new Response(null, { status: method === 'HEAD' ? 404 : 200 }),
  '/gone': () => new Response(null, { status: 410, statusText: 'Gone' }),
  '/failing': () => new Response(null, { status: 503 }),
  '/loop': () => new Response(null, { status: 302, headers: { Location: '/loop' } }),
  '/silent': () => new Promise<Response>(() => {}),
  '/no-head-at-all': (method) => (method === 'HEAD' ? new Promise<Response>(() => {}) : new Response('here')),
  '/to-dead': () => new Response(null, { status: 302, headers: { Location: `http://127.0.0.1:${dead}/` } }),
  '/to-app': () => new Response(null, { status: 302, headers: { Location: 'app://open' } }),
  '/to-nothing': () => new Response(null, { status: 302, headers: { Location: 'http://[' } }),
}
const dead = freePort()
const targets = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    const { pathname } = new URL(request.url)
    asked.push(`${request.method} ${pathname}`)
    most = Math.max(most, ++open)
    await new Promise(setImmediate)
    open--
    return answers[pathname]?.(request.method) ?? new Response(null, { status: 404 })
  },
})
afterAll(() => targets.stop(true))
const at = (path: string) => `http://127.0.0.1:${targets.port}${path}`

/** A host that writes this for each request, and cuts the connection. */
const hostThat = async (answerTo: (request: string) => string | Buffer) => {
  const seen: string[] = []
  const onConnection = (socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      const [request = ''] = String(bytes).split(' HTTP')
      seen.push(request)
      socket.end(answerTo(request))
    })
  }
  const host = createServer(onConnection)
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  closing.push(() => host.close())
  return { seen, url: `http://127.0.0.1:${(host.address() as { port: number }).port}` }
}
const closing: (() => unknown)[] = []
afterAll(() => closing.map((close) => close()))
const fine = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

let owners = 0
/** Somebody with links to these addresses, checking them. */
const checking = async (links: readonly string[], ...flags: string[]) => {
  const key = (await run(['keys', 'add', `checker${++owners}`, '--data', server.data])).stdout.trim()
  const user = newUser()
  expect(await user.logIn(server.url, key)).toMatchObject({ code: 0 })
  const client = createClient(server.url, key)
  for (const url of links) await client.link(url)
  asked.length = 0
  most = 0
  return user.run(['check', ...flags])
}

describe('shortcrust check', () => {
  test('ends with 0 and names no link while all targets answer', async () => {
    const links = ['/fine', '/moved', '/login', '/no-head'].map(at)
    expect(await checking(links)).toEqual({
      ...{ code: 0, stderr: '' },
      stdout: '4 links checked, all answer\n',
    })
    expect(asked).toContain('HEAD /fine')
    expect(asked).not.toContain('GET /fine')
    expect(asked).toContain('GET /no-head')
  })

  test('ends with 1 and prints what is gone, with the reason', async () => {
    const { code, stdout, stderr } = await checking(['/fine', '/gone', '/failing', '/loop'].map(at))
    expect([code, stderr]).toEqual([1, ''])
    const lines = stdout.trim().split('\n')
    expect(lines.pop()).toBe('4 links checked, 3 do not answer as they should')
    const gone = (path: string, reason: string) => expect.stringContaining(`→ ${at(path)}: ${reason}`)
    expect(lines).toHaveLength(3)
    expect(lines).toEqual(
      expect.arrayContaining([
        gone('/gone', 'answers 410 Gone'),
        gone('/failing', 'answers 503'),
        gone('/loop', 'redirects without end'),
      ]),
    )
    for (const line of lines) expect(line).toStartWith(`${server.url}/s/`)
  })

  test('asks a host once at a time, and an address once', async () => {
    await checking(Array.from({ length: 12 }, (_, number) => at(number % 2 ? '/fine' : `/fine?${number}`)))
    expect(most).toBe(1)
    expect(asked).toHaveLength(7)
  })

  test('asks a host that does not answer twice, however many links lead there, and says so', async () => {
    const links = Array.from({ length: 5 }, (_, number) => at(`/silent?${number}`))
    const { code, stdout } = await checking(links, '--timeout', '1')
    expect(code).toBe(1)
    expect(stdout.match(/: no answer within 1 s$/gm)).toHaveLength(2)
    expect(stdout.match(/: not asked: 127\.0\.0\.1:\d+ did not answer twice$/gm)).toHaveLength(3)
    expect(stdout).toEndWith('2 links checked, 2 do not answer as they should; 3 links not asked\n')
    expect(asked).toEqual(['HEAD /silent', 'GET /silent', 'HEAD /silent', 'GET /silent'])
  })

  test('asks on where only some pages of a host are broken', async () => {
    const broken = await hostThat((request) => (/broken/.test(request) ? 'garbage line\r\n\r\n' : fine))
    const cutting = await hostThat((request) => (/broken/.test(request) ? '' : fine))
    const links = [broken, cutting].flatMap(({ url }) => [
      ...[1, 2, 3].map((number) => `${url}/broken${number}`),
      ...[`${url}/fine`, `${url}/fine2`],
    ])
    const { code, stdout } = await checking([...links, ...['/to-dead', '/to-dead?2', '/fine'].map(at)])
    expect(code).toBe(1)
    expect(stdout).not.toMatch(/fine|not asked/)
    expect(stdout.match(/broken\d: what answers there does not speak HTTP/g)).toHaveLength(3)
    expect(stdout.match(/broken\d: the connection was cut/g)).toHaveLength(3)
    expect(stdout.match(/to-dead(\?2)?: nothing answers there/g)).toHaveLength(2)
    expect(stdout).toEndWith('13 links checked, 8 do not answer as they should\n')
  })

  test('asks a host for https where it has nothing for http', async () => {
    const host = `127.0.0.1:${freePort()}`
    const links = [`http://${host}/1`, `http://${host}/2`, `http://${host}/3`, `https://${host}/4`]
    const { stdout } = await checking(links.toReversed())
    expect(stdout.match(/nothing answers there/g)).toHaveLength(3)
    expect(stdout).toMatch(/http:\S+\/3: not asked: /)
  })

  test('asks by GET where HEAD is cut or never answered', async () => {
    const cutting = await hostThat((request) => (request.startsWith('HEAD') ? '' : fine))
    expect(await checking([`${cutting.url}/`, at('/no-head-at-all')], '--timeout', '1')).toMatchObject({
      code: 0,
      stdout: '2 links checked, all answer\n',
    })
    expect(cutting.seen).toEqual(['HEAD /', 'GET /'])
  })

  test('follows twenty redirects, and says in words why they lead nowhere', async () => {
    const { stdout } = await checking(['/loop', '/to-app', '/to-nothing'].map(at))
    expect(asked.filter((one) => one.endsWith(' /loop'))).toEqual(Array(21).fill('HEAD /loop'))
    expect(stdout).toContain(`${at('/loop')}: redirects without end\n`)
    expect(stdout).toContain(`${at('/to-app')}: redirects to an address that does not begin with http:// or`)
    expect(stdout).toContain(`${at('/to-nothing')}: redirects to an address that cannot be read\n`)
  })

  test('follows a redirect that is written in UTF-8', async () => {
    const redirect = Buffer.from('HTTP/1.1 302 Found\r\nLocation: /straße\r\nContent-Length: 0\r\n\r\n')
    const host = await hostThat((request) => (request === 'HEAD /' ? redirect : fine))
    expect(await checking([`${host.url}/`])).toMatchObject({ code: 0 })
    expect(host.seen).toEqual(['HEAD /', 'HEAD /stra%C3%9Fe'])
  })

  test('prints each link as JSON with --json', async () => {
    const { code, stdout } = await checking([at('/fine'), at('/gone')], '--json')
    expect(code).toBe(1)
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(rows).toHaveLength(2)
    expect(rows).toContainEqual({
      id: expect.any(String),
      shortendUrl: expect.stringContaining('/s/'),
      ...{ url: at('/gone'), isFine: false, isAsked: true, status: 410, reason: 'answers 410 Gone' },
    } as never)
    expect(rows).toContainEqual(
      expect.objectContaining({ url: at('/fine'), isFine: true, status: 200 }) as never,
    )
  })

  test('says in JSON which links were not asked', async () => {
    const host = `http://127.0.0.1:${freePort()}`
    const { code, stdout } = await checking(
      ['/1', '/2', '/3'].map((path) => host + path),
      '--json',
    )
    expect(code).toBe(1)
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { isAsked: boolean })
    expect(rows.map(({ isAsked }) => isAsked)).toEqual([true, true, false])
  })

  test('says so where there are no links', async () => {
    expect(await checking([])).toEqual({ code: 0, stdout: 'there are no links yet\n', stderr: '' })
  })
})

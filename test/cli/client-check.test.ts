import { afterAll, describe, expect, test } from 'bun:test'
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
}
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
  test('ends with 0 and prints no link while all targets answer', async () => {
    const links = ['/fine', '/moved', '/login', '/no-head'].map(at)
    expect(await checking(links)).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: '4 links checked, all answer\n',
    })
    expect(asked).toContain('HEAD /fine')
    expect(asked).not.toContain('GET /fine')
    expect(asked).toContain('GET /no-head')
  })

  test('ends with 1 and prints what is gone, with the reason', async () => {
    const { code, stdout, stderr } = await checking(['/fine', '/gone', '/failing', '/loop'].map(at))
    expect(code).toBe(1)
    const lines = stdout.trim().split('\n').sort()
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
    expect(stderr).toBe('4 links checked, 3 do not answer as they should\n')
  })

  test('asks a host once at a time, and an address once', async () => {
    await checking(Array.from({ length: 12 }, (_, number) => at(number % 2 ? '/fine' : `/fine?${number}`)))
    expect(most).toBe(1)
    expect(asked).toHaveLength(7)
  })

  test('asks a host that does not answer twice, however many links lead there', async () => {
    const links = Array.from({ length: 5 }, (_, number) => at(`/silent?${number}`))
    const { code, stdout } = await checking(links, '--timeout', '1')
    expect(code).toBe(1)
    expect(stdout.match(/no answer within 1 s/g)).toHaveLength(5)
    expect(asked).toEqual(['HEAD /silent', 'HEAD /silent'])
  })

  test('says why a host is not reached', async () => {
    const { code, stdout } = await checking([`http://127.0.0.1:${freePort()}/`])
    expect(code).toBe(1)
    expect(stdout).toContain('nothing answers there')
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
      ...{ url: at('/gone'), isFine: false, status: 410, reason: 'answers 410 Gone' },
    } as never)
    expect(rows).toContainEqual(
      expect.objectContaining({ url: at('/fine'), isFine: true, status: 200 }) as never,
    )
  })

  test('says so where there are no links', async () => {
    expect(await checking([])).toEqual({ code: 0, stdout: '', stderr: 'there are no links yet\n' })
  })
})

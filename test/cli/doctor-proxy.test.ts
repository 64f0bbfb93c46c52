import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freePort } from '../support/ports.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { makeCertificate } from '../support/tls-proxies.ts'

const guests = ['--guest-from', '127.0.0.0/8', '--guest-key', 'guests'] as const
const trust = ['--trust-proxy', '127.0.0.1'] as const

const stops: (() => unknown)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

let trusting: RunningServer
let distrusting: RunningServer
beforeAll(async () => {
  const open = async (...args: string[]) => {
    const data = temporaryFolder()
    await run(['keys', 'add', 'guests', '--create', '--data', data])
    const server = await start({ data, args: ['--log', 'off', ...guests, ...args] })
    stops.push(server.stop)
    return server
  }
  trusting = await open(...trust)
  distrusting = await open()
})

const serve = (fetch: (request: Request) => Response | Promise<Response>, tls?: Bun.TLSOptions) => {
  const proxy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch, ...(tls && { tls }) })
  stops.push(() => proxy.stop(true))
  return `${tls ? 'https' : 'http'}://127.0.0.1:${proxy.port}`
}

/** A proxy that passes its name on, and these headers. */
const proxyOf = (server: RunningServer, headers: Record<string, string> = {}) =>
  serve(async (request) => {
    const { host, pathname } = new URL(request.url)
    const sent = { Host: host, 'Accept-Encoding': 'identity', ...headers }
    const answer = await fetch(server.url + pathname, { headers: sent })
    return new Response(await answer.text(), { status: answer.status })
  })

const look = (server: RunningServer, url: string, ...args: string[]) => {
  const { port } = new URL(server.url)
  const own = ['--host', '127.0.0.1', '--port', port, '--data', server.data]
  return run(['doctor', ...own, '--url', url, ...args])
}

describe('doctor of a server behind a proxy', () => {
  test('finds that the proxy does not say who asks, which guests and the log need', async () => {
    const proxy = proxyOf(trusting)
    const { code, stdout } = await look(trusting, proxy, ...trust, ...guests)
    expect(code).toBe(1)
    expect(stdout).toContain(`good  address: ${proxy} is what the server calls itself\n`)
    expect(stdout).toMatch(/^bad {3}clients: the proxy does not say who asks.*\n {6}→ .*X-Forwarded-For/m)
    const withoutGuests = await look(trusting, proxy, ...trust)
    expect(withoutGuests).toMatchObject({ code: 0, stdout: expect.stringMatching(/^look {2}clients: /m) })
  })

  test('finds that the server does not trust the proxy', async () => {
    const proxy = proxyOf(distrusting, { 'X-Forwarded-For': '203.0.113.7' })
    const { code, stdout } = await look(distrusting, proxy, ...guests)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^bad {3}clients: .* does not trust it.*\n {6}→ set --trust-proxy/m)
  })

  test('is content with a proxy that says who asks, on the machine of the proxy too', async () => {
    for (const client of ['203.0.113.7', '127.0.0.1']) {
      const proxy = proxyOf(trusting, { 'X-Forwarded-For': client })
      const { code, stdout } = await look(trusting, proxy, ...trust, ...guests)
      expect(code).toBe(0)
      expect(stdout).not.toContain('clients: ')
    }
  })

  test('takes the server itself for no proxy, where proxies of this machine are trusted', async () => {
    const { code, stdout } = await look(trusting, trusting.url, ...trust, ...guests)
    expect(code).toBe(0)
    expect(stdout).not.toContain('clients: ')
  })

  test('sees that the proxy does not reach the server', async () => {
    const lost = serve(() => new Response('Bad Gateway', { status: 502 }))
    const { stdout } = await look(trusting, lost)
    expect(stdout).toMatch(
      /answers 502, but not as Shortcrust does\n {6}→ start the server, and look at the address/,
    )
  })

  test('shows where a redirect leads', async () => {
    const moving = serve(({ url }) =>
      Response.redirect(`https://paste.example.org${new URL(url).pathname}`, 302),
    )
    const { code, stdout } = await look(trusting, moving)
    expect(code).toBe(1)
    expect(stdout).toContain(`${moving} answers 302 and leads to https://paste.example.org/openapi.json\n`)
    expect(stdout).toContain('→ ask at that address: --url https://paste.example.org\n')
    const portal = serve(() => Response.redirect('https://auth.example.org/login', 302))
    const login = await look(trusting, portal)
    expect(login.stdout).toMatch(/leads to https:\/\/auth\.example\.org\/login\n {6}→ .* ask for no login/)
  })

  test.skipIf(!requireProgram('openssl', 'openssl'))('says that it is the certificate', async () => {
    const { certificate, key } = makeCertificate(temporaryFolder())
    const tls = { cert: Bun.file(certificate), key: Bun.file(key) }
    const { code, stdout } = await look(
      trusting,
      serve(() => new Response(), tls),
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^bad {3}address: .*TLS failed: the certificate .*\n {6}→ look at the certificate/m,
    )
    const nobody = await look(trusting, `https://127.0.0.1:${freePort()}`)
    expect(nobody.stdout).toContain('→ start the proxy and the server')
  })
})

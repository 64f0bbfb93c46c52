import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lookAtClock } from '../../src/cli/doctor/doctor.ts'
import { lookAtPorts } from '../../src/cli/doctor/network.ts'
import { settings } from '../../src/settings/config.ts'
import { configOf } from '../support/config.ts'
import { keyFileOf } from '../support/key-file.ts'
import { freePort } from '../support/ports.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { withServer } from '../support/server.ts'
import { makeCertificate } from '../support/tls-proxies.ts'

const { server } = withServer()
const portOf = (url: string) => new URL(url).port
const look = (...args: string[]) => run(['doctor', '--host', '127.0.0.1', ...args])
const lookAtServer = (...args: string[]) => look('--port', portOf(server.url), '--data', server.data, ...args)
const unused = () => ['--port', `${freePort()}`] as const

const stops: (() => unknown)[] = []
afterAll(() => Promise.all(stops.map((stop) => stop())))

const serve = (fetch: (request: Request) => Response | Promise<Response>, tls?: Bun.TLSOptions) => {
  const proxy = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch, ...(tls && { tls }) })
  stops.push(() => proxy.stop(true))
  return `${tls ? 'https' : 'http'}://127.0.0.1:${proxy.port}`
}

/** A proxy with another name in front of a server, which tells it these headers. */
const proxyThat = (headersFor: (own: string) => Record<string, string>, behind: RunningServer = server) =>
  serve(async (request) => {
    const { host, pathname } = new URL(request.url)
    const headers = { 'Accept-Encoding': 'identity', ...headersFor(host) }
    const answer = await fetch(behind.url + pathname, { headers })
    return new Response(await answer.text(), { status: answer.status })
  })

describe('doctor of a server that runs', () => {
  test('ends with 0 and finds all good', async () => {
    const { code, stdout, stderr } = await lookAtServer()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toMatch(/^good {2}port: a Shortcrust server answers at/)
    expect(lines.filter((line) => line.startsWith('bad'))).toEqual([])
    for (const about of ['folder', 'space', 'file system', 'lock', 'clock', 'open files'])
      expect(stdout).toContain(`${about}: `)
    expect(stdout).toContain('lock: the running server holds it')
  })

  test('sees that it uses another folder', async () => {
    const { stdout } = await look('--port', portOf(server.url), '--data', temporaryFolder())
    expect(stdout).toMatch(/^look {2}lock: the server at the port uses another folder\n {6}→ /m)
  })

  test('sees that it is at another port', async () => {
    const { stdout } = await look(...unused(), '--data', server.data)
    expect(stdout).toMatch(/^look {2}lock: a server uses the folder, at another port\n {6}→ name its port/m)
  })
})

describe('doctor with --url', () => {
  test('is content where the server calls itself so', async () => {
    const { code, stdout } = await lookAtServer('--url', server.url)
    expect(code).toBe(0)
    expect(stdout).toContain(`good  address: ${server.url} is what the server calls itself`)
  })

  test('names the proxy that hides its own name, and the setting that helps', async () => {
    const hiding = proxyThat(() => ({}))
    const { code, stdout, stderr } = await lookAtServer('--url', hiding)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toEndWith('\n1 problem found\n')
    expect(stdout).toContain(`bad   address: asked at ${hiding}, the server calls itself ${server.url}`)
    expect(stdout).toContain('→ set --trust-proxy to the address of the proxy')
    const trusted = await lookAtServer('--url', hiding, '--trust-proxy', '127.0.0.1')
    expect(trusted.stdout).toContain('→ let the proxy send X-Forwarded-Host')
  })

  test('is content with a proxy that passes its name on', async () => {
    const passing = proxyThat((host) => ({ Host: host }))
    expect(await lookAtServer('--url', passing)).toMatchObject({ code: 0 })
  })

  test('says what else answers there, or that nothing does', async () => {
    const other = proxyThat(() => ({ Host: '' }))
    expect((await lookAtServer('--url', other)).stdout).toMatch(/answers 400, but not as Shortcrust does/)
    const nobody = `http://127.0.0.1:${freePort()}`
    expect((await lookAtServer('--url', nobody)).stdout).toContain(`cannot reach ${nobody}: nothing answers`)
    expect(await lookAtServer('--url', 'nas')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--url: expected an http:// or https:// address'),
    })
  })
})

describe('doctor before a start', () => {
  test('says that the first start makes the folder, and where the server will be', async () => {
    const { code, stdout } = await look(...unused(), '--data', join(temporaryFolder(), 'data'))
    expect(code).toBe(0)
    expect(stdout).toMatch(/^good {2}folder: .* does not exist yet; the first start makes it$/m)
    expect(stdout).toMatch(/^look {2}port: \d+ on 127\.0\.0\.1 is free, but only this machine reaches it$/m)
  })

  test('finds a port that another program has', async () => {
    const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const { code, stdout } = await look('--port', `${other.port}`, '--data', temporaryFolder())
    other.stop(true)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^bad {3}port: \d+ on 127\.0\.0\.1 is used already\n {6}→ choose another/m)
  })

  test('finds a folder with other things in it, and a file in its place', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'photo.jpg'), '')
    expect((await look(...unused(), '--data', folder)).stdout).toMatch(
      /^bad {3}folder: .* holds other things$/m,
    )
    const file = join(folder, 'photo.jpg')
    expect((await look(...unused(), '--data', file)).stdout).toMatch(/^bad {3}folder: .* is not a folder$/m)
  })

  test('finds a clock that is behind the last write to the folder', async () => {
    const stopped = await start({ args: ['--log', 'off'] })
    await stopped.stop()
    const later = new Date(Date.now() + 3_600_000)
    utimesSync(join(stopped.data, 'shortcrust.json'), later, later)
    const { code, stdout } = await look(...unused(), '--data', stopped.data)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^bad {3}clock: .*, before the last write to the folder, /m)
  })

  test('finds a clock that is behind the program itself, beside a new folder', () => {
    const folder = temporaryFolder()
    const [in1970, now] = [0, Date.now()]
    expect(lookAtClock(folder, in1970)).toMatchObject({
      state: 'bad',
      says: expect.stringMatching(/^1970-01-01T00:00:00Z, before this program was written, 20\d\d-/),
    })
    expect(lookAtClock(folder, now)).toMatchObject({ state: 'good' })
  })

  test('names a host that nobody knows', async () => {
    const { code, stdout } = await run(['doctor', '--host', 'nosuch.invalid', '--data', temporaryFolder()])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^bad {3}port: there is no host named nosuch\.invalid\n {6}→ use an address of this/m,
    )
  })

  test('changes nothing', async () => {
    const folder = join(temporaryFolder(), 'data')
    await look(...unused(), '--data', folder)
    expect(() => mkdirSync(folder)).not.toThrow()
  })
})

const keys = (data: string, ...args: string[]) => run(['keys', ...args, '--data', data])
const guests = ['--guest-from', '127.0.0.0/8', '--guest-key', 'guests'] as const

describe('doctor of a server on all addresses', () => {
  const everywhere = (port: string, own: string) =>
    lookAtPorts(configOf({ flags: { host: '0.0.0.0', port } }), own)

  test('names only the addresses at which it answers', async () => {
    const { port } = new URL(server.url)
    const all = await start({ args: ['--log', 'off', '--host', '0.0.0.0'] })
    const { port: ofAll } = new URL(all.url)
    const near = await everywhere(port, '127.0.0.2')
    const far = await everywhere(ofAll, '127.0.0.2')
    await all.stop()
    expect(far.isServing).toBe(true)
    expect(far.findings).toMatchObject([
      { state: 'good', says: expect.stringMatching(/: http:\/\/127\.0\.0\.2:\d+$/) },
    ])
    expect(near.isServing).toBe(true)
    expect(near.findings).toMatchObject([
      { state: 'doubtful', says: `a Shortcrust server answers at ${port}, but only this machine reaches it` },
    ])
  })

  test('finds one that listens at another address alone', async () => {
    const { port } = new URL(server.url)
    const { isServing, findings } = await everywhere(port, '127.0.0.1')
    expect(isServing).toBe(true)
    expect(findings).toMatchObject([
      { says: expect.stringMatching(/0\.0\.0\.0: http:\/\/127\.0\.0\.1:\d+$/) },
    ])
  })
})

describe('doctor with the settings of a server', () => {
  test('takes every flag of the server', async () => {
    const { stdout: help } = await run(['doctor', '--help'])
    for (const { flag } of Object.values(settings))
      if (flag !== undefined) expect(help).toContain(`--${flag} `)
  })

  test('finds the key of guests, where it is missing or has expired', async () => {
    const folder = temporaryFolder()
    const lookHere = (...more: string[]) => look(...unused(), '--data', folder, ...guests, ...more)
    const missing = await lookHere()
    expect(missing.code).toBe(1)
    expect(missing.stdout).toMatch(/^bad {3}guest key: there is no key guests, so guests are refused$/m)
    expect(missing.stdout).toContain(`→ type: shortcrust keys add guests --create --data ${folder}\n`)

    await keys(folder, 'add', 'guests', '--create')
    keyFileOf(folder).change((key) => ({ ...key, expiresAt: Date.now() - 1000 }))
    const expired = await lookHere()
    expect(expired.stdout).toMatch(/^bad {3}guest key: guests has expired, so guests are refused$/m)
    expect(expired.stdout).toContain(`→ type: shortcrust keys set guests --expires none --data ${folder}\n`)

    await keys(folder, 'set', 'guests', '--expires', 'none')
    const there = await lookHere()
    expect(there).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('good  guest key: guests count as'),
    })
  })

  test('finds a port of the metrics or of netcat that is used, by another setting too', async () => {
    const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
    const port = `${freePort()}`
    const args = ['--port', port, '--metrics', `127.0.0.1:${other.port}`, '--netcat', `127.0.0.1:${port}`]
    const { code, stdout } = await look(...args, ...guests, '--data', join(temporaryFolder(), 'data'))
    other.stop(true)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^bad {3}metrics: \d+ on 127\.0\.0\.1 is used already\n {6}→ .*--metrics$/m)
    expect(stdout).toMatch(/^bad {3}netcat: \d+ on 127\.0\.0\.1 is used already\n {6}→ .*--netcat$/m)
  })

  test('sees whether the running server has them', async () => {
    const data = temporaryFolder()
    await keys(data, 'add', 'guests', '--create')
    const netcat = ['--netcat', `127.0.0.1:${freePort()}`]
    const server = await start({ data, args: ['--log', 'off', ...guests, ...netcat] })
    const metrics = ['--metrics', `127.0.0.1:${freePort()}`]
    const { port } = new URL(server.url)
    const { stdout } = await look('--port', port, '--data', data, ...guests, ...netcat, ...metrics)
    await server.stop()
    expect(stdout).toMatch(/^good {2}netcat: something listens at \d+ on 127\.0\.0\.1/m)
    expect(stdout).toMatch(/^look {2}metrics: nothing listens at \d+ on 127\.0\.0\.1, though a server runs$/m)
  })
})

const trust = ['--trust-proxy', '127.0.0.1'] as const

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

/** A proxy that passes its name on, and these headers. */
const proxyOf = (server: RunningServer, headers: Record<string, string> = {}) =>
  proxyThat((host) => ({ Host: host, ...headers }), server)

const lookThrough = (server: RunningServer, url: string, ...args: string[]) => {
  const { port } = new URL(server.url)
  const own = ['--host', '127.0.0.1', '--port', port, '--data', server.data]
  return run(['doctor', ...own, '--url', url, ...args])
}

describe('doctor of a server behind a proxy', () => {
  test('finds that the proxy does not say who asks, which guests and the log need', async () => {
    const proxy = proxyOf(trusting)
    const { code, stdout } = await lookThrough(trusting, proxy, ...trust, ...guests)
    expect(code).toBe(1)
    expect(stdout).toContain(`good  address: ${proxy} is what the server calls itself\n`)
    expect(stdout).toMatch(/^bad {3}clients: the proxy does not say who asks.*\n {6}→ .*X-Forwarded-For/m)
    const withoutGuests = await lookThrough(trusting, proxy, ...trust)
    expect(withoutGuests).toMatchObject({ code: 0, stdout: expect.stringMatching(/^look {2}clients: /m) })
  })

  test('finds that the server does not trust the proxy', async () => {
    const proxy = proxyOf(distrusting, { 'X-Forwarded-For': '203.0.113.7' })
    const { code, stdout } = await lookThrough(distrusting, proxy, ...guests)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^bad {3}clients: .* does not trust it.*\n {6}→ set --trust-proxy/m)
  })

  test('is content with a proxy that says who asks, on the machine of the proxy too', async () => {
    for (const client of ['203.0.113.7', '127.0.0.1']) {
      const proxy = proxyOf(trusting, { 'X-Forwarded-For': client })
      const { code, stdout } = await lookThrough(trusting, proxy, ...trust, ...guests)
      expect(code).toBe(0)
      expect(stdout).not.toContain('clients: ')
    }
  })

  test('takes the server itself for no proxy, where proxies of this machine are trusted', async () => {
    const { code, stdout } = await lookThrough(trusting, trusting.url, ...trust, ...guests)
    expect(code).toBe(0)
    expect(stdout).not.toContain('clients: ')
  })

  test('sees that the proxy does not reach the server', async () => {
    const lost = serve(() => new Response('Bad Gateway', { status: 502 }))
    const { stdout } = await lookThrough(trusting, lost)
    expect(stdout).toMatch(
      /answers 502, but not as Shortcrust does\n {6}→ start the server, and look at the address/,
    )
  })

  test('shows where a redirect leads', async () => {
    const moving = serve(({ url }) =>
      Response.redirect(`https://paste.example.org${new URL(url).pathname}`, 302),
    )
    const { code, stdout } = await lookThrough(trusting, moving)
    expect(code).toBe(1)
    expect(stdout).toContain(`${moving} answers 302 and leads to https://paste.example.org/openapi.json\n`)
    expect(stdout).toContain('→ ask at that address: --url https://paste.example.org\n')
    const portal = serve(() => Response.redirect('https://auth.example.org/login', 302))
    const login = await lookThrough(trusting, portal)
    expect(login.stdout).toMatch(/leads to https:\/\/auth\.example\.org\/login\n {6}→ .* ask for no login/)
  })

  test.skipIf(!requireProgram('openssl', 'openssl'))('says that it is the certificate', async () => {
    const { certificate, key } = makeCertificate(temporaryFolder())
    const tls = { cert: Bun.file(certificate), key: Bun.file(key) }
    const { code, stdout } = await lookThrough(
      trusting,
      serve(() => new Response(), tls),
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^bad {3}address: .*TLS failed: the certificate .*\n {6}→ look at the certificate/m,
    )
    const nobody = await lookThrough(trusting, `https://127.0.0.1:${freePort()}`)
    expect(nobody.stdout).toContain('→ start the proxy and the server')
  })
})

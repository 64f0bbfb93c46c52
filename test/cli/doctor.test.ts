import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lookAtClock } from '../../src/cli/doctor/doctor.ts'
import { freePort } from '../support/ports.ts'
import { run, start, temporaryFolder } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer()
const portOf = (url: string) => new URL(url).port
const look = (...args: string[]) => run(['doctor', '--host', '127.0.0.1', ...args])
const lookAtServer = (...args: string[]) => look('--port', portOf(server.url), '--data', server.data, ...args)
const unused = () => ['--port', `${freePort()}`] as const

const proxies: { stop: (now: boolean) => unknown }[] = []
afterAll(() => proxies.map((proxy) => proxy.stop(true)))
/** A proxy with this other name in front of the server, which tells it these headers. */
const proxyThat = (headersFor: (own: string) => Record<string, string>) => {
  const proxy = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { host, pathname } = new URL(request.url)
      const headers = { 'Accept-Encoding': 'identity', ...headersFor(host) }
      const answer = await fetch(server.url + pathname, { headers })
      return new Response(await answer.text(), { status: answer.status })
    },
  })
  proxies.push(proxy)
  return `http://127.0.0.1:${proxy.port}`
}

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

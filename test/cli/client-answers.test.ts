import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { repository, run, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { failure, newUser } from '../support/user.ts'

const user = newUser()
const paste = (server: string, args: string[] = [], env: Record<string, string> = {}) =>
  user.run(['paste', '--server', server, ...args], {
    stdin: 'text',
    env: { SHORTCRUST_KEY: testKey, ...env },
  })

/** What the server of the test answers next. */
let answer: () => Response | Promise<Response>
let requests = 0
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => {
    requests++
    return answer()
  },
})
const url = `http://127.0.0.1:${server.port}`
afterAll(() => server.stop(true))

const refused = (status: number, error: string, headers: Record<string, string> = {}) =>
  Response.json({ success: false, error }, { status, headers })

describe('an answer of the server', () => {
  test.each([
    ['400', 1, () => refused(400, 'malformed'), /standard input: malformed/],
    [
      '401',
      3,
      () => refused(401, 'no such key'),
      /no such key; run shortcrust login http:\S+ with a valid key/,
    ],
    ['403', 3, () => refused(403, 'may create short links only'), /: may create short links only/],
    ['413', 1, () => refused(413, 'too large'), /too large/],
    ['422', 1, () => refused(422, 'wrong field'), /wrong field/],
    ['429', 4, () => refused(429, 'try in 61 s', { 'Retry-After': '61' }), /try in 61 s/],
    ['500', 6, () => refused(500, 'Internal error'), /Internal error/],
    ['503', 6, () => refused(503, 'Storage failed'), /Storage failed/],
    ['507', 6, () => refused(507, 'The disk is full'), /The disk is full/],
    [
      '413 of a proxy',
      1,
      () => new Response('<html>', { status: 413 }),
      /proxy in front of http:\S+ refuses this much/,
    ],
    ['502 of a proxy', 5, () => new Response('', { status: 502 }), /does not reach its server \(502\)/],
    [
      '404 of another program',
      5,
      () => new Response('', { status: 404 }),
      /not answer like a Shortcrust server \(404, /,
    ],
    [
      'a page',
      5,
      () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } }),
      /\(200, text\/html/,
    ],
    ['JSON of another program', 5, () => Response.json({ ok: true }), /not answer like a Shortcrust server/],
    ['JSON that is no object', 5, () => Response.json(null), /not answer like a Shortcrust server/],
    [
      'a success without an address',
      5,
      () => Response.json({ success: true }, { status: 201 }),
      /no pasteUrl/,
    ],
    [
      'an address that would write to the terminal',
      5,
      () => Response.json({ success: true, pasteUrl: 'http://a/\x1b[2J' }, { status: 201 }),
      /no pasteUrl/,
    ],
    [
      'a redirect',
      5,
      () => Response.redirect('https://nas.lan/paste', 301),
      /sends on to https:\/\/nas\.lan: use that/,
    ],
  ])('%s ends with exit code %d and its message', async (_, code, given, says) => {
    answer = given
    requests = 0
    expect(await paste(url)).toEqual(failure(code, says))
    expect(requests).toBe(1)
  })

  test('never brings control characters to the terminal', async () => {
    answer = () => refused(422, 'a\x1b]0;b\x07\x9b2Jc\nd')
    expect((await paste(url)).stderr).toBe('shortcrust: standard input: a ]0;b 2Jc d.\n')
  })

  test('without an end is not read without an end', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65536)) })
    answer = () => new Response(endless)
    expect(await paste(url)).toEqual(failure(5, /not answer like a Shortcrust server/))
  })

  test('that does not come is given up after --timeout seconds', async () => {
    answer = () => new Promise<Response>(() => {})
    expect(await paste(url, ['--timeout', '1'])).toEqual(
      failure(5, /nothing moved for 1 s; it is not known whether/),
    )
    for (const wrong of ['0', 'x', '1.5', '10000'])
      expect(await paste(url, ['--timeout', wrong])).toEqual(
        failure(2, /--timeout: expected a number of seconds/),
      )
  })
})

describe('a server that is not reached', () => {
  test.each([
    [
      'a port where nobody listens',
      'http://127.0.0.1:1',
      /cannot reach http:\/\/127\.0\.0\.1:1: nothing answers there/,
    ],
    [
      'a host that does not exist',
      'http://nas.invalid',
      /cannot reach http:\/\/nas\.invalid: no host has this name/,
    ],
    [
      'TLS to a port without it',
      `https://127.0.0.1:${server.port}`,
      /TLS failed: does the address need http:\/\//,
    ],
  ])('%s is named, with exit code 5', async (_, address, says) => {
    expect(await paste(address)).toEqual(failure(5, says))
  })

  test('a connection that is cut is named, with exit code 5', async () => {
    const cutting = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.terminate() },
    })
    expect(await paste(`http://127.0.0.1:${cutting.port}`)).toEqual(
      failure(5, /the connection was cut before an answer/),
    )
    cutting.stop(true)
  })
})

describe.skipIf(!requireProgram('openssl', 'openssl'))('a server with TLS', () => {
  const folder = temporaryFolder()
  const certificate = join(folder, 'cert.pem')
  let secure: ReturnType<typeof Bun.serve>
  beforeAll(() => {
    const words =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'.split(' ')
    const files = ['-keyout', join(folder, 'key.pem'), '-out', certificate]
    Bun.spawnSync(['openssl', ...words, '-addext', 'subjectAltName=DNS:localhost', ...files])
    secure = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: { key: Bun.file(join(folder, 'key.pem')), cert: Bun.file(certificate) },
      fetch: () => Response.json({ success: true, pasteUrl: 'https://localhost/p/a' }, { status: 201 }),
    })
  })
  afterAll(() => secure.stop(true))

  test('is refused while its certificate is not trusted, and used when NODE_EXTRA_CA_CERTS names it', async () => {
    const address = `https://localhost:${secure.port}`
    const trust = { NODE_EXTRA_CA_CERTS: certificate }
    expect(await paste(address)).toEqual(
      failure(5, /TLS failed: the certificate is self-signed; .*NODE_EXTRA_CA_CERTS/),
    )
    expect(await paste(address, [], trust)).toMatchObject({ code: 0, stdout: 'https://localhost/p/a\n' })
    const byNumber = `https://127.0.0.1:${secure.port}`
    expect(await paste(byNumber, [], trust)).toEqual(failure(5, /the certificate is for another host name/))
  })
})

test('docs/command-line.md lists every flag of the commands', async () => {
  const text = await Bun.file(join(repository, 'docs/command-line.md')).text()
  const { stdout } = await run(['paste', '--help'])
  const flags = stdout.match(/--[a-z]+/g) ?? []
  expect(flags.length).toBeGreaterThan(6)
  for (const flag of flags) expect(text).toContain(flag)
})

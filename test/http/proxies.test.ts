import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { deployFile, hasNginx, startNginx } from '../support/nginx.ts'
import { freePort } from '../support/ports.ts'
import { type RunningServer, start, startProgram, temporaryFolder, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'

const hasOpenssl = requireProgram('openssl', 'openssl')
const hasCaddy = requireProgram('caddy', 'caddy')

type Running = { stop: () => Promise<void> }

/** A certificate that signs itself. */
const makeCertificate = (folder: string) => {
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=paste.example.org']
  const command = ['openssl', 'req', ...kind, '-addext', 'subjectAltName=DNS:paste.example.org']
  const { exitCode } = Bun.spawnSync([...command, '-keyout', key, '-out', certificate], { stderr: 'ignore' })
  expect(exitCode).toBe(0)
  return { certificate, key }
}

/** The example for nginx, on ports of this test. */
const nginxOf = (tls: number, plain: number, server: string) => {
  const { certificate, key } = makeCertificate(temporaryFolder())
  return startNginx(
    deployFile('nginx.conf')
      .replace('server 127.0.0.1:8080;', `server ${new URL(server).host};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${tls} ssl`)
      .replace('listen 80;', `listen 127.0.0.1:${plain};`)
      .replaceAll(/listen \[::\].*/g, '')
      .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`),
  )
}

/** The example for Caddy, on ports of this test; it keeps everything in a folder of the test. */
const caddyOf = (tls: number, plain: number, server: string) => {
  const folder = temporaryFolder()
  const { certificate, key } = makeCertificate(folder)
  const file = join(folder, 'Caddyfile')
  const own = ['admin off', `https_port ${tls}`, `http_port ${plain}`, 'default_bind 127.0.0.1']
  const site = deployFile('Caddyfile')
    .replace('paste.example.org {', `paste.example.org {\n\ttls ${certificate} ${key}`)
    .replace('127.0.0.1:8080', new URL(server).host)
  writeFileSync(file, `{\n\t${own.join('\n\t')}\n}\n${site}`)
  const command = ['env', `HOME=${folder}`, 'caddy', 'run', '--config', file, '--adapter', 'caddyfile']
  return startProgram(command, /serving initial configuration/)
}

const proxies = [
  ['nginx', hasNginx && hasOpenssl, nginxOf],
  ['Caddy', hasCaddy && hasOpenssl, caddyOf],
] as const

describe.each(proxies)('behind the example for %s', (_, isThere, startProxy) => {
  const [tls, plain] = [freePort(), freePort()]
  const origin = `https://127.0.0.1:${tls}`
  const host = `paste.example.org:${tls}`
  let server: RunningServer
  let proxy: Running
  beforeAll(async () => {
    if (!isThere) return
    server = await start({ args: ['--rate-limit', 'off', '--trust-proxy', '127.0.0.1'] })
    proxy = await startProxy(tls, plain, server.url)
  })
  afterAll(async () => {
    await proxy?.stop()
    await server?.stop()
  })

  const ask = (
    path: string,
    { headers = {}, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  ) =>
    fetch(origin + path, {
      ...init,
      redirect: 'manual',
      headers: { Host: host, ...headers },
      tls: { rejectUnauthorized: false, serverName: 'paste.example.org' },
    } as RequestInit)
  const post = (path: string, body: object) =>
    ask(path, {
      method: 'POST',
      headers: {
        key: testKey,
        'Content-Type': 'application/json',
        'X-Forwarded-For': '6.6.6.6',
        'X-Forwarded-Host': 'evil',
      },
      body: JSON.stringify(body),
    })
  const pathOf = (address = '') => address.replace(`https://${host}`, '')

  test.skipIf(!isThere)(
    'addresses are those of the proxy, and the client is the one that it saw',
    async () => {
      const paste = (await (await post('/paste', examplePaste)).json()) as Record<string, string>
      expect(paste.pasteUrl).toStartWith(`https://${host}/p/`)
      expect(await (await ask(pathOf(paste.rawUrl))).text()).toBe(examplePaste.text)
      const [, line = ''] = await server.stderr.waitFor(/(paste created.*)\n/)
      expect(line).toEndWith(' client=127.0.0.1')
    },
  )

  test.skipIf(!isThere)(
    'a short link leads where it leads, even to the address of the server itself',
    async () => {
      const target = `${server.url}/p/anything`
      const link = (await (await post('/shortener', { url: target })).json()) as Record<string, string>
      const response = await ask(pathOf(link.shortendUrl))
      expect([response.status, response.headers.get('Location')]).toEqual([302, target])
    },
  )

  test.skipIf(!isThere)('pages come compressed, with their entity tag', async () => {
    // Without a grammar the page is final at once, on a busy machine too, and so is its entity tag.
    const paste = { ...examplePaste, language: 'text' }
    const { pasteUrl } = (await (await post('/paste', paste)).json()) as Record<string, string>
    const page = await ask(pathOf(pasteUrl), { headers: { ...browser, 'Accept-Encoding': 'zstd' } })
    expect(page.headers.get('Content-Encoding')).toBe('zstd')
    expect(page.headers.get('ETag')).toMatch(/^"\w+-zstd"$/)
  })

  test.skipIf(!isThere)(
    'the largest paste passes, and a larger one gets the answer of the server',
    async () => {
      const text = '\u0001'.repeat(1024 ** 2)
      expect((await post('/paste', { ...examplePaste, text })).status).toBe(201)
      const refused = await post('/paste', { ...examplePaste, text: `${text}x` })
      expect(refused.status).toBe(413)
      expect(await refused.json()).toMatchObject({ success: false })
    },
  )

  test.skipIf(!isThere)('plain HTTP is sent on', async () => {
    const answer = await createClient(`http://127.0.0.1:${plain}`).get('/p/a?b=c', {
      Host: 'paste.example.org',
    })
    expect(answer.status).toBe(308)
    expect(answer.headers.get('Location')).toMatch(/^https:\/\/paste\.example\.org(:\d+)?\/p\/a\?b=c$/)
  })
})

type Traefik = {
  http: {
    routers: Record<string, { rule: string; service: string }>
    services: Record<string, { loadBalancer: { servers: { url: string }[]; serversTransport: string } }>
    serversTransports: Record<string, object>
  }
}

// Traefik is not in Debian: only that the file hangs together is checked.
test('the example for Traefik is YAML whose routers, services and transports belong together', () => {
  const { http } = Bun.YAML.parse(deployFile('traefik.yml')) as Traefik
  const services = Object.values(http.services)
  for (const { service, rule } of Object.values(http.routers)) {
    expect(Object.keys(http.services)).toContain(service)
    expect(rule).toMatch(/^Host\(`[\w.]+`\)/)
  }
  expect(services.map(({ loadBalancer }) => loadBalancer.servers)).toEqual([
    [{ url: 'http://127.0.0.1:8080' }],
  ])
  for (const { loadBalancer } of services)
    expect(Object.keys(http.serversTransports)).toContain(loadBalancer.serversTransport)
})

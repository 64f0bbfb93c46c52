import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { deployFile } from '../support/nginx.ts'
import { freePort } from '../support/ports.ts'
import { type RunningServer, start, testKey } from '../support/process.ts'
import { askProxy, proxies } from '../support/tls-proxies.ts'

describe.each(proxies)('behind the example for %s', (_, isThere, startProxy) => {
  const [tls, plain] = [freePort(), freePort()]
  const host = `paste.example.org:${tls}`
  let server: RunningServer
  let proxy: { stop: () => Promise<void> }
  beforeAll(async () => {
    if (!isThere) return
    server = await start({ args: ['--rate-limit', 'off', '--trust-proxy', '127.0.0.1'] })
    proxy = await startProxy({ tls, plain, server: server.url })
  })
  afterAll(async () => {
    await proxy?.stop()
    await server?.stop()
  })

  const ask = askProxy(tls)
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

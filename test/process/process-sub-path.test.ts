import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { hasNginx, startNginx, subPathConfig } from '../support/nginx.ts'
import { freePort } from '../support/ports.ts'
import { type RunningServer, start, testKey } from '../support/process.ts'

const prefixes = ['/paste', '/s', '/p', '/a/b', '/a.b+(c)']
const kinds = [
  ['leaves the prefix on', false],
  ['takes the prefix off', true],
] as const
const cases = prefixes.flatMap((prefix) =>
  kinds.map(([what, isStripping]) => [prefix, what, isStripping] as const),
)

const linksIn = (html: string, base: string) =>
  [...html.matchAll(/<(?:a|link|script|img|form)\b[^>]*?\s(?:href|src|action)="([^"]*)"/g)].map(
    ([, link = '']) => new URL(link.replaceAll('&amp;', '&'), base).href.replace(/#.*/, ''),
  )

describe.skipIf(!hasNginx).each(cases)('at %s behind an nginx that %s', (prefix, _, isStripping) => {
  const port = freePort()
  const origin = `http://127.0.0.1:${port}`
  const site = origin + prefix
  let server: RunningServer
  let nginx: Awaited<ReturnType<typeof startNginx>>
  let client: ReturnType<typeof createClient>
  beforeAll(async () => {
    const addresses = ['--public-url', `${site}/`, '--base-url', site, '--trust-proxy', '127.0.0.1']
    server = await start({ args: ['--rate-limit', 'off', '--log', 'off', ...addresses] })
    nginx = await startNginx(subPathConfig(port, prefix, server.url, isStripping))
    client = createClient(site)
  })
  afterAll(async () => {
    await nginx.stop()
    await server.stop()
  })

  /** Follows every link of a page that leads to this host, on and on. Fails for one that leaves the site or leads nowhere. */
  const crawl = async (html: string, at: string, seen = new Set<string>()) => {
    const own = linksIn(html, at).filter((link) => link.startsWith(origin) && !seen.has(link))
    for (const link of own) {
      if (seen.has(link)) continue
      seen.add(link)
      expect(link).toStartWith(`${site}/`)
      const response = await client.get(link, browser)
      expect([link, response.status]).toEqual([link, 200])
      const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
      if (isPage) await crawl(await response.text(), link, seen)
    }
    const shape = /(^\/(?:p\/raw|p|s|qr\/p|qr\/s)\/)\w+|(^\/assets\/\w+-)\w+/
    return [...seen].map((link) => link.slice(site.length).replace(shape, '$1$2…'))
  }

  const pageAt = async (address: string, status = 200) => {
    const response = await client.get(address, browser)
    expect([address, response.status]).toEqual([address, status])
    return crawl(await response.text(), address)
  }

  const assets = ['style-….css', 'icon-….svg', 'early-….js', 'every-….js'].map((name) => `/assets/${name}`)

  test('the start page and what it links to is there', async () => {
    expect(await pageAt(`${site}/`)).toEqual(expect.arrayContaining([...assets, '/', '/assets/home-….js']))
    const answer = await client.get(site, browser)
    expect([answer.status, new URL(answer.headers.get('Location') ?? '', site).href]).toEqual([
      308,
      `${site}/`,
    ])
  })

  test('the API creates, and every address in its answers is there', async () => {
    const created = await client.post('/paste', examplePaste)
    const paste = (await created.json()) as Record<string, string>
    expect([created.status, created.headers.get('Location')]).toEqual([201, paste.pasteUrl ?? ''])
    const { pasteUrl = '', rawUrl = '', deletionUrl = '' } = paste
    const link = await client.link('https://example.org/?a=1')
    for (const address of [pasteUrl, rawUrl, deletionUrl, link.shortendUrl, link.deletionUrl])
      expect(address).toStartWith(`${site}/`)

    expect(await (await client.get(rawUrl)).text()).toBe(examplePaste.text)
    expect(await pageAt(pasteUrl)).toEqual(
      expect.arrayContaining([...assets, '/assets/paste-….js', '/p/raw/…']),
    )
    expect(await pageAt(`${link.shortendUrl}+`)).toEqual(expect.arrayContaining(assets))
    const redirect = await client.get(link.shortendUrl ?? '')
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, 'https://example.org/?a=1'])

    for (const address of [deletionUrl, link.deletionUrl ?? '']) {
      expect(await pageAt(address)).toEqual(expect.arrayContaining(assets))
      const deleted = await client.get(address, browser, { method: 'POST' })
      expect(deleted.status).toBe(200)
      await crawl(await deleted.text(), address)
    }
    expect(await pageAt(pasteUrl, 410)).toEqual(expect.arrayContaining([...assets, '/']))
  })

  test('the forms of the start page create, and what they answer is there', async () => {
    const home = await (await client.get(`${site}/`, browser)).text()
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(home) ?? []
    for (const fields of [
      { ...examplePaste, create: 'paste' },
      { create: 'link', url: 'https://example.org/' },
    ]) {
      const body = new FormData()
      for (const [name, value] of Object.entries({ key: testKey, ...fields })) body.set(name, value)
      const response = await fetch(new URL(action, `${site}/`), { method: 'POST', headers: browser, body })
      expect(response.status).toBe(201)
      const kind = fields.create === 'link' ? 's' : 'p'
      const found = await crawlCreated(await response.text(), kind)
      expect(found).toEqual(expect.arrayContaining([...assets, `/qr/${kind}/…`]))
    }
  })

  /** A short link leads elsewhere, by design: it is asked for, not followed. */
  const crawlCreated = (html: string, kind: string) =>
    crawl(kind === 's' ? html.replaceAll(/href="[^"]*\/s\/\w+"/g, '') : html, `${site}/`)

  test.each(['/p/2222222222', '/s/2222222', '/nothing', '/very/deep/nothing', '/p/raw/x/y', '/assets/none'])(
    'the error page at %s leads home',
    async (path) => {
      expect(await pageAt(site + path, 404)).toEqual(expect.arrayContaining([...assets, '/']))
    },
  )

  test('a plain upload, its short name and the hastebin API lead to the page', async () => {
    const upload = await client.get('/name.py', { key: testKey }, { method: 'PUT', body: 'print(1)' })
    expect(upload.status).toBe(201)
    const address = (await upload.text()).trim()
    expect(address).toStartWith(`${site}/p/`)
    const id = address.slice(`${site}/p/`.length)
    // At `/p` and `/s` this is the address of a paste or a link whose prefix was taken off.
    const short = await client.get(['/p', '/s'].includes(prefix) ? `/share/${id}` : `/${id}`)
    expect([short.status, short.headers.get('Location')]).toEqual([302, address])
    for (const path of ['/raw/', '/p/raw/'])
      expect(await (await client.get(path + id)).text()).toBe('print(1)')
    await pageAt(address)
  })

  test('a wrong method, a large body and a health check are answered as elsewhere', async () => {
    const wrong = await client.get('/paste')
    expect([wrong.status, wrong.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
    const text = 'x'.repeat(1024 ** 2)
    expect((await client.post('/paste', { ...examplePaste, text })).status).toBe(201)
    const large = await client.post('/paste', { ...examplePaste, text: `${text}x` })
    expect([large.status, await large.json()]).toEqual([413, { success: false, error: expect.any(String) }])
    expect((await client.get('/healthz')).status).toBe(200)
    expect((await client.get('/readyz')).status).toBe(200)
  })
})

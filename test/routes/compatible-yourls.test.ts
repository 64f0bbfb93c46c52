import { beforeAll, describe, expect, test } from 'bun:test'
import { run, testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer({ args: ['--rate-limit', 'off', '--access-log', 'on'] })
const byGet = withServer({
  args: [
    ...['--rate-limit', 'off', '--protocols', 'all,yourls-get', '--trust-proxy', '127.0.0.1'],
    ...['--guest-from', '127.0.0.0/8', '--guest-key', 'environment', '--user-header', 'Remote-User'],
  ],
})
const slow = withServer({ args: ['--rate-limit', '1/1h', '--log', 'off'] })

type Answer = Record<string, unknown> & { url?: Record<string, string>; link?: Record<string, unknown> }
const key = { signature: testKey, format: 'json' }
const post = (fields: Record<string, string>, at = server.url, headers: Record<string, string> = {}) =>
  fetch(`${at}/yourls-api.php`, { method: 'POST', headers, body: new URLSearchParams(fields) })
const get = (fields: Record<string, string>, at = server.url, headers: Record<string, string> = {}) =>
  fetch(`${at}/yourls-api.php?${new URLSearchParams(fields)}`, { headers })
const said = async (response: Response | Promise<Response>) => (await (await response).json()) as Answer
const shorten = (url: string, more = {}) => said(post({ ...key, action: 'shorturl', url, ...more }))
const linksOf = async (at = server.url) => {
  const listed = await fetch(`${at}/links`, { headers: { key: testKey } })
  return ((await listed.json()) as { total: number }).total
}

/** What python-requests sends for pyourls3, byte for byte. */
const asPython = (body: string) =>
  exchange(
    server.url,
    [
      'POST /yourls-api.php HTTP/1.1',
      `Host: ${new URL(server.url).host}`,
      'User-Agent: python-requests/2.34.2',
      'Accept-Encoding: gzip, deflate',
      'Accept: */*',
      `Content-Length: ${body.length}`,
      'Content-Type: application/x-www-form-urlencoded',
    ],
    body,
  )

describe('a short link by YOURLS', () => {
  test('is made for pyourls3, which first sends its key alone', async () => {
    const first = await asPython(`signature=${testKey}&format=json`)
    expect([first.status, await said(first)]).toMatchObject([
      400,
      { message: expect.stringContaining('Unknown or missing "action"'), errorCode: '400' },
    ])
    const made = await said(
      await asPython(
        `signature=${testKey}&format=json&action=shorturl&url=https%3A%2F%2Fexample.org%2Fa%3Fb%3Dc%2Bd&keyword=wiki`,
      ),
    )
    const url = 'https://example.org/a?b=c+d'
    expect(made).toEqual({
      url: {
        keyword: 'wiki',
        url,
        title: url,
        date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        ip: '',
      },
      ...{ status: 'success', message: `${url} added to database`, title: url },
      ...{ shorturl: `${server.url}/s/wiki`, statusCode: 200 },
    })
    expect((await client.get('/s/wiki')).headers.get('Location')).toBe(url)
    const longurl = await said(await asPython(`signature=${testKey}&format=json&action=expand&shorturl=wiki`))
    expect(longurl).toMatchObject({ longurl: url, message: 'success', shorturl: `${server.url}/s/wiki` })
  })

  test('is made for ShareX and PrivateBin', async () => {
    const body = new FormData()
    for (const [name, value] of Object.entries({
      ...key,
      action: 'shorturl',
      url: 'https://example.org/x',
      format: 'simple',
    }))
      body.set(name, value)
    const shareX = await fetch(`${server.url}/yourls-api.php`, { method: 'POST', body })
    const address = await shareX.text()
    expect(address).toStartWith(`${server.url}/s/`)
    expect((await client.get(address)).headers.get('Location')).toBe('https://example.org/x')
    const privateBin = await shorten('https://privatebin.example/?f468483c313401e8')
    expect([privateBin.statusCode, privateBin.shorturl]).toEqual([200, expect.stringContaining('/s/')])
  })

  test('takes a title, the key as a password with any name, and an address without a scheme', async () => {
    const fields = {
      username: 'anybody',
      password: testKey,
      format: 'json',
      action: 'shorturl',
      url: 'example.org/y',
    }
    expect((await said(post(fields))).url?.url).toBe('http://example.org/y')
    const titled = await shorten('https://example.org/titled', { title: 'A title' })
    expect(titled).toMatchObject({ title: 'A title', url: { title: 'A title' } })
    const { title } = await said(post({ ...key, action: 'expand', shorturl: String(titled.shorturl) }))
    expect(title).toBe('A title')
    const nothing = await fetch(`${server.url}/yourls-api.php?${new URLSearchParams(fields)}`, {
      method: 'POST',
    })
    expect((await said(nothing)).url?.url).toBe('http://example.org/y')
  })

  test.each([
    ['a keyword that is taken', { keyword: 'taken' }, 400, 'error:keyword', /^Field "keyword".*taken/],
    ['a keyword that is reserved', { keyword: 'api' }, 400, 'error:keyword', /reserved/],
    ['no address', { url: '' }, 400, 'error:nourl', /empty/],
    ['an address of another kind', { url: 'javascript:alert(1)' }, 400, 'error:nourl', /http/],
    ['an option of a plugin', { expiry: 'clock', age: '3' }, 400, 'error:invalid', /expiry/],
  ])('is refused for %s, in the words of YOURLS', async (_, fields, status, code, message) => {
    await shorten('https://example.org/', { keyword: 'taken' })
    const before = await linksOf()
    const response = await post({ ...key, action: 'shorturl', url: 'https://example.org/', ...fields })
    expect(response.status).toBe(status)
    expect(await said(response)).toEqual({
      ...{ status: 'fail', code, message: expect.stringMatching(message) },
      ...{ errorCode: String(status), statusCode: status },
    })
    expect(await linksOf()).toBe(before)
  })

  test('of a short link is refused as a loop', async () => {
    const { shorturl = '' } = await shorten('https://example.org/')
    expect(await shorten(String(shorturl))).toMatchObject({ status: 'fail', code: 'error:noloop' })
  })

  test('is refused with 403 without a key and with a wrong one, which YOURLS says, too', async () => {
    for (const fields of [{}, { signature: 'wrong' }, { username: 'a', password: 'wrong' }]) {
      const response = await post({
        ...fields,
        format: 'json',
        action: 'shorturl',
        url: 'https://example.org/',
      })
      expect([response.status, await said(response)]).toEqual([
        403,
        { message: expect.stringMatching(/key/i), errorCode: '403', statusCode: 403 },
      ])
    }
  })

  test('is refused at the rate limit, with the time to wait', async () => {
    const fields = { ...key, action: 'shorturl', url: 'https://example.org/' }
    expect((await post(fields, slow.server.url)).status).toBe(200)
    const response = await post(fields, slow.server.url)
    expect([response.status, await said(response)]).toMatchObject([429, { status: 'fail', errorCode: '429' }])
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0)
  })
})

describe('a GET', () => {
  const fields = { ...key, action: 'shorturl', url: 'https://example.org/get' }

  test('changes nothing, says to send POST, and its key is in no log', async () => {
    const before = await linksOf()
    for (const format of ['json', 'xml', 'simple']) {
      const response = await get({ ...fields, format })
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
      expect(await response.text()).toContain('send action=shorturl by POST')
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    }
    expect(await linksOf()).toBe(before)
    await server.stderr.waitFor(/yourls-api/)
    expect(server.stderr.text()).not.toContain(testKey)
  })

  test('creates where the owner named yourls-get, for the program "yourls" of PyPI', async () => {
    const at = byGet.server.url
    const made = await said(get(fields, at))
    expect(made).toMatchObject({
      status: 'success',
      statusCode: 200,
      url: { url: 'https://example.org/get' },
    })
    const head = await fetch(`${at}/yourls-api.php?${new URLSearchParams(fields)}`, { method: 'HEAD' })
    expect(head.status).toBe(405)
    expect(await linksOf(at)).toBe(1)
  })

  test('never creates without a key: a picture in any page could do that for guests and users', async () => {
    const at = byGet.server.url
    const { signature: _, ...others } = fields
    for (const headers of [{}, { 'Remote-User': 'ann' }]) {
      const refused = await get(others, at, headers)
      expect([refused.status, (await said(refused)).message]).toEqual([
        403,
        expect.stringMatching(/"signature"/),
      ] as never)
    }
    expect((await get({ ...fields, signature: 'wrong' }, at)).status).toBe(403)
    expect(await linksOf(at)).toBe(1)
    // Guests create by POST, as everywhere.
    expect((await post(others, at, { 'X-Forwarded-For': '127.0.0.9' })).status).toBe(200)
  })
})

describe('what YOURLS tells of short links', () => {
  let name: string
  beforeAll(async () => {
    const { url } = await shorten('https://example.org/counted?a=1&b=<2>')
    name = url?.keyword ?? ''
    await client.get(`/s/${name}`)
  })

  test.each(['expand', 'url-stats'])(
    '%s takes a name or an address, and no other server’s',
    async (action) => {
      for (const shorturl of [name, `${server.url}/s/${name}`, `${server.url}/s/${name}+`]) {
        const { message, longurl, link } = await said(get({ ...key, action, shorturl }))
        expect([message, longurl ?? link?.url]).toEqual([
          'success',
          'https://example.org/counted?a=1&b=%3C2%3E',
        ])
      }
      for (const shorturl of ['nothing', `https://elsewhere.example/s/${name}`, '']) {
        const response = await get({ ...key, action, shorturl })
        expect([response.status, await said(response)]).toMatchObject([
          404,
          { errorCode: '404', statusCode: 404 },
        ])
      }
    },
  )

  test('counts visits of links of the key', async () => {
    const { link } = await said(post({ ...key, action: 'url-stats', shorturl: name }))
    expect(link).toMatchObject({
      shorturl: `${server.url}/s/${name}`,
      clicks: 1,
      ip: '',
      timestamp: expect.any(String),
    })
    const total = await linksOf()
    const totals = { total_links: total, total_clicks: 3 }
    expect(await said(post({ ...key, action: 'db-stats' }))).toMatchObject({
      'db-stats': totals,
      message: 'success',
    })
    expect(await said(post({ ...key, action: 'stats' }))).toEqual({
      stats: totals,
      message: 'success',
      statusCode: 200,
    })
    const top = await said(get({ ...key, action: 'stats', filter: 'last', limit: '2', start: '1' }))
    expect(Object.keys(top.links as object)).toEqual(['link_1', 'link_2'])
    const best = (await said(get({ ...key, action: 'stats', filter: 'top', limit: '2' }))) as {
      links?: Record<string, { clicks: number }>
    }
    expect(Object.values(best.links ?? {}).map(({ clicks }) => clicks)).toEqual([1, 1])
    expect((await get({ ...key, action: 'stats', filter: 'bottom', limit: '2' })).status).toBe(400)
  })

  test('shows no target of a link that burns, but to its key', async () => {
    const { shortendUrl = '' } = await client.link('https://example.org/secret', { maxVisits: 1 })
    const other = (await run(['keys', 'add', 'other', '--data', server.data])).stdout.trim()
    const asked = { format: 'json', action: 'expand', shorturl: shortendUrl }
    expect((await post({ ...asked, signature: other })).status).toBe(404)
    expect((await said(post({ ...asked, signature: testKey }))).longurl).toBe('https://example.org/secret')
  })

  test('needs a key', async () => {
    for (const action of ['expand', 'stats', 'db-stats', 'version', ''])
      expect((await get({ action, shorturl: name, format: 'json' })).status).toBe(403)
    expect(await (await get({ ...key, action: 'version', format: 'simple' })).text()).toMatch(/^1\.\d+\.\d+$/)
  })
})

describe('a format', () => {
  test('is XML unless it is named, and plain text if it is not known', async () => {
    const { url } = await shorten('https://example.org/?a=1&b=2')
    const asked = { signature: testKey, action: 'expand', shorturl: url?.keyword ?? '' }
    const xml = await get(asked)
    expect(xml.headers.get('Content-Type')).toBe('application/xml; charset=utf-8')
    expect(await xml.text()).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<result><keyword>')
    expect(await (await get(asked)).text()).toContain('<longurl>https://example.org/?a=1&amp;b=2</longurl>')
    const plain = await get({ ...asked, format: 'toString' })
    expect([plain.headers.get('Content-Type'), await plain.text()]).toEqual([
      'text/plain; charset=utf-8',
      'https://example.org/?a=1&b=2',
    ])
  })

  test('jsonp calls a function with a plain name, and needs the key in the request', async () => {
    const at = byGet.server.url
    const asked = { signature: testKey, action: 'version', format: 'jsonp' }
    const response = await get({ ...asked, callback: 'jQuery.cb_1' })
    expect(response.headers.get('Content-Type')).toBe('application/javascript; charset=utf-8')
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(await response.text()).toMatch(/^jQuery\.cb_1\(\{"version":"[\d.]+"\}\)$/)
    for (const callback of ['alert(1)', 'a;b', '', '1a', 'a..b', '\u2028a', 'a'.repeat(65)]) {
      const refused = await get({ ...asked, callback })
      expect([refused.status, refused.headers.get('Content-Type')]).toEqual([
        400,
        'application/json; charset=utf-8',
      ])
    }
    // A script of another site is loaded as the user that the proxy names.
    const user = { action: 'stats', limit: '9', format: 'jsonp', callback: 'cb' }
    expect((await get(user, at, { 'Remote-User': 'ann' })).status).toBe(403)
  })

  test('jsonp creates nothing', async () => {
    const before = await linksOf(byGet.server.url)
    const fields = {
      ...key,
      action: 'shorturl',
      url: 'https://example.org/',
      format: 'jsonp',
      callback: 'cb',
    }
    for (const send of [get, post]) expect((await send(fields, byGet.server.url)).status).toBe(403)
    expect(await linksOf(byGet.server.url)).toBe(before)
  })
})

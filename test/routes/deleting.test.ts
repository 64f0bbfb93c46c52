import { describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { withServer } from '../support/server.ts'

const { server, client, restart } = withServer()

const send = (method: string, address: string, headers: Record<string, string> = {}) =>
  client.get(address, headers, { method })

const kinds = [
  {
    path: '/paste/delete',
    otherPath: '/shortener/delete',
    name: 'A title & more',
    create: async () => {
      const { pasteUrl = '', rawUrl = '', deletionUrl = '' } = await client.paste({ title: 'A title & more' })
      return { deletionUrl, pages: [pasteUrl, rawUrl], status: 200 }
    },
  },
  {
    path: '/shortener/delete',
    otherPath: '/paste/delete',
    name: 'https://example.org/?a=1&b=2',
    create: async () => {
      const { shortendUrl = '', deletionUrl = '' } = await client.link('https://example.org/?a=1&b=2')
      return { deletionUrl, pages: [shortendUrl], status: 302 }
    },
  },
]

describe.each(kinds)('$path', ({ path, otherPath, name, create }) => {
  test.each([
    ['GET', {}],
    ['GET', browser],
    ['HEAD', {}],
    ['HEAD', browser],
  ])('%s changes nothing, asked with %j', async (method, headers) => {
    const { deletionUrl, pages, status } = await create()
    for (let round = 0; round < 3; round++) await send(method, deletionUrl, headers)
    for (const page of pages) expect((await client.get(page)).status).toBe(status)
    expect((await send('DELETE', deletionUrl)).status).toBe(200)
  })

  test('GET shows a browser what would be deleted, and one button that POSTs to the same address', async () => {
    const { deletionUrl } = await create()
    const html = await expectPage(await client.get(deletionUrl, browser))
    expect(html).toContain(name.replaceAll('&', '&amp;'))
    const facts = path.startsWith('/paste') ? /\s· TypeScript\s· \d+ bytes\s· 0 reads</ : /\s· 0 visits</
    expect(html).toMatch(facts)
    const forms = html.match(/<form\b[^>]*>/g) ?? []
    // The other form is the close button of the list of shortcuts.
    expect(forms.filter((form) => form !== '<form method="dialog">')).toEqual(['<form method="post">'])
    const [main = ''] = /<main>.*<\/main>/s.exec(html) ?? []
    expect(main.match(/<button\b[^>]*type="submit"/g)).toHaveLength(1)
    expect(main).not.toMatch(/<script(?! src=)|<input|<a /)
  })

  test.each(['*/*', 'application/json', 'text/plain'])('GET answers %s with what to send', async (Accept) => {
    const { deletionUrl } = await create()
    const response = await client.get(deletionUrl, { Accept })
    expect(response.headers.get('Allow')).toBe('POST, DELETE')
    expect(await expectError(response, 405)).toMatch(/POST.*DELETE/)
  })

  test.each([
    ['POST', {}],
    ['POST', { Accept: 'application/json' }],
    ['POST', { 'Content-Type': 'application/json' }],
    ['DELETE', {}],
    ['DELETE', browser],
  ])('%s deletes and says so in JSON, asked with %j and no API key', async (method, headers) => {
    const { deletionUrl, pages } = await create()
    const response = await send(method, deletionUrl, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual({ success: true, message: expect.stringMatching(/deleted/) })
    for (const page of pages) await expectError(await client.get(page), 410)
  })

  test("a browser's form deletes and gets a page", async () => {
    const { deletionUrl, pages } = await create()
    const form = { ...browser, 'Content-Type': 'application/x-www-form-urlencoded' }
    expect(await expectPage(await send('POST', deletionUrl, form))).toMatch(/deleted/i)
    for (const page of pages) await expectError(await client.get(page), 410)
    for (const again of [await send('POST', deletionUrl, form), await client.get(deletionUrl, browser)])
      expect(await expectPage(again, 410)).toContain('<h1>Already deleted</h1>')
  })

  test.each(['', '?key=', '?key', '?other=1', '?KEY=1'])('a missing key is 422: %j', async (query) => {
    for (const method of ['POST', 'DELETE']) await expectError(await send(method, path + query), 422, /"key"/)
    await expectPage(await client.get(path + query, browser), 422)
  })

  test.each(['a', '%00', '%ff', '../x', 'a'.repeat(36), 'a'.repeat(500), '😀', '..%2f..%2fkeys'])(
    'a key that never was is 404: %j',
    async (key) => {
      for (const method of ['POST', 'DELETE'])
        await expectError(await send(method, `${path}?key=${key}`), 404)
      await expectPage(await client.get(`${path}?key=${key}`, browser), 404)
    },
  )

  test('a key with a wrong end, a missing end or more is 404, and the item stays', async () => {
    const { deletionUrl, pages, status } = await create()
    const wrong = deletionUrl.slice(0, -1) + (deletionUrl.endsWith('2') ? '3' : '2')
    const id = (pages[0] ?? '').split('/').at(-1)
    for (const address of [wrong, deletionUrl.slice(0, -1), `${deletionUrl}2`, `${path}?key=${id}`])
      await expectError(await send('DELETE', address), 404)
    expect((await client.get(pages[0] ?? '')).status).toBe(status)
  })

  test('a key for the other kind of item is 404, and the item stays', async () => {
    const { deletionUrl, pages, status } = await create()
    await expectError(await send('DELETE', deletionUrl.replace(path, otherPath)), 404)
    expect((await client.get(pages[0] ?? '')).status).toBe(status)
  })

  test('a key that was used is 410', async () => {
    const { deletionUrl } = await create()
    expect((await send('DELETE', deletionUrl)).status).toBe(200)
    for (const method of ['POST', 'DELETE'])
      await expectError(await send(method, deletionUrl), 410, /was already deleted or has expired\.$/)
    await expectPage(await client.get(deletionUrl, browser), 410)
  })

  test('a key of an unknown item says what may be wrong, in the words of its kind', async () => {
    const says = path === '/paste/delete' ? /or for a link, not a paste\.$/ : /or for a paste, not a link\.$/
    await expectError(await send('DELETE', `${path}?key=abc`), 404, says)
    const html = await expectPage(await client.get(`${path}?key=abc`, browser), 404)
    expect(html).toContain('<h1>Unknown deletion link</h1>')
  })

  test('every page after the end has ways on, which are there', async () => {
    const { deletionUrl } = await create()
    const form = { ...browser, 'Content-Type': 'application/x-www-form-urlencoded' }
    for (const html of [
      await expectPage(await send('POST', deletionUrl, form)),
      await expectPage(await send('POST', deletionUrl, form), 410),
      await expectPage(await client.get(`${path}?key=abc`, browser), 404),
    ]) {
      const [main = ''] = /<main>.*<\/main>/s.exec(html) ?? []
      const ways = [...main.matchAll(/<a class="button[^"]*" href="([^"]+)">([^<]+)/g)]
      expect(ways.map(([, , word]) => word?.trim())).toEqual([
        path === '/paste/delete' ? 'New paste' : 'New short link',
        'My items',
      ])
      for (const [, href = ''] of ways)
        await expectPage(await client.get(new URL(href, deletionUrl).href, browser))
    }
  })

  test('of deletions at the same moment exactly one succeeds, also when the item must first be read', async () => {
    const items = await Promise.all(Array.from({ length: 20 }, create))
    const deleteAll = ({ deletionUrl }: { deletionUrl: string }) =>
      Promise.all(['POST', 'DELETE', 'POST', 'DELETE', 'POST'].map((method) => send(method, deletionUrl)))
    const expectOneWinner = async (item: { deletionUrl: string }) => {
      const statuses = (await deleteAll(item)).map(({ status }) => status)
      expect(statuses.sort()).toEqual([200, 410, 410, 410, 410])
    }
    for (const item of items.slice(0, 10)) await expectOneWinner(item)
    const { url: oldUrl } = await restart()
    for (const { deletionUrl } of items.slice(10))
      await expectOneWinner({ deletionUrl: deletionUrl.replace(oldUrl, server.url) })
  })
})

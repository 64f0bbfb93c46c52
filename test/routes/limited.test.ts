import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { json, secret, secretTarget, text, withLimited } from '../support/limited.ts'
import { isFolder } from '../support/process.ts'
import { filesIn } from '../support/store.ts'

const site = withLimited()

describe('POST', () => {
  test('reads a burn-after-reading paste as a page, as JSON and as text, each time with what is left', async () => {
    const { pasteUrl, rawUrl } = await site.paste(5)
    const html = await expectPage(await site.send(pasteUrl, browser))
    expect(html).toContain('a-secret-title')
    expect(html).toMatch(/<strong>4 reads<\/strong> are\s+left/)
    expect(html).not.toMatch(/og:|p\/raw/)
    expect(await (await site.send(pasteUrl, json)).json()).toMatchObject({
      ...secret,
      maxReads: 5,
      readsLeft: 3,
    })
    const raw = await site.send(pasteUrl, text)
    expect(await raw.text()).toBe(secret.text)
    expect(await expectPage(await site.send(pasteUrl, browser))).toMatch(/<strong>1 read<\/strong> is\s+left/)
    const last = await site.send(rawUrl)
    expect(await last.text()).toBe(secret.text)
    for (const headers of [raw.headers, last.headers]) {
      expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
      expect(headers.get('Content-Security-Policy')).toEndWith('sandbox')
    }
    await expectError(await site.send(rawUrl), 410, /read as often as allowed/)
  })

  test('says that the last read was the last, and erases the text from the disk', async () => {
    const { pasteUrl, rawUrl } = await site.paste()
    expect(await expectPage(await site.send(pasteUrl, browser))).toContain('This was the only read.')
    const id = (pasteUrl ?? '').slice(-10)
    if (isFolder) {
      const files = filesIn(site.server.data).filter((file) => file.includes(id))
      expect(files.map((file) => file.slice(-15))).toEqual([`${id}.gone`])
      expect(readFileSync(files[0] ?? '', 'utf8')).toBe('')
    }
    for (const method of ['GET', 'HEAD', 'POST'])
      for (const address of [pasteUrl, rawUrl]) expect((await site.get(address, {}, method)).status).toBe(410)
    expect(await expectPage(await site.get(pasteUrl, browser), 410)).not.toContain('secret')
  })

  test.each([{}, browser, json, { 'If-None-Match': '*' }])(
    'is never kept, nor known already: %j',
    async (headers) => {
      const { pasteUrl, rawUrl } = await site.paste(2)
      for (const address of [pasteUrl, rawUrl]) {
        const response = await site.send(address, headers)
        expect(response.status).toBe(200)
        expect(response.headers.get('Cache-Control')).toBe('no-store')
        expect(response.headers.get('ETag')).toBeNull()
        expect(await response.text()).toContain('secret')
      }
    },
  )

  test('follows a burn-after-reading link by 303, kept by nobody, until none is left', async () => {
    const { shortendUrl } = await site.link(2)
    for (const headers of [{}, browser]) {
      const response = await site.send(shortendUrl, headers)
      expect(response.status).toBe(303)
      expect(response.headers.get('Location')).toBe(secretTarget)
      expect(response.headers.get('Cache-Control')).toBe('private, no-store')
      expect(await response.text()).toBe(`<a href="${secretTarget}">See other</a>\n`)
    }
    await expectError(await site.send(shortendUrl), 410, /followed as often as allowed/)
    await expectError(await site.get(`${shortendUrl}+`), 410)
    if (!isFolder) return
    const files = filesIn(site.server.data).filter((file) => file.includes(shortendUrl?.slice(-7) ?? ''))
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual([''])
  })

  test('reads in another language, and counts nothing where that is unknown', async () => {
    const { pasteUrl } = await site.paste()
    await expectPage(await site.get(`${pasteUrl}?lang=klingon`, browser, 'POST'), 422)
    // Its button leaves out what would be refused.
    expect(await expectPage(await site.get(`${pasteUrl}?lang=klingon`, browser))).toContain(
      '<form method="post" action="?">',
    )
    const page = await expectPage(await site.get(`${pasteUrl}?lang=rust`, browser))
    // Without an action, the form keeps the query.
    expect(page).toContain('<form method="post">')
    expect(await expectPage(await site.send(`${pasteUrl}?lang=rust`, browser))).toContain('<li>Rust</li>')
  })

  test('does not read the body, whatever it is', async () => {
    const { rawUrl = '' } = await site.paste()
    const body = new FormData()
    body.set('file', new Blob(['x'.repeat(100_000)]))
    expect(await (await fetch(rawUrl, { method: 'POST', body })).text()).toBe(secret.text)
  })

  test('of an item that does not burn, or of a preview, stays 405; Allow tells one from the other', async () => {
    const [paste, limited] = [await site.client.paste({ language: 'text' }), await site.paste(9)]
    const [link, once] = [await site.client.link(), await site.link(9)]
    const allow = async (address = '', method = 'PUT') =>
      (await site.get(address, {}, method)).headers.get('Allow')
    for (const address of [paste.pasteUrl, paste.rawUrl]) {
      await expectError(await site.send(address), 405)
      for (const method of ['POST', 'PUT', 'OPTIONS'])
        expect(await allow(address, method)).toBe('GET, HEAD, OPTIONS')
    }
    await expectError(await site.send(link.shortendUrl), 405)
    for (const address of [link.shortendUrl, `${link.shortendUrl}+`, `${once.shortendUrl}+`])
      for (const method of ['POST', 'PUT']) expect(await allow(address, method)).toBe('GET, HEAD')
    for (const address of [limited.pasteUrl, limited.rawUrl])
      for (const method of ['PUT', 'OPTIONS'])
        expect(await allow(address, method)).toBe('GET, HEAD, OPTIONS, POST')
    expect(await allow(once.shortendUrl)).toBe('GET, HEAD, POST')
    await expectError(await site.send('/p/2222222222'), 404)
    await expectError(await site.send('/s/2222222'), 404)
  })
})

describe.each([1, 3])('of 200 readers at once where %i may', (limit) => {
  test('as many read, whichever form they ask for; the others get 410 and nothing of it', async () => {
    const { pasteUrl, rawUrl } = await site.paste(limit)
    const forms: [string | undefined, Record<string, string>][] = [
      [rawUrl, {}],
      [pasteUrl, json],
      [pasteUrl, text],
      [pasteUrl, browser],
    ]
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        site.send(...(forms[at % forms.length] as (typeof forms)[number])),
      ),
    )
    const bodies = await Promise.all(responses.map(async (one) => [one.status, await one.text()] as const))
    const read = bodies.filter(([status]) => status === 200)
    expect(read).toHaveLength(limit)
    // A page may have its colours already.
    for (const [, body] of read) expect(body.replace(/<[^>]*>/g, '')).toContain('a-secret-text')
    const others = bodies.filter(([status]) => status !== 200)
    expect(new Set(others.map(([status]) => status))).toEqual(new Set([410]))
    for (const [, body] of others) expect(body).not.toContain('secret')
  })

  test('as many follow, also after a restart', async () => {
    const { shortendUrl = '' } = await site.link(limit)
    const path = new URL(shortendUrl).pathname
    await site.restart()
    const responses = await Promise.all(Array.from({ length: 200 }, () => site.send(path)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 303)).toHaveLength(limit)
    expect(statuses.filter((status) => status === 410)).toHaveLength(200 - limit)
  })
})

test('a read and a deletion at the same moment have one outcome', async () => {
  for (let round = 0; round < 30; round++) {
    const { rawUrl, deletionUrl } = await site.paste()
    const both = [() => site.send(rawUrl), () => site.get(deletionUrl, {}, 'DELETE')]
    if (round % 2) both.reverse()
    const ends = await Promise.all(both.map((act) => act()))
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 410])
  }
})

describe('the log', () => {
  test('holds nothing of what was limited', async () => {
    const { rawUrl } = await site.paste()
    await site.send(rawUrl)
    await site.send((await site.link()).shortendUrl)
    const { stdout, stderr } = await site.restart()
    expect(stderr.text()).toContain('paste created')
    expect(stderr.text() + stdout.text()).not.toMatch(/secret/)
  })
})

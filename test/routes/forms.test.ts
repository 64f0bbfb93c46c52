import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

type Fields = Record<string, string>
const paste: Fields = {
  create: 'paste',
  key: testKey,
  text: 'a\nb',
  title: 'T',
  description: 'D',
  language: 'text',
}
const link: Fields = { create: 'link', key: testKey, url: 'https://example.org/ä' }

/** As browsers send it: every line end is CRLF. */
const asBrowsersDo = (fields: Fields) =>
  Object.entries(fields).map(([name, value]) => [name, value.replace(/\r?\n/g, '\r\n')] as [string, string])
const urlencoded = (fields: Fields) => new URLSearchParams(asBrowsersDo(fields))
const multipart = (fields: Fields) => {
  const form = new FormData()
  for (const [name, value] of asBrowsersDo(fields)) form.append(name, value)
  return form
}
const encodings = [
  ['multipart', multipart],
  ['urlencoded', urlencoded],
] as const

describe.each(encodings)('a form of the start page, sent as %s', (_, encode) => {
  const { server } = withServer({ args: [...quiet, '--max-paste', '1000'] })
  const send = (fields: Fields) =>
    fetch(`${server.url}/`, { method: 'POST', headers: browser, body: encode(fields) })

  test('creates a paste with the line ends that were typed, and shows its address, and the one that deletes it', async () => {
    const html = await expectPage(await send(paste), 201)
    const [, url = ''] = /href="(http[^"]+\/p\/[a-z0-9]+)"/.exec(html) ?? []
    expect(await (await fetch(url.replace('/p/', '/p/raw/'))).text()).toBe('a\nb')
    expect(html).toContain(`value="${url}"`)
    expect(html).toMatch(/\/paste\/delete\?key=[a-z0-9]{36}"/)
    expect(html).toMatch(/<img class="qr" src="qr\/p\/[a-z0-9]{10}"/)
    expect(html).not.toContain(testKey)
  })

  test('creates a short link', async () => {
    const html = await expectPage(await send(link), 201)
    const [, shortUrl = ''] = /href="(http[^"]+\/s\/[a-z0-9]+)"/.exec(html) ?? []
    const response = await createClient(server.url).get(shortUrl)
    expect(response.headers.get('Location')).toBe('https://example.org/%C3%A4')
  })

  test('takes a name for either, and answers 409 in its page when it is taken', async () => {
    for (const [fields, path] of [
      [paste, 'p'],
      [link, 's'],
    ] as const) {
      const named = { ...fields, alias: 'My-Notes' }
      expect(await expectPage(await send(named), 201)).toContain(`src="qr/${path}/my-notes"`)
      const html = await expectPage(await send(named), 409)
      expect(html).toContain('Custom name is already taken. Choose another.')
      expect(html).toContain('value="My-Notes"')
      await expectPage(await send({ ...fields, alias: '' }), 201)
    }
  })

  const refusals: readonly (readonly [number, string, Fields])[] = [
    [401, 'no key', { ...paste, key: '' }],
    [401, 'a wrong key', { ...paste, key: 'wrong-and-not-shown' }],
    [413, 'a text that is too large', { ...paste, text: 'x'.repeat(1001) }],
    [422, 'no text', { ...paste, text: '' }],
    [422, 'an unknown language', { ...paste, language: 'klingon' }],
    [400, 'no address', { ...link, url: 'ftp://x' }],
  ]
  test.each(refusals)(
    'is answered %i for %s, with what was typed but without the key',
    async (status, _why, fields) => {
      const html = await expectPage(await send(fields), status)
      expect(html).toMatch(/<p class="field-error" id="error-\w+">[^<]+</)
      for (const name of ['title', 'description', 'url'])
        if (fields[name]) expect(html).toContain(`value="${fields[name]}"`)
      if (fields.text) expect(html).toContain(fields.text)
      expect(html).not.toMatch(/a-key-for-the-tests-only|wrong-and-not-shown/)
    },
  )

  test('asks for the key before it judges the fields, and the size before the language', async () => {
    expect((await send({ ...paste, key: '', text: '' })).status).toBe(401)
    expect((await send({ ...paste, key: '', text: 'x'.repeat(1001) })).status).toBe(401)
    expect((await send({ ...paste, language: 'klingon', text: 'x'.repeat(1001) })).status).toBe(413)
  })

  test('is told how large a text may be, to the byte where that is less than 1 KiB', async () => {
    const html = await expectPage(await send({ ...paste, text: 'x'.repeat(1001) }), 413)
    expect(html).toContain('The text is larger than 1,000 bytes, the limit of this server.')
  })

  test('is answered 413 when it is larger than any paste may be written', async () => {
    const html = await expectPage(await send({ ...paste, text: 'x'.repeat(100 * 1024) }), 413)
    expect(html).toContain('Nothing was created. Go back')
    expect(html).not.toContain(testKey)
  })

  test('keeps tabs, blank lines and what a title must not break out of', async () => {
    const text = '\n\ta\n\n"<b>&amp;</b>\n'
    const html = await expectPage(await send({ ...paste, text }), 201)
    const [, url = ''] = /href="(http[^"]+\/p\/[a-z0-9]+)"/.exec(html) ?? []
    expect(await (await fetch(url.replace('/p/', '/p/raw/'))).text()).toBe(text)
    const again = parsePage(await expectPage(await send({ ...paste, text, language: 'klingon' }), 422))
    expect(again.find(({ name }) => name === 'textarea')?.text).toBe(text)
  })
})

describe('the start page', () => {
  const { server } = withServer({ args: ['--log', 'off'] })

  test('counts its forms by the same bucket as the API, and says how long to wait', async () => {
    const send = () => fetch(`${server.url}/`, { method: 'POST', headers: browser, body: multipart(link) })
    expect((await createClient(server.url).post('/shortener', { url: 'http://nas/' })).status).toBe(201)
    expect([(await send()).status, (await send()).status]).toEqual([201, 201])
    const refused = await send()
    const html = await expectPage(refused, 429)
    expect(html).toMatch(/<p class="error" role="alert">Too many requests. Try again in \d+ s\./)
    expect(html).toContain(`value="${link.url}"`)
    expect(html).not.toContain(testKey)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1)
  })

  test('refuses what is no form with 400', async () => {
    const response = await fetch(`${server.url}/`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    })
    await expectError(response, 400, /POST \/paste/)
    const broken = { 'Content-Type': 'multipart/form-data; boundary=x' }
    await expectError(
      await fetch(`${server.url}/`, { method: 'POST', body: 'rubbish', headers: broken }),
      400,
    )
  })
})

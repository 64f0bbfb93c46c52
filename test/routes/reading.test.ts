import { beforeAll, describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { withServer } from '../support/server.ts'

const json = { Accept: 'application/json' }
const html = 'text/html; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

const { client } = withServer()
let paste: { pasteUrl: string; rawUrl: string }
beforeAll(async () => {
  // Without a grammar the page is final at once, and so is its entity tag.
  paste = (await client.paste({ language: 'text' })) as typeof paste
})

describe('/p/<id>', () => {
  test.each([
    ['a browser', browser.Accept, html],
    ['who does not say', '*/*', html],
    ['who wants pages or text', 'text/plain, text/html', html],
    ['who wants images', 'image/png', html],
    ['who wants JSON', 'application/json', 'application/json; charset=utf-8'],
    ['who wants JSON first', 'application/json, text/plain, */*', 'application/json; charset=utf-8'],
    ['who wants text', 'text/plain', plain],
    ['who wants text first', 'text/plain;q=1.0, */*;q=0.1', plain],
  ])('gives %s its form and says that Accept decided', async (_, Accept, type) => {
    const response = await client.get(paste.pasteUrl, { Accept })
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe(type)
    expect(response.headers.get('Vary')).toBe('Accept, Accept-Encoding')
    expect(await response.text()).toContain('const a')
  })

  test('gives as JSON the public fields and no other', async () => {
    const { pasteUrl = '' } = await client.paste()
    const before = Date.now()
    const fields = (await (await client.get(pasteUrl, json)).json()) as { createdAt: string }
    expect(fields).toEqual({
      id: pasteUrl.slice(-10),
      ...examplePaste,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      version: 1,
    } as never)
    expect(Math.abs(Date.parse(fields.createdAt) - before)).toBeLessThan(60_000)
  })

  test('gives as text what the raw address gives', async () => {
    const { pasteUrl = '', rawUrl = '' } = await client.paste({ text: '<script>\r\n\0' })
    const [negotiated, raw] = [await client.get(pasteUrl, { Accept: 'text/plain' }), await client.get(rawUrl)]
    expect(await negotiated.bytes()).toEqual(await raw.bytes())
    for (const name of ['Content-Type', 'Content-Security-Policy', 'ETag'])
      expect(negotiated.headers.get(name)).toBe(raw.headers.get(name))
  })
})

describe('/p/raw/<id>', () => {
  test.each([browser, json, {}])('is text that cannot run, whatever is asked for: %j', async (headers) => {
    const response = await client.get(paste.rawUrl, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe(plain)
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
    expect(await response.text()).toBe(examplePaste.text)
  })
})

const forms = [
  ['the page', () => paste.pasteUrl, browser],
  ['JSON', () => paste.pasteUrl, json],
  ['text', () => paste.pasteUrl, { Accept: 'text/plain' }],
  ['the raw address', () => paste.rawUrl, {}],
] as const

describe.each(forms)('who has a copy of %s', (_, address, headers) => {
  const ask = async (ifNoneMatch: (etag: string) => string) => {
    const etag = (await client.get(address(), headers)).headers.get('ETag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    return { etag, response: await client.get(address(), { ...headers, 'If-None-Match': ifNoneMatch(etag) }) }
  }

  test.each([
    ['its tag', (etag: string) => etag],
    ['its tag as a weak one', (etag: string) => `W/${etag}`],
    ['a list with its tag', (etag: string) => `"other", ${etag}, W/"third"`],
    ['a tight list with its tag', (etag: string) => `"other",${etag}`],
    ['a star', () => '*'],
  ])('gets 304 without a body for %s', async (_, header) => {
    const { etag, response } = await ask(header)
    expect(response.status).toBe(304)
    expect(await response.text()).toBe('')
    expect(response.headers.get('ETag')).toBe(etag)
    expect(response.headers.get('Vary')).toBe('Accept, Accept-Encoding')
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache')
  })

  test.each([
    ['another tag', () => '"other"'],
    ['a list of other tags', () => '"other", W/"third"'],
    ['a part of its tag', (etag: string) => `${etag.slice(0, -2)}"`],
    ['its tag without quotes', (etag: string) => etag.slice(1, -1)],
  ])('gets it anew for %s', async (_, header) => {
    const { response } = await ask(header)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('const a')
  })
})

test('the three forms of a paste have three entity tags', async () => {
  const answers = await Promise.all(
    forms.slice(0, 3).map(([, address, headers]) => client.get(address(), headers)),
  )
  expect(new Set(answers.map(({ headers }) => headers.get('ETag'))).size).toBe(3)
})

test('a copy is asked about each time and is gone with the paste', async () => {
  const { rawUrl = '', deletionUrl = '' } = await client.paste()
  const first = await client.get(rawUrl)
  expect(first.headers.get('Cache-Control')).toBe('private, no-cache')
  await client.get(deletionUrl, {}, { method: 'DELETE' })
  const again = await client.get(rawUrl, { 'If-None-Match': first.headers.get('ETag') ?? '' })
  await expectError(again, 410)
})

test('the page tells what the paste is', async () => {
  const fields = { title: 'A <title>', description: 'A "description" & more', language: 'text' }
  const { pasteUrl = '', rawUrl = '' } = await client.paste(fields)
  const page = await expectPage(await client.get(pasteUrl, browser))
  expect(page).toContain('A &lt;title&gt;')
  expect(page).toContain('Plain text')
  expect(page).toContain(`href="../p/raw/${rawUrl.slice(-10)}"`)
})

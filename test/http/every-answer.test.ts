import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { quiet, withServer } from '../support/server.ts'

const { server, client } = withServer({ args: [...quiet, '--max-paste', '1KiB'] })
const { server: limited } = withServer({ args: ['--rate-limit', '1/9999s', '--log', 'off'] })
let paste: Record<string, string>
let link: Record<string, string>
let gone: Record<string, string>
let once: Record<string, string>
let onceLink: Record<string, string>
beforeAll(async () => {
  await createClient(limited.url).link()
  paste = await client.paste({ language: 'text' })
  link = await client.link()
  once = await client.paste({ maxReads: 1000 })
  onceLink = await client.link('https://example.org/', { maxVisits: 1000 })
  gone = await client.paste()
  await client.get(gone.deletionUrl ?? '', {}, { method: 'DELETE' })
})

const json = { Accept: 'application/json' }
const get = (
  address = '',
  headers: Record<string, string> = {},
  method = 'GET',
  body?: string | Uint8Array<ArrayBuffer>,
) => client.get(address, headers, body === undefined ? { method } : { method, body })
const idOf = ({ pasteUrl = '' }: Record<string, string>) => pasteUrl.slice(-10)
const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  client.post(path, body, headers)
const remove = async (headers: Record<string, string>) =>
  get((await client.paste()).deletionUrl, headers, 'POST')
const put = (path: string, body: string | Uint8Array<ArrayBuffer> = 'a') =>
  get(path, { key: testKey }, 'PUT', body)
const asset = async (pattern: RegExp) => get(`/${pattern.exec(await (await get('/', browser)).text())?.[0]}`)

/** Every kind of answer there is: what it is, its status, how to get it. */
const answers: [name: string, status: number, ask: () => Promise<Response>][] = [
  ['the start page', 200, () => get('/', browser)],
  ['a start page that an address fills', 200, () => get('/?text=a', browser)],
  ['the usage', 200, () => get('/')],
  ['the API for people', 200, () => get('/docs')],
  ['the API for programs', 200, () => get('/openapi.json')],
  ['a style sheet', 200, () => asset(/assets\/style[^"]+/)],
  ['the icon', 200, () => asset(/assets\/icon[^"]+/)],
  ['a created paste', 201, () => post('/paste', examplePaste)],
  ['a created link', 201, () => post('/shortener', { url: 'https://example.org/' })],
  ['an upload', 201, () => put('/name.py')],
  ['an upload without a name', 201, () => get('/', { key: testKey }, 'POST', 'a')],
  ['a haste', 200, () => get('/documents', { key: testKey }, 'POST', 'a')],
  ['a haste as JSON', 200, () => get(`/documents/${idOf(paste)}`)],
  ['a haste as text', 200, () => get(`/raw/${idOf(paste)}`)],
  ['a link as haste clients print it', 302, () => get(`/${idOf(paste)}.py`)],
  ['a link of a share page', 302, () => get(`/share/${idOf(paste)}`)],
  ['an uploader for pastes', 200, () => get('/sharex/paste.sxcu')],
  ['an uploader for links', 200, () => get('/sharex/link.sxcu')],
  ['a paste as a page', 200, () => get(paste.pasteUrl, browser)],
  ['a paste as JSON', 200, () => get(paste.pasteUrl, json)],
  ['a paste as text', 200, () => get(paste.pasteUrl, { Accept: 'text/plain' })],
  ['a raw paste', 200, () => get(paste.rawUrl)],
  ['a raw paste that is known', 304, () => get(paste.rawUrl, { 'If-None-Match': '*' })],
  ['a page that is known', 304, () => get(paste.pasteUrl, { ...browser, 'If-None-Match': '*' })],
  ['a redirect', 302, () => get(link.shortendUrl)],
  ['a preview', 200, () => get(`${link.shortendUrl}+`)],
  ['a burn-after-reading paste that is not read', 200, () => get(once.pasteUrl, browser)],
  ['a burn-after-reading paste as a page', 200, () => get(once.pasteUrl, browser, 'POST')],
  ['a burn-after-reading paste as JSON', 200, () => get(once.pasteUrl, json, 'POST')],
  ['a burn-after-reading paste as text', 200, () => get(once.rawUrl, {}, 'POST')],
  ['a burn-after-reading link that is not followed', 200, () => get(onceLink.shortendUrl, browser)],
  ['a burn-after-reading link that is followed', 303, () => get(onceLink.shortendUrl, {}, 'POST')],
  ['a burn-after-reading paste by GET, for programs', 403, () => get(once.rawUrl)],
  ['a burn-after-reading link by GET, for programs', 403, () => get(onceLink.shortendUrl)],
  ['a limit that is none', 422, () => post('/paste', { ...examplePaste, maxReads: 0 })],
  ['a read of what is not limited', 405, () => get(paste.rawUrl, {}, 'POST')],
  ['a deletion page', 200, () => get(paste.deletionUrl, browser)],
  ['a deletion', 200, () => remove({})],
  ['a deletion by form', 200, () => remove(browser)],
  ['JSON that is none', 400, () => post('/paste', '{')],
  ['an address that is none', 400, () => post('/shortener', { url: 'nonsense' })],
  ['an upload that is no text', 400, () => put('/name.py', new Uint8Array([0xff]))],
  ['a bad Host', 400, () => exchange(server.url, ['GET / HTTP/1.1', 'Host: a b'])],
  ['no API key', 401, () => post('/paste', examplePaste, { key: '' })],
  ['no API key for an upload', 401, () => get('/name.py', {}, 'PUT', 'a')],
  ['no API key for a haste', 401, () => get('/documents', {}, 'POST', 'a')],
  ['an address that leads nowhere', 404, () => get('/nothing')],
  ['an unknown haste', 404, () => get('/2222222222')],
  ['an upload to a folder', 404, () => put('/folder/name.py')],
  ['an unknown paste', 404, () => get('/p/nothing')],
  ['an unknown paste, for browsers', 404, () => get('/p/nothing', browser)],
  ['an unknown link', 404, () => get('/s/2222222')],
  ['a deletion key that was used', 410, () => get(gone.deletionUrl, {}, 'DELETE')],
  ['a wrong method', 405, () => get('/paste')],
  ['a deletion by GET', 405, () => get(paste.deletionUrl)],
  ['a deleted paste', 410, () => get(gone.rawUrl)],
  ['a deleted paste, for browsers', 410, () => get(gone.pasteUrl, browser)],
  ['an upload that takes the place of the API', 405, () => put('/paste')],
  ['a deleted haste', 410, () => get(`/documents/${idOf(gone)}`)],
  ['an upload too large', 413, () => put('/name.py', 'a'.repeat(1025))],
  ['an upload that is empty', 422, () => put('/name.py', '')],
  ['a text too large', 413, () => post('/paste', { ...examplePaste, text: 'a'.repeat(1025) })],
  ['a body too large', 413, () => post('/shortener', ' '.repeat(2 ** 21))],
  ['a field missing', 422, () => post('/paste', {})],
  ['a deletion key missing', 422, () => get('/paste/delete', {}, 'DELETE')],
  ['no token left', 429, () => createClient(limited.url).post('/paste', examplePaste)],
]

describe.each(answers)('%s (%i)', (_, status, ask) => {
  test('is not indexed, sniffed, framed or told to others', async () => {
    const { headers, status: answered } = await ask()
    expect(answered).toBe(status)
    expect(headers.get('X-Robots-Tag')).toBe('noindex, nofollow')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    const policy = headers.get('Content-Security-Policy') ?? ''
    expect(policy).toStartWith("default-src 'none'; ")
    expect(policy).toMatch(/; sandbox$|frame-ancestors 'none'/)
    expect(policy).not.toMatch(/unsafe|\*|data:|https?:/)
  })

  test('has a type and says how long it may be kept', async () => {
    const { headers } = await ask()
    expect(headers.get('Content-Type')).toMatch(
      /^(text\/(html|plain|css)|application\/json); charset=utf-8$|^image\/svg\+xml$/,
    )
    expect(headers.get('Cache-Control')).toMatch(
      /^(private, )?no-(store|cache)$|^public, max-age=31536000, immutable$/,
    )
  })

  test('repeats no API key, and no error says more than it should', async () => {
    const body = await (await ask()).text()
    expect(body).not.toContain(testKey)
    expect(body).not.toMatch(/node_modules|\.ts:\d|at async|Something went wrong/)
  })
})

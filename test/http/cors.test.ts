import { beforeAll, describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()
let id: string
let paste: Record<string, string>
let link: Record<string, string>
beforeAll(async () => {
  paste = await client.paste({ language: 'text' })
  link = await client.link()
  id = paste.pasteUrl?.slice(-10) ?? ''
})

const origin = 'https://page.example'
const path = (pattern: string) => pattern.replace('<id>', id)

describe('before it sends a key, a page of another origin is told that it may', () => {
  test.each([
    ['/', 'GET, HEAD, POST, PUT, OPTIONS'],
    ['/name.py', 'GET, HEAD, DELETE, PUT, OPTIONS'],
    ['/paste', 'POST, OPTIONS'],
    ['/paste/delete', 'POST, DELETE, GET, HEAD, OPTIONS'],
    ['/p/<id>', 'GET, HEAD, OPTIONS'],
    ['/p/raw/<id>', 'GET, HEAD, OPTIONS'],
  ])('%s: %s', async (pattern, methods) => {
    const asked = {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'key',
    }
    const { status, headers } = await client.get(path(pattern), asked, { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(headers.get('Access-Control-Allow-Methods')).toBe(methods)
    expect(headers.get('Access-Control-Allow-Headers')).toBe(
      'key, x-api-key, content-type, authorization, if-match',
    )
    expect(headers.get('Access-Control-Max-Age')).toBe('86400')
    expect(headers.get('Allow')).toBe(methods)
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
  })

  test.each(['/s/<id>', '/qr/p/<id>', '/healthz', '/sharex/paste.sxcu', '/share/<id>'])(
    'but not where a key is of no use: %s',
    async (pattern) => {
      const { status, headers } = await client.get(path(pattern), { Origin: origin }, { method: 'OPTIONS' })
      expect(status).toBe(405)
      expect(headers.get('Access-Control-Allow-Methods')).toBeNull()
    },
  )
})

const json = { Accept: 'application/json' }
const plain = { Accept: 'text/plain' }
const upload = { method: 'PUT', headers: { key: testKey }, body: 'a' }

type Ask = () => Promise<Response>
const open: [name: string, ask: Ask][] = [
  ['a created paste', () => client.post('/paste', examplePaste)],
  ['a created link', () => client.post('/shortener', { url: 'https://example.org/' })],
  ['an upload', () => fetch(`${server.url}/name.py`, upload)],
  ['a haste', () => fetch(`${server.url}/documents`, { ...upload, method: 'POST' })],
  ['a deletion', async () => client.get((await client.paste()).deletionUrl ?? '', {}, { method: 'DELETE' })],
  ['a refusal', () => client.post('/paste', {}, { key: '' })],
  ['a paste as JSON', () => client.get(paste.pasteUrl ?? '', json)],
  ['a paste as text', () => client.get(paste.pasteUrl ?? '', plain)],
  ['a raw paste', () => client.get(paste.rawUrl ?? '')],
  ['a raw paste that is known', () => client.get(paste.rawUrl ?? '', { 'If-None-Match': '*' })],
  ['a document', () => client.get(path('/documents/<id>'))],
  ['a raw document', () => client.get(path('/raw/<id>'))],
]
const closed: [name: string, ask: Ask][] = [
  ['the start page', () => client.get('/', browser)],
  ['the usage', () => client.get('/')],
  ['a paste as a page', () => client.get(paste.pasteUrl ?? '', browser)],
  ['an error page', () => client.get('/p/nothing', browser)],
  ['a deletion page', () => client.get(paste.deletionUrl ?? '', browser)],
  ['a redirect', () => client.get(link.shortendUrl ?? '')],
  ['a preview', () => client.get(`${link.shortendUrl}+`)],
  ['a redirect to a page', () => client.get(path('/<id>'))],
  [
    'a form',
    () =>
      fetch(`${server.url}/`, {
        method: 'POST',
        headers: browser,
        body: new URLSearchParams({ key: testKey }),
      }),
  ],
  ['a QR code', () => client.get(path('/qr/p/<id>'))],
]

describe('a page of another origin', () => {
  test.each(open)('can read %s', async (_, ask) => {
    const { headers } = await ask()
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    // With it, credentials that a browser holds would count; there are none, and none shall.
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })

  test.each(closed)('cannot read %s', async (_, ask) => {
    expect((await ask()).headers.get('Access-Control-Allow-Origin')).toBeNull()
  })
})

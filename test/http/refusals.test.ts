import { describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()

const link = { url: 'https://example.org/' }
const endpoints = [
  ['/paste', examplePaste],
  ['/shortener', link],
] as const

describe.each(endpoints)('POST %s', (path, body) => {
  test.each([
    ['a wrong key', { key: 'sc_3sX9Jm2Kq7Lw5Rt8Yp4Zv6Bn1Cd0FgHh' }],
    ['an empty key', { key: '' }],
    ['the beginning of the key', { key: testKey.slice(0, -1) }],
    ['the key and more', { key: `${testKey}x` }],
    ['the key in capitals', { key: testKey.toUpperCase() }],
    ['the key in another header', { key: '', Authorization: `Bearer ${testKey}` }],
  ])('answers 401 to %s and does not repeat it', async (_, headers) => {
    const error = await expectError(await client.post(path, body, headers), 401, /key/i)
    expect(error).not.toContain(headers.key || testKey)
  })

  test('answers 401 to no key, and to a key in the address', async () => {
    for (const query of ['', `?key=${testKey}`]) {
      const headers = { 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      await expectError(await fetch(server.url + path + query, init), 401, /"key"/)
    }
  })

  const good = JSON.stringify(body)
  test.each([
    ['an empty body', ''],
    ['white space', ' \n'],
    ['half an object', good.slice(0, -1)],
    ['something after the object', `${good}x`],
    ['single quotes', good.replaceAll('"', "'")],
    ['null', 'null'],
    ['a string', '"text"'],
    ['a number', '1'],
    ['an array', `[${good}]`],
  ])('answers 400 to %s', async (_, text) => {
    await expectError(await client.post(path, text), 400, /^Invalid input format: .*JSON/)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/problem+json',
    'text/json',
  ])('answers 400 to the content type %s', async (type) => {
    await expectError(await client.post(path, body, { 'Content-Type': type }), 400, /application\/json/)
  })

  test('answers 400 to bytes that are not UTF-8', async () => {
    const bytes = Buffer.from(good.replace('}', ',"more":"\u00ff"}'), 'latin1')
    const headers = { key: testKey, 'Content-Type': 'application/json' }
    await expectError(await fetch(server.url + path, { method: 'POST', headers, body: bytes }), 400, /UTF-8/)
  })

  describe.each(Object.keys(body))('the field %s', (field) => {
    test('is required: 422', async () => {
      const { [field]: _, ...rest } = body as Record<string, string>
      await expectError(await client.post(path, rest), 422, new RegExp(`"${field}"`))
    })
  })
})

describe('the fields of a paste', () => {
  test.each([
    ['pyhton', 'python'],
    ['Javascrpt', 'javascript'],
  ])('language %s is unknown, the nearest is %s', async (language, nearest) => {
    const answer = await client.post('/paste', { ...examplePaste, language })
    const error = await expectError(answer, 422, new RegExp(`"language".*"${nearest}"`))
    expect(error).not.toContain(`"${language}"`)
  })

  test.each(['', ' ', 'no such thing', '<b>'])('language %j is unknown', async (language) => {
    const answer = await client.post('/paste', { ...examplePaste, language })
    await expectError(answer, 422, /"language".*nearest.*".+"/)
  })

  test('language is answered in one short line, however long it is', async () => {
    const answer = await client.post('/paste', { ...examplePaste, language: 'x'.repeat(1_000_000) })
    expect((await expectError(answer, 422, /"language".*nearest/)).length).toBeLessThan(200)
  })
})

describe('an upload to / whose key was forgotten', () => {
  test('is told so in one line of JSON, and only a browser gets the page with the form', async () => {
    const send = (Accept: string) =>
      fetch(`${server.url}/`, {
        method: 'POST',
        body: 'hello',
        headers: { Accept, 'Content-Type': 'application/x-www-form-urlencoded' },
      })
    for (const accept of ['*/*', 'application/json'])
      await expectError(await send(accept), 401, /"key".*missing/)
    const page = await send('text/html,application/xhtml+xml,*/*;q=0.8')
    expect(page.headers.get('content-type')).toStartWith('text/html')
  })
})

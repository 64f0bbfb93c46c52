import { beforeAll, describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { withLimited } from '../support/limited.ts'

const text = 'one\r\nTwo error\nthree\nfour ERROR\nfive'
const site = withLimited()
let pasteUrl = ''
let rawUrl = ''
beforeAll(async () => {
  const made = await site.client.paste({ text, language: 'text' })
  pasteUrl = made.pasteUrl ?? ''
  rawUrl = made.rawUrl ?? ''
})

const get = (query: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  site.client.get(rawUrl + query, headers, init)
const wrong = [
  'lines=0',
  'lines=',
  'lines=4-2',
  'lines=x',
  'grep=',
  'grep=a%0Ab',
  `grep=${'a'.repeat(201)}`,
  'lines=1&lines=2',
  'grep=a&grep=b',
  'lines=1&grep=',
]

describe('/p/raw/<id> with a part', () => {
  test.each([
    ['?lines=2-3', 'Two error\nthree\n'],
    ['?lines=1', 'one\r\n'],
    ['?lines=4-', 'four ERROR\nfive'],
    ['?lines=-1', 'one\r\n'],
    ['?lines=6-9', ''],
    ['?grep=error', 'Two error\nfour ERROR\n'],
    ['?grep=o+e', 'Two error\n'],
    ['?grep=%2E', ''],
    ['?lines=3-&grep=error', 'four ERROR\n'],
    ['?x=1', text],
    ['?lang=python', text],
  ])('%s is its lines, byte for byte, as text that cannot run', async (query, lines) => {
    const response = await get(query)
    expect(response.status).toBe(200)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(response.headers.get('Content-Security-Policy')).toBe("default-src 'none'; sandbox")
    expect(response.headers.get('Cache-Control')).toBe('private, no-cache')
    expect(await response.text()).toBe(lines)
    const head = await get(query, {}, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('ETag')).toBe(response.headers.get('ETag') as string)
  })

  test.each(wrong)('%s is refused, with what is wrong', async (query) => {
    for (const method of ['GET', 'HEAD']) expect((await get(`?${query}`, {}, { method })).status).toBe(422)
    await expectError(await get(`?${query}`), 422, /^"(lines|grep)" (must|is given more than once)/)
    expect(await expectPage(await get(`?${query}`, browser), 422)).toMatch(/must|more than once/)
  })

  test('has an entity tag of its own, which is known again', async () => {
    const queries = ['', '?lines=1', '?lines=1-', '?lines=1-2', '?grep=o', '?grep=O', '?lines=1&grep=o']
    const tags = await Promise.all(queries.map(async (query) => (await get(query)).headers.get('ETag') ?? ''))
    expect(new Set(tags).size).toBe(queries.length)
    for (const [at, query] of queries.entries())
      for (const held of tags) {
        const { status } = await get(query, { 'If-None-Match': held })
        expect(status).toBe(held === tags[at] ? 304 : 200)
      }
  })

  test('is the same at the other addresses of the text', async () => {
    const id = rawUrl.split('/').at(-1)
    for (const address of [`/raw/${id}?lines=2`, `/raw/${id}.txt?lines=2`])
      expect(await (await site.client.get(address)).text()).toBe('Two error\n')
    const negotiated = await site.client.get(`${pasteUrl}?lines=2`, { Accept: 'text/plain' })
    expect(await negotiated.text()).toBe('Two error\n')
  })

  test('of a long text arrives whole', async () => {
    const lines = Array.from({ length: 40_000 }, (_, at) => `${at + 1} ${at % 3 ? 'wörld' : 'Ärror'}\n`)
    const made = await site.client.paste({ text: lines.join(''), language: 'text' })
    const read = async (query: string) => (await site.client.get(`${made.rawUrl}${query}`)).text()
    expect(await read('?lines=2-39999')).toBe(lines.slice(1, -1).join(''))
    const kept = lines.filter((line) => line.includes('Ärror'))
    expect(await read('?grep=ärror')).toBe(kept.join(''))
    expect(await read('?lines=-4&grep=ärror')).toBe(kept.slice(0, 2).join(''))
  })
})

describe('a burn-after-reading paste', () => {
  test('gives a part to POST, once, and to nothing else', async () => {
    const limited = await site.client.paste({ text, language: 'text', maxReads: 1 })
    const address = `${limited.rawUrl}?lines=2-3&grep=THREE`
    await expectError(await site.get(address), 403)
    const read = await site.send(address)
    expect(await read.text()).toBe('three\n')
    expect(read.headers.get('Cache-Control')).toBe('no-store')
    await expectError(await site.send(address), 410)
  })

  test.each(wrong)('is not read by a wrong part: %s', async (query) => {
    const limited = await site.client.paste({ text, language: 'text', maxReads: 1 })
    await expectError(await site.send(`${limited.rawUrl}?${query}`), 422)
    expect(await (await site.send(limited.rawUrl)).text()).toBe(text)
  })
})

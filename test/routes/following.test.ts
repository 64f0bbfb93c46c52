import { describe, expect, test } from 'bun:test'
import { browser, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { withServer } from '../support/server.ts'

const { client } = withServer()

const target = "https://example.org/it's?a=1&copy=2#part"
const escaped = target.replaceAll('&', '&amp;')

describe('/s/<id>', () => {
  test.each([{}, browser, { Accept: 'application/json' }])(
    'goes to its address, also for %j',
    async (headers) => {
      const { shortendUrl = '' } = await client.link(target)
      const response = await client.get(shortendUrl, headers)
      expect(response.status).toBe(302)
      expect(response.headers.get('Location')).toBe(target)
      expect(response.headers.get('Cache-Control')).toBe('private, no-store')
    },
  )

  test('says where in one line of HTML, for clients that do not follow', async () => {
    const { shortendUrl = '' } = await client.link(target)
    const response = await client.get(shortendUrl)
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    const body = await response.text()
    expect(body.trimEnd().split('\n')).toHaveLength(1)
    expect(/<a href="([^"]*)">/.exec(body)?.[1]).toBe(escaped)
  })

  test('cannot be talked out of its address by a query', async () => {
    const { shortendUrl = '' } = await client.link(target)
    const response = await client.get(`${shortendUrl}?url=https://other.example/`)
    expect(response.headers.get('Location')).toBe(target)
  })

  test('is not visited by the server', async () => {
    let visits = 0
    const other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(String(++visits)) })
    const { shortendUrl = '' } = await client.link(`${other.url}page`)
    await client.get(shortendUrl)
    await client.get(`${shortendUrl}+`)
    expect(visits).toBe(0)
    expect(await (await client.get(shortendUrl, {}, { redirect: 'follow' })).text()).toBe('1')
    await other.stop(true)
  })
})

describe.each(['+', '%2B', '%2b'])('/s/<id>%s', (sign) => {
  test.each([{}, browser])('shows the address without going there, also for %j', async (headers) => {
    const { shortendUrl = '' } = await client.link(target)
    const response = await client.get(shortendUrl + sign, headers)
    expect(response.headers.get('Location')).toBeNull()
    const html = await expectPage(response)
    expect(
      /<a (?:[^>]* )?href="([^"]*)" rel="[^"]*noreferrer/.exec(html)?.[1]?.replaceAll('&#x27;', "'"),
    ).toBe(escaped)
    expect(html).toMatch(/This short link goes to <span[^>]*>example\.org</)
    expect(html).not.toMatch(/http-equiv|<script(?! src="\.\.\/assets\/)/)
  })
})

test('the page that shows where a short link goes names its host, counts no visit, and has a way on', async () => {
  const url = 'https://example.org/a?b=c#d'
  const { shortendUrl = '' } = await client.link(url, { expiresIn: '2h' })
  const look = async () => parsePage(await (await client.get(`${shortendUrl}+`, browser)).text())
  await look()
  const elements = await look()
  const main = elements.find(({ name }) => name === 'main')?.text ?? ''
  expect(main).toContain('This short link goes to example.org')
  expect(main).toContain(url)
  expect(main).toContain('No visits yet. You have not left this page.')
  const way = elements.find(({ name, text }) => name === 'a' && text === 'Continue')
  expect(way?.attributes).toMatchObject({ href: url, rel: 'noopener noreferrer nofollow' })
  expect(elements.filter(({ name }) => name === 'time')).toHaveLength(2)
  expect(elements.some(({ attributes }) => attributes['data-copy'] === url)).toBe(true)
})

import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/expectations.ts'
import { withServer } from '../support/server.ts'

const { client } = withServer()

describe('an address is redirected to in serialised form', () => {
  test.each([
    ['https://example.org/', 'https://example.org/'],
    ['http://example.org', 'http://example.org/'],
    ['HTTPS://EXAMPLE.Org/Path?Query#Fragment', 'https://example.org/Path?Query#Fragment'],
    ['http://nas/', 'http://nas/'],
    ['http://nas:8080/share', 'http://nas:8080/share'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['http://example.org:80/', 'http://example.org/'],
    ['https://example.org:443/', 'https://example.org/'],
    ['https://example.org:80/', 'https://example.org:80/'],
    ['http://192.168.1.1/admin', 'http://192.168.1.1/admin'],
    ['http://127.1/', 'http://127.0.0.1/'],
    ['http://0x7f.1/', 'http://127.0.0.1/'],
    ['http://[::1]:8080/', 'http://[::1]:8080/'],
    ['http://[2001:DB8:0:0::1]/', 'http://[2001:db8::1]/'],
    ['http://[::ffff:1.2.3.4]/', 'http://[::ffff:102:304]/'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://faß.example/', 'https://xn--fa-hia.example/'],
    ['https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
    ['https://xn--mnchen-3ya.example/', 'https://xn--mnchen-3ya.example/'],
    ['https://ｅｘａｍｐｌｅ。org/', 'https://example.org/'],
    ['https://user:pass@example.org/', 'https://user:pass@example.org/'],
    ['https://us:er@example.org@host/', 'https://us:er%40example.org@host/'],
    ['https://example.org/ä', 'https://example.org/%C3%A4'],
    ['https://example.org/😀?😀#😀', 'https://example.org/%F0%9F%98%80?%F0%9F%98%80#%F0%9F%98%80'],
    ['https://example.org/%41%2f%zz', 'https://example.org/%41%2f%zz'],
    ['https://example.org/"<>`{}', 'https://example.org/%22%3C%3E%60%7B%7D'],
    ['https://example.org/?a=\'"<>', 'https://example.org/?a=%27%22%3C%3E'],
    ['https://example.org/a/./b/../c', 'https://example.org/a/c'],
    ['https://example.org/../..', 'https://example.org/'],
    ['https://example.org\\a\\b', 'https://example.org/a/b'],
    ['https://example.org//double//slash', 'https://example.org//double//slash'],
    ['https://example.org?a=1&b=2', 'https://example.org/?a=1&b=2'],
    ['https://example.org/#', 'https://example.org/#'],
    ['https://example.org./', 'https://example.org./'],
    ['https://example.org/javascript:alert(1)', 'https://example.org/javascript:alert(1)'],
    ['https://example.org/\u200b', 'https://example.org/%E2%80%8B'],
  ])('%j', async (url, serialised) => {
    const { shortendUrl = '' } = await client.link(url)
    const response = await client.get(shortendUrl)
    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe(serialised)
  })
})

describe('an address that is none is answered with 400 and the reason', () => {
  const spaces = [
    ' ',
    '\t',
    '\n',
    '\r',
    '\0',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u2003',
    '\u2028',
    '\u3000',
    '\ufeff',
  ]

  test.each([
    ['', /empty/],
    ['example.org', /http:\/\//],
    ['//example.org/', /http:\/\//],
    ['/path', /http:\/\//],
    ['http', /http:\/\//],
    ['http:', /http:\/\//],
    ['http:example.org', /http:\/\//],
    ['http:/example.org', /http:\/\//],
    ['http:\\\\example.org', /http:\/\//],
    ['https:/\\example.org', /http:\/\//],
    ['javascript:alert(1)', /http:\/\//],
    ['javascript://example.org/%0aalert(1)', /http:\/\//],
    ['data:text/html,<script>alert(1)</script>', /http:\/\//],
    ['ftp://example.org/', /http:\/\//],
    ['file:///etc/passwd', /http:\/\//],
    ['mailto:somebody@example.org', /http:\/\//],
    ['blob:https://example.org/1', /http:\/\//],
    ['view-source:https://example.org/', /http:\/\//],
    ['ws://example.org/', /http:\/\//],
    ['httpss://example.org/', /http:\/\//],
    ['http://', /host/],
    ['http:///path', /host/],
    ['https:////example.org/', /host/],
    ['http://\\example.org', /host/],
    ['http://?query', /host/],
    ['http://#fragment', /host/],
    ['http://:80/', /./],
    ['http://user@/', /./],
    ['http://user:pass@:80/', /./],
    ['http://example.org:99999/', /./],
    ['http://example.org:port/', /./],
    ['http://256.256.256.256/', /./],
    ['http://1.2.3.4.5/', /./],
    ['http://[::1', /./],
    ['http://[::g]/', /./],
    ['http://a%20b/', /./],
    ['http://a%00b/', /./],
    ['http://<host>/', /./],
    ['http://ex^ample.org/', /./],
    ['http://%zz/', /./],
    ['http://xn--/', /./],
    ...spaces.flatMap((space): [string, RegExp][] => [
      [`https://example.org/a${space}b`, /white space|control/],
      [`${space}https://example.org/`, /white space|control/],
      [`https://example.org/${space}`, /white space|control/],
    ]),
    [`java\nscript:alert(1)`, /white space|control/],
    [`ht\ttps://example.org/`, /white space|control/],
  ] as [string, RegExp][])('%j', async (url, reason) => {
    const error = await expectError(await client.post('/shortener', { url }), 400, /^Invalid URL format: ./)
    expect(error).toMatch(reason)
  })

  test('also one with a lone surrogate', async () => {
    const body = '{"url":"https://example.org/\\ud83d"}'
    await expectError(await client.post('/shortener', body), 400, /^Invalid URL format: .*surrogate/)
  })
})

describe('an address has at most 8192 characters', () => {
  const addressOf = (length: number) => 'https://example.org/'.padEnd(length, 'a')

  test('one of exactly so many is kept', async () => {
    const { shortendUrl = '' } = await client.link(addressOf(8192))
    expect((await client.get(shortendUrl)).headers.get('Location')).toBe(addressOf(8192))
  })

  test('one that is longer, or would be once encoded, is refused', async () => {
    for (const url of [addressOf(8193), addressOf(7000).replaceAll('aaa', 'aaä')])
      await expectError(await client.post('/shortener', { url }), 400, /^Invalid URL format: .*8192/)
  })
})

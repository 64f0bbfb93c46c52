import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { quiet, withServer } from '../support/server.ts'

const { server, client } = withServer()

describe("this service's own short links cannot be shortened", () => {
  test.each([
    ['as it was answered', (own: string) => own],
    ['with its preview sign', (own: string) => `${own}+`],
    ['with a query', (own: string) => `${own}?a=1`],
    ['with its id in capitals', (own: string) => own.replace(/[^/]+$/, (id) => id.toUpperCase())],
    ['with the scheme in capitals', (own: string) => own.replace('http', 'HTTP')],
    ['with another spelling of the host', (own: string) => own.replace('127.0.0.1', '0x7F.0.0.1')],
    ['by a way round', (own: string) => own.replace('/s/', '/p/../s/')],
    [
      'with a percent-encoded id',
      (own: string) => own.replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
    ],
  ])('%s', async (_, spell) => {
    const { shortendUrl = '' } = await client.link()
    const error = await expectError(await client.post('/shortener', { url: spell(shortendUrl) }), 400)
    expect(error).toMatch(/^Invalid URL format: .*loop/)
  })

  test('in whatever case the host is written', async () => {
    const named = { Host: 'nas.example:8080' }
    const url = 'http://NAS.Example:8080/s/abcdefg'
    await expectError(await client.post('/shortener', { url }, named), 400, /loop/)
    expect((await client.post('/shortener', { url })).status).toBe(201)
  })

  test('but its pastes and other pages can', async () => {
    const { pasteUrl, rawUrl } = await client.paste()
    for (const url of [pasteUrl, rawUrl, `${server.url}/`, `${server.url}/star`])
      expect((await client.post('/shortener', { url })).status).toBe(201)
  })
})

describe('with a public and a base address set', () => {
  const addresses = ['--public-url', 'https://sho.rt/x', '--base-url', 'https://api.sho.rt']
  const { server: set } = withServer({ args: [...quiet, ...addresses] })

  test.each([
    'https://sho.rt/x/s/abcdefg',
    'http://sho.rt/x/s/abcdefg',
    'https://SHO.RT:443/x/s/abcdefg',
    'https://api.sho.rt/s/abcdefg',
  ])('%s is an own short link', async (url) => {
    await expectError(await createClient(set.url).post('/shortener', { url }), 400, /loop/)
  })

  test('so is one at the address the request came to', async () => {
    await expectError(
      await createClient(set.url).post('/shortener', { url: `${set.url}/s/abcdefg` }),
      400,
      /loop/,
    )
  })

  test.each([
    'https://sho.rt/s/abcdefg',
    'https://sho.rt/x/p/abcdefghjk',
    'https://other.sho.rt/x/s/abcdefg',
  ])('%s is none', async (url) => {
    expect((await createClient(set.url).post('/shortener', { url })).status).toBe(201)
  })
})

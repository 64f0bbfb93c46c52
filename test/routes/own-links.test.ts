import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { start } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

const { server, client } = withServer()

describe("this service's own short links cannot be shortened", () => {
  test.each([
    ['as it was answered', (own: string) => own],
    ['with its preview sign', (own: string) => `${own}+`],
    ['with another spelling of the host', (own: string) => own.replace('127.0.0.1', '0x7F.0.0.1')],
  ])('%s', async (_, spell) => {
    const { shortendUrl = '' } = await client.link()
    const error = await expectError(await client.post('/shortener', { url: spell(shortendUrl) }), 400)
    expect(error).toMatch(/^Invalid URL format: .*loop/)
  })

  test('by the host that the request names', async () => {
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

test('with a public and a base address, own short links are at each of them', async () => {
  const addresses = ['--public-url', 'https://sho.rt/x', '--base-url', 'https://api.sho.rt']
  const set = await start({ args: [...quiet, ...addresses] })
  const shorten = (url: string) => createClient(set.url).post('/shortener', { url })
  for (const base of ['https://sho.rt/x', 'https://api.sho.rt', set.url])
    await expectError(await shorten(`${base}/s/abcdefg`), 400, /loop/)
  expect((await shorten('https://sho.rt/s/abcdefg')).status).toBe(201)
  await set.stop()
})

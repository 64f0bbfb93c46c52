import { describe, expect, test } from 'bun:test'
import { renderSVG } from 'uqr'
import { createClient } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { start } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

describe('a QR code', () => {
  const { server, client } = withServer({ args: [...quiet, '--public-url', 'http://nas/x/'] })

  test('holds the public address of the item, as a picture that runs nothing', async () => {
    const { pasteUrl = '' } = await client.paste()
    const { shortendUrl = '' } = await client.link()
    for (const [kind, address] of [
      ['p', pasteUrl],
      ['s', shortendUrl],
    ] as const) {
      const response = await client.get(`/qr/${kind}/${address.split('/').at(-1)}`)
      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toBe('image/svg+xml')
      expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
      expect(address).toStartWith(`http://nas/x/${kind}/`)
      const svg = await response.text()
      expect(svg).toBe(renderSVG(address, { border: 2 }))
      expect(svg).not.toMatch(/<script|<foreignObject|\bon\w+=/i)
    }
  })

  test('is made for the longest host there can be', async () => {
    const bare = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const { pasteUrl = '' } = await createClient(bare.url).paste()
    const Host = `${'a'.repeat(249)}.lan:65535`
    const path = new URL(pasteUrl).pathname
    const response = await createClient(bare.url).get(`/qr${path}`, { Host })
    expect(await response.text()).toBe(renderSVG(`http://${Host}${path}`, { border: 2 }))
    await bare.stop()
  })

  test('is answered 404 for what never was and 410 for what was deleted', async () => {
    await expectError(await client.get('/qr/p/zzzzzzzzzz'), 404)
    await expectError(await client.get('/qr/s/nonsense!'), 404)
    const { shortendUrl = '', deletionUrl = '' } = await client.link()
    const { pathname, search } = new URL(deletionUrl)
    expect((await fetch(server.url + pathname + search, { method: 'DELETE' })).status).toBe(200)
    await expectError(await client.get(`/qr/s/${shortendUrl.split('/').at(-1)}`), 410)
  })
})

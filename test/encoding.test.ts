import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createClient } from './support/client.ts'
import { browser } from './support/expectations.ts'
import { type RunningServer, start } from './support/process.ts'

const decoders = {
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
  identity: (bytes: Uint8Array) => Buffer.from(bytes),
}

describe('a body that is worth it', () => {
  let server: RunningServer
  const addresses: Record<string, string> = {}
  beforeAll(async () => {
    server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const { paste } = createClient(server.url)
    const { pasteUrl = '' } = await paste({ text: 'const a = 1\n'.repeat(100) })
    const large = await paste({ text: 'const a = 1\n'.repeat(50_000), language: 'text' })
    addresses.page = pasteUrl
    addresses['large page'] = large.pasteUrl ?? ''
    const html = await (await fetch(pasteUrl, { headers: browser })).text()
    for (const [name, pattern] of [
      ['style', /href="\.\.\/(assets\/style-[^"]+)"/],
      ['script', /src="\.\.\/(assets\/paste-[^"]+)"/],
    ] as const)
      addresses[name] = `${server.url}/${pattern.exec(html)?.[1]}`
  })
  afterAll(() => server.stop())

  const get = (name: string, coding: string, headers: Record<string, string> = {}) =>
    fetch(addresses[name] ?? '', {
      headers: { ...browser, 'Accept-Encoding': coding, ...headers },
      // The bytes as they were sent.
      decompress: false,
    } as RequestInit)
  const names = ['page', 'large page', 'style', 'script']

  const choices = [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['zstd', 'zstd'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['zstd;q=0, gzip', 'gzip'],
    ['zstd;q=0.0, gzip;q=0', 'identity'],
    ['br', 'identity'],
    ['identity', 'identity'],
  ] as const
  test.each(choices)(
    'is sent to who accepts "%s" as %s, with a tag of its own, and decodes to the same',
    async (accepted, coding) => {
      for (const name of names) {
        const plain = await get(name, 'identity')
        const response = await get(name, accepted)
        expect(response.headers.get('Content-Encoding') ?? 'identity').toBe(coding)
        expect(response.headers.get('Vary')).toMatch(/Accept-Encoding$/)
        const bytes = await response.bytes()
        expect(decoders[coding](bytes)).toEqual(Buffer.from(await plain.bytes()))
        const isSameTag = response.headers.get('ETag') === plain.headers.get('ETag')
        expect(isSameTag, name).toBe(coding === 'identity')
      }
    },
  )

  test('is not sent again to who has it in that coding, but is in another', async () => {
    for (const name of names) {
      const etag = (await get(name, 'gzip')).headers.get('ETag') ?? ''
      const again = await get(name, 'gzip', { 'If-None-Match': etag })
      expect([again.status, (await again.bytes()).length, again.headers.get('ETag')]).toEqual([304, 0, etag])
      expect((await get(name, 'zstd', { 'If-None-Match': etag })).status).toBe(200)
    }
  })

  test('is smaller, and an asset is kept for ever under the hash in its name', async () => {
    for (const name of names) {
      const sizes = await Promise.all(
        ['identity', 'gzip', 'zstd'].map(async (coding) => (await (await get(name, coding)).bytes()).length),
      )
      const [identity = 0, gzip = 0, zstd = 0] = sizes
      expect(Math.max(gzip, zstd), name).toBeLessThan(identity)
    }
    for (const name of ['style', 'script'])
      expect((await get(name, 'gzip')).headers.get('Cache-Control')).toBe(
        'public, max-age=31536000, immutable',
      )
  })

  test('has a name that is the hash of what is in it, and no other name', async () => {
    for (const name of ['style', 'script']) {
      const response = await get(name, 'identity')
      const hash = Bun.hash(await response.bytes()).toString(36)
      expect(addresses[name]).toMatch(new RegExp(`-${hash}\\.(css|js)$`))
      expect(response.headers.get('ETag')).toBe(`"${hash}"`)
      expect((await fetch(addresses[name]?.replace(hash, 'old') ?? '')).status).toBe(404)
    }
  })

  test('has the same headers in every coding when only they are asked for', async () => {
    for (const name of names)
      for (const coding of ['gzip', 'zstd', 'identity']) {
        const init = { method: 'HEAD', headers: { ...browser, 'Accept-Encoding': coding } }
        const head = await fetch(addresses[name] ?? '', init)
        const full = await get(name, coding)
        for (const header of ['Content-Encoding', 'ETag', 'Vary', 'Content-Type', 'Cache-Control'])
          expect(head.headers.get(header), header).toBe(full.headers.get(header))
      }
  })

  test('is one of at least 500 bytes: the icon is sent as it is', async () => {
    const html = await (await fetch(server.url)).text()
    const icon = `${server.url}/${/href="\.\/(assets\/icon-[^"]+)"/.exec(html)?.[1]}`
    const response = await fetch(icon, { headers: { 'Accept-Encoding': 'gzip, zstd' } })
    expect(response.status).toBe(200)
    expect((await response.bytes()).length).toBeLessThan(500)
    expect(response.headers.get('Content-Encoding')).toBeNull()
  })
})

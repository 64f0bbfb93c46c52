import { beforeAll, describe, expect, test } from 'bun:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { createBody, createEncoder } from '../../src/http/negotiate.ts'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { openHighlighted } from '../support/pages.ts'
import { start } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const decoders = {
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
  identity: (bytes: Uint8Array) => Buffer.from(bytes),
}

describe('a body that is worth it', () => {
  const { server } = withServer()
  const addresses: Record<string, string> = {}
  beforeAll(async () => {
    const { paste } = createClient(server.url)
    // The page of one that is not highlighted yet has no tag.
    const { pasteUrl = '' } = await openHighlighted(server, { text: 'const a = 1\n'.repeat(100) })
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

  const get = (name: string, coding: string, headers: Record<string, string> = {}) =>
    fetch(addresses[name] ?? '', {
      headers: { ...browser, 'Accept-Encoding': coding, ...headers },
      // The bytes as they were sent.
      decompress: false,
    } as RequestInit)
  const names = ['page', 'large page', 'style', 'script']

  const choices = [
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip', 'gzip'],
    ['br', 'identity'],
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
    const html = await (await fetch(server.url, { headers: browser })).text()
    const icon = `${server.url}/${/href="\.\/(assets\/icon-[^"]+)"/.exec(html)?.[1]}`
    const response = await fetch(icon, { headers: { 'Accept-Encoding': 'gzip, zstd' } })
    expect(response.status).toBe(200)
    expect((await response.bytes()).length).toBeLessThan(500)
    expect(response.headers.get('Content-Encoding')).toBeNull()
  })

  describe('that depends on the address of the request', () => {
    const paths = ['/', '/docs', '/openapi.json']
    const ask = (path: string, coding: string) =>
      fetch(server.url + path, { headers: { ...browser, 'Accept-Encoding': coding } })

    test.each(paths)('%s is compressed, and decodes to the same', async (path) => {
      const plain = await (await ask(path, 'identity')).text()
      for (const coding of ['gzip', 'zstd']) {
        const response = await ask(path, coding)
        expect(response.headers.get('Content-Encoding')).toBe(coding)
        // Programs get another answer at `/`.
        expect(response.headers.get('Vary')).toBe(
          path === '/' ? 'Accept, Accept-Encoding' : 'Accept-Encoding',
        )
        expect(Number(response.headers.get('Content-Length'))).toBeWithin(
          1,
          plain.length / (path === '/' ? 3 : 4),
        )
        expect(await response.text()).toBe(plain)
      }
    })

    test.each(paths)('%s has the same headers where only they are asked for', async (path) => {
      const other = await start({ args: ['--log', 'off'] })
      for (const time of ['before it was made', 'after']) {
        const answers = await Promise.all(
          ['HEAD', 'GET'].map((method) =>
            fetch(other.url + path, { method, headers: { 'Accept-Encoding': 'gzip' } }),
          ),
        )
        for (const name of ['Content-Encoding', 'ETag', 'Vary', 'Content-Type', 'Cache-Control'])
          expect(answers[0]?.headers.get(name), `${name} ${time}`).toBe(
            answers[1]?.headers.get(name) as string,
          )
      }
      await other.stop()
    })
  })
})

test('a compression that fails is answered uncompressed, and tried again', async () => {
  const compressions: ReturnType<typeof Promise.withResolvers<Blob>>[] = []
  const encoded = createEncoder(() => {
    const compression = Promise.withResolvers<Blob>()
    compressions.push(compression)
    return compression.promise
  })
  const body = createBody('a'.repeat(1000), {}, '"tag"')
  const request = new Request('http://nas/', { headers: { 'Accept-Encoding': 'zstd' } })
  const [first, second] = [encoded(request, body), encoded(request, body)]
  compressions[0]?.reject(new Error('out of memory'))
  expect(await first).toBe(body.coded.identity)
  expect(await second).toBe(body.coded.identity)
  expect(compressions).toHaveLength(1)
  const third = encoded(request, body)
  compressions[1]?.resolve(new Blob(['short']))
  expect((await third).etag).toBe('"tag-zstd"')
  expect(encoded(request, body)).toBe(await third)
})

import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createRenderer } from '../../src/highlight/child.ts'
import { viewOf } from '../../src/routes/pastes/paste-page.ts'
import { createClient, examplePaste } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { repository } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { siteAt } from '../support/site.ts'

/** 100 KB of TypeScript that anybody has: the compiler's own declarations. */
const declarations = Bun.file(join(repository, 'node_modules/typescript/lib/typescript.d.ts'))
const source = (await declarations.text()).slice(0, 100_000)

/** The page of a text. Not a server's: on a busy machine that one would be plain. */
const pageOf = async (text: string) => {
  const { language } = examplePaste
  const tokenise = await createRenderer()
  const lines = await tokenise({ text, language }, () => {})
  const stored = { id: 'abcdefghjk', owner: 'laptop', createdAt: 0, deletionHash: '' }
  return Buffer.from(
    [...viewOf(siteAt('../'), { paste: { ...examplePaste, ...stored, text }, language }, lines)].join(''),
  )
}

describe('what a reader loads', () => {
  const { server } = withServer()
  const bytesOf = async (address: string) => (await fetch(address, { headers: browser })).bytes()

  test('of 100 KB of TypeScript is at most 4.5 times its size, and 0.35 times compressed', async () => {
    expect(source).toHaveLength(100_000)
    const page = await pageOf(source)
    expect(new TextDecoder().decode(page)).toContain('<span class=t2>')
    const size = Buffer.byteLength(source)
    console.log(
      `page ${(page.length / size).toFixed(2)} ×, gzip ${(gzipSync(page).length / size).toFixed(3)} × its source`,
    )
    expect(page.length / size).toBeLessThan(4.5)
    expect(gzipSync(page).length / size).toBeLessThan(0.35)
  })

  /** As the server compresses it. */
  const sentBytes = async (path: string) => {
    const headers = { 'Accept-Encoding': 'gzip' }
    return (await (await fetch(server.url + path, { headers, decompress: false })).bytes()).length
  }

  test('of styles and scripts is at most 24.6 KB compressed, all pages together', async () => {
    const { pasteUrl = '' } = await createClient(server.url).paste()
    const pages = await Promise.all(
      [`${server.url}/`, pasteUrl, `${server.url}/docs`, `${server.url}/p/zzzzzzzzzz`].map(bytesOf),
    )
    const html = pages.map((page) => new TextDecoder().decode(page)).join('')
    const assets = new Set(
      [...html.matchAll(/(?:href|src)="[./]*(assets\/[\w-]+\.(?:css|js))"/g)].map(([, path = '']) => path),
    )
    expect([...assets].map((path) => /\/(\w+)-/.exec(path)?.[1]).sort()).toEqual(
      'ages docs docs early every forms home paste picker style'.split(' '),
    )
    const sizes = await Promise.all([...assets].map((path) => sentBytes(`/${path}`)))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    console.log(`styles and scripts: ${total} bytes compressed`)
    expect(total).toBeLessThanOrEqual(24_600)
  })
})

import { describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { quiet, withServer } from '../support/server.ts'

const { server: standard } = withServer()
const { server: small } = withServer({ args: [...quiet, '--max-paste', '1KiB'] })

/** Sends a body in chunks, so that nothing announces its length. */
const postChunks = (url: string, chunks: Iterable<string>) =>
  fetch(url, {
    method: 'POST',
    headers: { key: testKey, 'Content-Type': 'application/json' },
    body: (async function* () {
      for (const chunk of chunks) yield new TextEncoder().encode(chunk)
    })(),
  })

const pasteOf = (text: string) => ({ ...examplePaste, text })

const mebibyte = 1024 ** 2
const limits = [
  ['1 MiB unless it is set', () => standard, mebibyte],
  ['what --max-paste says', () => small, 1024],
] as const

describe.each(limits)('the largest text is %s', (_, serverOf, bytes) => {
  test.each([
    ['one byte a character', 'a', 1],
    ['two bytes a character', 'é', 2],
    ['four bytes a character', '😀', 4],
    ['six bytes of JSON a character', '\u0001', 1],
  ])('counted in UTF-8: %s', async (_, character, width) => {
    const client = createClient(serverOf().url)
    const text = character.repeat(bytes / width)
    const { rawUrl = '' } = await client.paste({ text })
    expect((await (await client.get(rawUrl)).bytes()).length).toBe(bytes)
    await expectError(await client.post('/paste', pasteOf(`${text}a`)), 413, /"text"/)
  })

  test('whether the length was announced or the body came in chunks', async () => {
    const address = `${serverOf().url}/paste`
    const fits = JSON.stringify(pasteOf('a'.repeat(bytes)))
    const over = JSON.stringify(pasteOf('a'.repeat(bytes + 1)))
    expect((await postChunks(address, [fits.slice(0, 50), fits.slice(50)])).status).toBe(201)
    await expectError(await postChunks(address, [over.slice(0, 50), over.slice(50)]), 413, /"text"/)
  })
})

describe.each([
  ['/paste', JSON.stringify(examplePaste)],
  ['/shortener', '{"url":"https://example.org/"}'],
])('POST %s', (path, body) => {
  const padding = ' '.repeat(mebibyte)

  test('answers 413 to an announced body that is far larger than any content', async () => {
    await expectError(await createClient(small.url).post(path, body + padding), 413, /body/)
  })

  test('answers 413 to the same body in chunks', async () => {
    await expectError(await postChunks(small.url + path, [body, padding]), 413, /body/)
  })

  test('answers 413 to a gigabyte before it comes', async () => {
    const head = [
      'Host: nas',
      `key: ${testKey}`,
      'Content-Type: application/json',
      'Content-Length: 1073741824',
    ]
    await expectError(await exchange(small.url, [`POST ${path} HTTP/1.1`, ...head]), 413, /body/)
  })

  test('goes on serving afterwards', async () => {
    await expectError(await createClient(small.url).post(path, body + padding), 413)
    expect((await createClient(small.url).post(path, body)).status).toBe(201)
  })
})

import { describe, expect, test } from 'bun:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { expectError } from '../support/expectations.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()
const guests = withServer({
  args: ['--rate-limit', '3/1h', '--log', 'off', '--guest-from', '127.0.0.0/8', '--guest-key', 'environment'],
})
const short = withServer({
  args: ['--rate-limit', 'off', '--log', 'off', '--default-expiry', '1d', '--max-paste', '1KiB'],
})

type Log = {
  success: boolean
  id: string
  url: string
  raw: string
  token: string
  content?: { raw: string }
} & Record<string, unknown>
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const inJson = { 'Content-Type': 'application/json' }
const post = (
  body: ConstructorParameters<typeof Response>[0],
  headers: Record<string, string> = form,
  at = server.url,
) => fetch(`${at}/1/log`, { method: 'POST', headers: { key: testKey, ...headers }, body })
const logOf = async (response: Response | Promise<Response>) => (await (await response).json()) as Log

/** What Qt makes of a form: it codes what would divide fields, and ends of lines, and leaves blanks, plus signs and letters. */
const asPrism = (text: string) =>
  `content=${text.replace(/[%&=#\p{Cc}"<>]/gu, (one) => encodeURIComponent(one))}`

const log =
  '[12:00:00] [main/INFO]: a+b=c & 100% é😀\r\n[12:00:01] [main/ERROR]: java.lang.Error: "<x>"\n\tat a.b(C.java:1)\n'

describe('a log', () => {
  test.each([
    ['of Prism Launcher', log, () => post(asPrism(log))],
    ['in a form of PHP or Python', log, () => post(new URLSearchParams({ content: log }))],
    ['in JSON', log, () => post(JSON.stringify({ content: log }), inJson)],
    [
      'in JSON with gzip, of the library for Java',
      log,
      () =>
        post(gzipSync(JSON.stringify({ content: log, source: null, metadata: [] })), {
          ...inJson,
          'Content-Encoding': 'gzip',
        }),
    ],
    [
      'in a deflated form',
      log,
      () =>
        post(deflateRawSync(`content=${encodeURIComponent(log)}`), {
          ...form,
          'Content-Encoding': 'deflate',
        }),
    ],
    ['of 1 MiB', 'x'.repeat(1024 ** 2), () => post(new URLSearchParams({ content: 'x'.repeat(1024 ** 2) }))],
    [
      'with a mark of byte order and a NUL',
      '\ufeffa\0',
      () => post(JSON.stringify({ content: '\ufeffa\0' }), inJson),
    ],
  ])('%s is kept byte for byte, and opens as a log', async (_, text, send) => {
    const response = await send()
    expect(response.status).toBe(200)
    const { id, url, raw, ...others } = await logOf(response)
    expect([url, raw]).toEqual([`${server.url}/p/${id}`, `${server.url}/p/raw/${id}`])
    const lines = text.split('\n').length
    expect(others).toMatchObject({ success: true, size: Buffer.byteLength(text), lines, metadata: [] })
    for (const address of [raw, `/1/raw/${id}`])
      expect(await (await client.get(address)).bytes()).toEqual(new TextEncoder().encode(text))
    const paste = await client.get(url, { Accept: 'application/json' })
    expect(((await paste.json()) as { language: string }).language).toBe('log')
  })

  test('says its program and what is visible of its metadata to its reader', async () => {
    const metadata = [
      { key: 'version', value: 1.21, label: 'Version' },
      { key: 'port', value: 25565 },
      { key: 'hidden', value: 'x', visible: false },
    ]
    const { url } = await logOf(post(JSON.stringify({ content: log, source: 'fabric', metadata }), inJson))
    const paste = (await (await client.get(url, { Accept: 'application/json' })).json()) as {
      description: string
    }
    expect(paste.description).toBe('Version: 1.21\nport: 25565\nSource: fabric')
  })

  test('is read again by its id, with its text where it is asked for', async () => {
    const { id, token: _, ...made } = await logOf(post(asPrism(log)))
    expect(await logOf(client.get(`/1/log/${id}`))).toEqual({ id, ...made } as Log)
    expect((await logOf(client.get(`/1/log/${id}?raw`))).content?.raw).toBe(log)
    await expectError(await client.get(`/1/log/${id}?insights`), 422, /analyse/)
    await expectError(await client.get('/1/log/2222222222'), 404)
    await expectError(await client.get('/1/raw/2222222222', { Accept: 'text/html' }), 404)
    const { pasteUrl = '' } = await client.paste({ maxReads: 1 })
    for (const path of ['/1/log', '/1/raw'])
      await expectError(await client.get(`${path}/${pasteUrl.split('/').at(-1)}`), 403, /burns/)
  })

  test('is deleted by its own token, and by no other', async () => {
    const [one, other] = [await logOf(post(asPrism(log))), await logOf(post(asPrism(log)))]
    const erase = (headers: Record<string, string>) =>
      client.get(`/1/log/${one.id}`, headers, { method: 'DELETE' })
    await expectError(await erase({}), 400, /^Missing token\.$/)
    for (const token of [other.token, 'wrong', testKey])
      await expectError(await erase({ Authorization: `Bearer ${token}` }), 403, /^Invalid token\.$/)
    const erased = await erase({ Authorization: `Bearer ${one.token}` })
    expect([erased.status, await erased.json()]).toEqual([200, { success: true }])
    await expectError(await erase({ Authorization: `Bearer ${one.token}` }), 410)
    expect((await client.get(`/1/log/${other.id}`)).status).toBe(200)
    const byKey = (key: string) => client.get(`/1/log/${other.id}`, { key }, { method: 'DELETE' })
    await expectError(await byKey('wrong'), 401)
    expect((await byKey(testKey)).status).toBe(200)
  })

  test.each([
    ['without content', 'a=b', form, 400, "Required field 'content' not found."],
    ['that is empty', 'content=', form, 400, "Required field 'content' is empty."],
    ['that is no text', '{"content":1}', inJson, 400, "Field 'content' must be a string."],
    ['in an unknown coding', 'content=a', { ...form, 'Content-Encoding': 'br' }, 400, /Content-Encoding/],
    ['that is not what its coding says', 'content=a', { ...form, 'Content-Encoding': 'gzip' }, 400, /\w/],
    ['of another type', 'content=a', { 'Content-Type': 'text/plain' }, 400, /JSON/],
    ['that is not UTF-8', new Uint8Array([0x63, 0xff]), form, 400, /UTF-8/],
  ])('%s is refused', async (_, body, headers, status, says) => {
    expect(await expectError(await post(body, headers), status)).toMatch(says)
  })

  test('that unpacks to more than a body may have is refused, and not unpacked', async () => {
    const bomb = gzipSync(`content=${'a'.repeat(64 * 1024 ** 2)}`)
    await expectError(await post(bomb, { ...form, 'Content-Encoding': 'gzip' }), 413)
    await expectError(await post(`content=${'a'.repeat(2048)}`, form, short.server.url), 413)
  })
})

describe('who sends a log', () => {
  test('needs a key, or is a guest', async () => {
    const withoutKey = (at: string, headers = {}) =>
      fetch(`${at}/1/log`, { method: 'POST', headers: { ...form, ...headers }, body: 'content=a' })
    await expectError(await withoutKey(server.url), 401, /key/)
    await expectError(await withoutKey(server.url, { Authorization: 'Bearer sc_wrong' }), 401, /key/)
    for (let count = 0; count < 3; count++) expect((await withoutKey(guests.server.url)).status).toBe(200)
    const refused = await withoutKey(guests.server.url)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    await expectError(refused, 429)
    await expectError(await withoutKey(guests.server.url, { Origin: 'http://evil.example' }), 403, /page/)
  })

  test('is told the limits, and what to mask before it sends', async () => {
    const day = await (await fetch(`${short.server.url}/1/limits`)).json()
    expect(day).toEqual({ success: true, storageTime: 86_400, maxLength: 1024, maxLines: 1024 })
    expect(await (await client.get('/1/limits')).json()).toMatchObject({ storageTime: 315_360_000 })
    const { expires, created } = await logOf(post(asPrism('a'), form, short.server.url))
    expect(Number(expires) - Number(created)).toBe(86_400)

    const [{ data }] = (await (await client.get('/1/filters')).json()) as [
      { data: { patterns: { pattern: string; modifiers: string[]; replacement: string }[] } },
    ]
    const masked = data.patterns.reduce(
      (text, { pattern, modifiers, replacement }) =>
        text.replace(new RegExp(pattern, `g${modifiers.join('')}`), () => replacement),
      '/home/ann/x C:\\Users\\Bob Smith\\y 203.0.113.7 127.0.0.1 2001:db8:1:2:3:4:5:6 --accessToken abc.def 12:00:01',
    )
    expect(masked).toBe(
      '/home/********/x C:\\Users\\********\\y **.**.**.** 127.0.0.1 ****:****:****:****:****:****:****:**** --accessToken ******** 12:00:01',
    )
  })
})

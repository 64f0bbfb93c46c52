import { describe, expect, test } from 'bun:test'
import { testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer()
const slow = withServer({ args: ['--rate-limit', '1/1h', '--log', 'off'] })

type Gist = {
  id: string
  html_url: string
  files: Record<
    string,
    { filename: string; content?: string; raw_url: string; size: number; language: string }
  >
} & Record<string, unknown>

/** What the program `gist` 6 sends. */
const send = (body?: object, token = testKey, at = server.url) =>
  fetch(`${at}/api/v3/gists`, {
    method: 'POST',
    headers: {
      'User-Agent': 'gist/6.0.0 (Net::HTTP, ruby 3.1.2p20)',
      ...(token && { Authorization: `token ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
const create = (files: object, more = {}) => send({ public: true, files, ...more })
const gistOf = async (response: Response | Promise<Response>) => (await (await response).json()) as Gist

/** GitHub says errors so. */
const expectRefusal = async (response: Response, status: number, says = /\S/) => {
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({
    message: expect.stringMatching(says),
    documentation_url: expect.stringContaining('https://docs.github.com/'),
  } as never)
}

describe('a gist', () => {
  test.each([
    ['ASCII', 'print(1)\n'],
    ['UTF-8', '\ufeffé😀\n'],
    ['CRLF', 'a\r\nb\rc\n\r\n'],
    ['a NUL', 'a\0b'],
    ['1 MiB', 'x'.repeat(1024 ** 2)],
  ])('of %s comes back byte for byte', async (_, content) => {
    const response = await create({ 'a.py': { content } }, { description: 'about' })
    expect(response.status).toBe(201)
    const { id, html_url, files, ...others } = await gistOf(response)
    expect(html_url).toBe(`${server.url}/p/${id}`)
    expect(response.headers.get('Location')).toBe(html_url)
    expect(others).toMatchObject({ public: false, description: 'about' })
    expect(files['a.py']).toMatchObject({
      filename: 'a.py',
      language: 'Python',
      size: Buffer.byteLength(content),
    })
    expect(await (await client.get(files['a.py']?.raw_url ?? '')).bytes()).toEqual(
      new TextEncoder().encode(content),
    )
    // `gist --raw` prints this address.
    expect(await (await client.get(`${html_url}/raw`)).bytes()).toEqual(new TextEncoder().encode(content))
    expect(files['a.py']?.content).toBe(content)
  })

  test('is made of the bytes that the program sends', async () => {
    const body = '{"public":true,"files":{"gistfile1.txt":{"content":"{\\"a\\": 1}\\n"}}}'
    const response = await exchange(
      server.url,
      [
        'POST /api/v3/gists HTTP/1.1',
        'Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3',
        'Accept: */*',
        'User-Agent: gist/6.0.0 (Net::HTTP, ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu])',
        `Authorization: token ${testKey}`,
        'Content-Type: application/json',
        `Host: ${new URL(server.url).host}`,
        `Content-Length: ${body.length}`,
      ],
      body,
    )
    expect(response.status).toBe(201)
    const { id, files, ...others } = await gistOf(response)
    expect(others.description).toBeNull()
    // The name that stands for none is no title, and the language is found in the text.
    expect(files['gistfile1.txt']?.language).toBe('JSON')
    const paste = (await (await client.get(`/pastes/${id}`, { key: testKey })).json()) as {
      paste: { title: string }
    }
    expect(paste.paste.title).toBe('')
  })

  test.each([
    ['several files', { 'a.txt': { content: 'a' }, 'b.txt': { content: 'b' } }, /one file/],
    ['no file', {}, /one file/],
    ['an empty file', { 'a.txt': { content: '' } }, /content/],
    ['a file without content', { 'a.txt': {} }, /content/],
    ['a file that is to get another name', { 'a.txt': { content: 'a', filename: 'b.txt' } }, /name/],
    ['a list of files', ['a'], /content/],
  ])('of %s is refused, and nothing is stored', async (_, files, says) => {
    const before = (await gistOf(client.get('/pastes', { key: testKey }))).total
    await expectRefusal(await create(files), 422, says)
    expect((await gistOf(client.get('/pastes', { key: testKey }))).total).toEqual(before)
  })

  test('needs a key, and says so as GitHub does', async () => {
    const files = { 'a.txt': { content: 'a' } }
    for (const token of ['', 'wrong']) await expectRefusal(await send({ files }, token), 401, /key/)
    await expectRefusal(await send(undefined), 400, /JSON/)
  })

  test('waits at the rate limit', async () => {
    const files = { 'a.txt': { content: 'a' } }
    expect((await send({ files }, testKey, slow.server.url)).status).toBe(201)
    const refused = await send({ files }, testKey, slow.server.url)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    await expectRefusal(refused, 429)
  })
})

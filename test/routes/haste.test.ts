import { describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { browser, expectError } from '../support/expectations.ts'
import { repository, start, testKey } from '../support/process.ts'
import { requireProgram } from '../support/programs.ts'
import { quiet, withServer } from '../support/server.ts'

const { server, client } = withServer({ args: [...quiet, '--max-paste', '4KiB'] })

const text = '\ufeffconst a = "é😀"\r\n\t\0\n'
const basic = (name: string, password: string) => `Basic ${btoa(`${name}:${password}`)}`
const keyHeader = { key: testKey }

const post = (headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> = text) =>
  fetch(`${server.url}/documents`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain', ...headers },
    body,
  })
const created = async () => ((await (await post(keyHeader)).json()) as { key: string }).key

describe('POST /documents', () => {
  test.each([
    ['in its own header', keyHeader],
    ['as a bearer token', { Authorization: `Bearer ${testKey}` }],
    ['as a bearer token, the scheme in any case', { Authorization: `bearer ${testKey}` }],
    ['as a password', { Authorization: basic('somebody', testKey) }],
    ['as a password without a name', { Authorization: basic('', testKey) }],
    ['as a name without a password', { Authorization: basic(testKey, '') }],
  ])('takes the API key %s', async (_, headers) => {
    const response = await post(headers)
    // The clients of hastebin take no other status for a success.
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ key: expect.stringMatching(/^[a-z2-9]{10}$/) })
  })

  test.each([
    ['nothing', {}],
    ['a wrong key', { key: 'wrong' }],
    ['a wrong token', { Authorization: 'Bearer wrong' }],
    ['a wrong password', { Authorization: basic(testKey, 'wrong') }],
    ['another scheme', { Authorization: `Digest ${testKey}` }],
    ['no Base64', { Authorization: 'Basic ~~~~' }],
    ['a scheme alone', { Authorization: 'Bearer' }],
  ])('answers 401 to %s, also for a browser', async (_, headers) => {
    for (const accept of [{}, browser]) {
      const error = await expectError(await post({ ...headers, ...accept }), 401, /key/)
      expect(error).not.toContain(testKey)
    }
  })

  test('says in a header how to delete', async () => {
    const response = await post(keyHeader)
    const { key } = (await response.json()) as { key: string }
    const deleted = await client.get(response.headers.get('Deletion-Url') ?? '', {}, { method: 'DELETE' })
    expect(deleted.status).toBe(200)
    for (const path of [`/documents/${key}`, `/raw/${key}`, `/${key}`, `/share/${key}`])
      await expectError(await client.get(path), 410)
  })

  test('refuses what cannot be a paste', async () => {
    await expectError(await post(keyHeader, ''), 422, /empty/)
    await expectError(await post(keyHeader, 'a'.repeat(4097)), 413)
    await expectError(await post(keyHeader, new Uint8Array([0xc3])), 400, /UTF-8/)
  })
})

describe('a document', () => {
  test('comes back as it was sent, with an ending or without', async () => {
    const key = await created()
    for (const id of [key, `${key}.js`, `${key}.tar.gz`, key.toUpperCase()]) {
      expect(await (await client.get(`/documents/${id}`)).json()).toEqual({ key, data: text })
      expect(await (await client.get(`/raw/${id}`)).bytes()).toEqual(new TextEncoder().encode(text))
    }
  })

  test('as raw text is the very answer of /p/raw', async () => {
    const key = await created()
    const [haste, own] = [await client.get(`/raw/${key}`), await client.get(`/p/raw/${key}`)]
    const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'date')
    expect(headersOf(haste)).toEqual(headersOf(own))
    const known = { 'If-None-Match': haste.headers.get('ETag') ?? '' }
    expect((await client.get(`/raw/${key}`, known)).status).toBe(304)
  })

  test('as JSON is not sent again to who has it', async () => {
    const path = `/documents/${await created()}`
    const known = { 'If-None-Match': (await client.get(path)).headers.get('ETag') ?? '' }
    expect((await client.get(path, known)).status).toBe(304)
  })

  test.each(['/', '/share/'])(
    'is found where clients say it is: %s<id> leads to its page',
    async (prefix) => {
      const key = await created()
      for (const id of [key, `${key}.js`, key.toUpperCase()]) {
        const response = await client.get(prefix + id)
        expect(response.status).toBe(302)
        expect(response.headers.get('Location')).toBe(`${server.url}/p/${key}`)
        expect(response.headers.get('Cache-Control')).toBe('private, no-store')
      }
    },
  )

  test('is not found under another id', async () => {
    for (const path of ['/documents/2222222222', '/raw/2222222222', '/2222222222', '/documents/x', '/raw/x'])
      await expectError(await client.get(path), 404, /paste/)
    for (const path of ['/abcdefg', '/paste.js', '/favicon.ico', '/share/x'])
      await expectError(await client.get(path), 404, /nothing at this address/)
  })

  test('has its page at the public address', async () => {
    const set = await start({ args: ['--public-url', 'https://sho.rt/x', '--log', 'off'] })
    const { pasteUrl = '' } = await createClient(set.url).paste()
    const response = await createClient(set.url).get(`/${pasteUrl.slice(-10)}`)
    expect(response.headers.get('Location')).toBe(pasteUrl)
    await set.stop()
  })
})

describe.skipIf(!requireProgram('node', 'nodejs'))('the npm package hastebin-gen', () => {
  /** It sets no header of its own choice, so that the key goes into the address. */
  const upload = (address: string) => {
    const script = `require('hastebin-gen')(fs.readFileSync(0), { url: process.argv[1], extension: 'py' })
      .then(console.log, ({ message }) => { console.error(message); process.exit(1) })`
    const { exitCode, stdout, stderr } = Bun.spawnSync(['node', '-e', script, address], {
      cwd: repository,
      stdin: Buffer.from(text),
    })
    return { exitCode, stdout: stdout.toString().trim(), stderr: stderr.toString().trim() }
  }
  const withKey = (key: string) => server.url.replace('http://', `http://${key}@`)

  test('uploads with the key in the address, and prints a link that works', async () => {
    const { stdout, stderr } = upload(withKey(testKey))
    expect(stderr).toBe('')
    expect(stdout).toMatch(/\/[a-z2-9]{10}\.py$/)
    const page = await fetch(server.url + new URL(stdout).pathname, {
      headers: { Accept: 'application/json' },
    })
    expect(await page.json()).toMatchObject({ text })
  })

  test('tells of a wrong key', () => {
    expect(upload(withKey('wrong'))).toEqual({ exitCode: 1, stdout: '', stderr: 'Unauthorized' })
  })
})

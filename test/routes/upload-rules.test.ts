import { describe, expect, test } from 'bun:test'
import { createClient, examplePaste } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { start, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

const { server } = withServer({ args: [...quiet, '--max-paste', '4096'] })

const put = (path: string, body: string | ReadableStream, init: RequestInit = {}) =>
  fetch(server.url + path, { method: 'PUT', headers: { key: testKey }, body, ...init })

describe('an upload', () => {
  test('answers 201, text, and where the paste lies', async () => {
    const response = await put('/name.py', 'a')
    expect(response.status).toBe(201)
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect(`${response.headers.get('Location')}\n`).toBe(await response.text())
  })

  test('has no other fault than that of a paste created by the API', async () => {
    await expectError(await put('/?language=pythn', 'a'), 422, /python/)
    await expectError(await put(`/?title=${'é'.repeat(513)}`, 'a'), 422, /title/)
    await expectError(await put(`/?title=${'é'.repeat(513)}`, 'a'.repeat(4097)), 413, /larger than 4096/)
    await expectError(await put('/', 'a', { headers: { key: 'wrong' } }), 401, /not valid/)
  })

  test('of a file whose name is too long for a title is refused, unless it is given a title', async () => {
    const name = `${'n'.repeat(1022)}.py`
    await expectError(await put(`/${name}`, 'a'), 422, /"title" is longer than 1 KiB/)
    expect((await put(`/${name}?title=short`, 'a')).status).toBe(201)
    expect((await put(`/${name.slice(1)}`, 'a')).status).toBe(201)
  })

  test('of unannounced length is read no further than it may go', async () => {
    const endless = new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(1024).fill(0x61)) })
    await expectError(await put('/', endless), 413, /larger than 4096 bytes/)
  })

  test('of a form that is broken is refused', async () => {
    const headers = { key: testKey, 'Content-Type': 'multipart/form-data; boundary=x' }
    for (const body of [
      '',
      'nonsense',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
    ])
      await expectError(await put('/', body, { headers }), 400, /form cannot be read/)
  })

  test.each(['/paste', '/shortener', '/documents', '/healthz', '/paste/delete', '/p/name.py', '/s/name.py'])(
    'cannot take the name of what is there already: PUT %s is 405',
    async (path) => {
      const response = await put(path, 'a')
      expect(response.headers.get('Allow')).not.toContain('PUT')
      await expectError(response, 405)
    },
  )

  test.each(['/a/b.py', '/a/b/c.py'])('has a name without slashes: PUT %s says so', async (path) => {
    await expectError(await put(path, 'a'), 404, /without slashes/)
  })

  test('takes a token of the same bucket as the API', async () => {
    const limited = await start({ args: ['--rate-limit', '3/9999s', '--log', 'off'] })
    const send = (method: string, path: string) =>
      fetch(limited.url + path, { method, headers: { key: testKey }, body: 'a' })
    expect((await send('POST', '/')).status).toBe(201)
    expect((await send('PUT', '/name.py')).status).toBe(201)
    expect((await send('POST', '/documents')).status).toBe(200)
    await expectError(await createClient(limited.url).post('/paste', examplePaste), 429)
    const refused = await send('PUT', '/name.py')
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/)
    await expectError(refused, 429)
    await limited.stop()
  })

  test('is logged like every paste', async () => {
    const logging = await start({ args: ['--log', 'json'] })
    await fetch(`${logging.url}/name.py`, { method: 'PUT', headers: { key: testKey }, body: 'secret text' })
    const [line] = await logging.stderr.waitFor(/.*paste created.*/)
    expect(line).toContain('"owner":"environment"')
    expect(line).not.toContain('secret text')
    await logging.stop()
  })
})

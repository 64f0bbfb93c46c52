import { describe, expect, test } from 'bun:test'
import { expectError } from '../support/expectations.ts'
import { run, start, testKey } from '../support/process.ts'
import { exchange } from '../support/raw-http.ts'
import { quiet, withServer } from '../support/server.ts'

const { server } = withServer({ args: [...quiet], env: {} })
const guests = withServer({
  args: [...quiet, '--guest-from', '127.0.0.0/8', '--guest-key', 'environment'],
})

const keyOf = async (name: string) => (await run(['keys', 'add', name, '--data', server.data])).stdout.trim()

/** The bytes that rpaste 0.10.0 sends: a line end, then the only part. */
const upload = (url: string, disposition: string, content: string, headers: Record<string, string>) => {
  const body =
    `\r\n--7lsPdjbmEajPiXiZ\r\nContent-Disposition: form-data; ${disposition}\r\n` +
    `Content-Type: text/plain\r\n\r\n${content}\r\n--7lsPdjbmEajPiXiZ--`
  const head = [
    'POST / HTTP/1.1',
    'accept-encoding: gzip',
    'user-agent: rustypaste-cli/0.10.0',
    'accept: */*',
    'host: 127.0.0.1',
    'content-type: multipart/form-data; boundary=7lsPdjbmEajPiXiZ',
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return exchange(url, head, body)
}

/** What it prints for an answer of 200 that is one line. */
const printed = async (answer: Response) => {
  expect(answer.status).toBe(200)
  const text = await answer.text()
  expect(text).toMatch(/^http:\S+\/[ps]\/[\w-]+\n$/)
  return new URL(text.trim()).pathname
}
const rawOf = async (url: string, path: string) => (await fetch(url + path.replace('/p/', '/p/raw/'))).text()
const file = 'name="file"; filename="a.py"'

describe('rpaste', () => {
  test.each(['hello\n', 'é 😀', 'a\r\nb\r\n', 'a\0b', 'a'.repeat(1024 ** 2)])(
    'gets 200 and one line for a file, with a key and as a guest',
    async (text) => {
      const key = await keyOf(`k${Math.random()}`.slice(0, 12))
      const path = await printed(await upload(server.url, file, text, { authorization: key }))
      expect(await rawOf(server.url, path)).toBe(text)
      const { url } = guests.server
      expect(await rawOf(url, await printed(await upload(url, file, text, {})))).toBe(text)
    },
  )

  test('gives a lifetime and a name in headers', async () => {
    const headers = { authorization: await keyOf('headers'), expire: '10min', filename: 'b.go' }
    const path = await printed(await upload(server.url, file, 'a', headers))
    const paste = await (await fetch(server.url + path, { headers: { Accept: 'application/json' } })).json()
    expect(paste).toMatchObject({ title: 'b.go', language: 'go', expiresAt: expect.any(String) })
  })

  test('burns what is oneshot, and shortens what is an address', async () => {
    const authorization = await keyOf('oneshot')
    const send = (name: string, content: string, more = {}) =>
      upload(server.url, name, content, { authorization, ...more })
    const once = await printed(await send('name="oneshot"; filename="a.txt"', 'a'))
    expect((await fetch(server.url + once.replace('/p/', '/p/raw/'))).status).toBe(403)
    const link = await printed(await send('name="url"', 'http://nas/?a=b', { expire: '1hour' }))
    const answer = await fetch(server.url + link, { redirect: 'manual' })
    expect(answer.headers.get('Location')).toBe('http://nas/?a=b')
    const onceLink = await printed(await send('name="oneshot_url"', 'http://nas/'))
    expect((await fetch(server.url + onceLink, { redirect: 'manual' })).status).toBe(403)
  })

  test('prints an error and its status for all else', async () => {
    const authorization = await keyOf('errors')
    const send = (name: string, content: string, headers = {}) =>
      upload(server.url, name, content, { authorization, ...headers })
    await expectError(await send('name="remote"', 'http://nas/'), 422, /fetches nothing/)
    await expectError(await send(file, ''), 422, /empty/)
    await expectError(await send(file, 'a', { expire: 'soon' }), 422, /"expire"/)
    await expectError(await send(file, 'a'.repeat(1024 ** 2 + 1)), 413)
    await expectError(await send(file, 'a', { authorization: 'sc_wrong' }), 401, /not valid/)
    await expectError(await upload(server.url, file, 'a', {}), 401)
  })

  test('is told when to come again', async () => {
    const limited = await start({ args: ['--rate-limit', '1/9999s', '--log', 'off'] })
    const headers = { key: testKey }
    await printed(await upload(limited.url, file, 'a', headers))
    const refused = await upload(limited.url, file, 'a', headers)
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/)
    await expectError(refused, 429)
    await limited.stop()
  })

  test('lists and deletes the pastes of its key, and says which server this is', async () => {
    const authorization = await keyOf('lists')
    const ask = (path: string, method = 'GET', headers: Record<string, string> = { authorization }) =>
      fetch(server.url + path, { method, headers })
    expect(await (await ask('/list')).json()).toEqual([])
    const headers = { authorization, expire: '10min' }
    const name = (await printed(await upload(server.url, file, 'hello\n', headers))).slice(3)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(await (await ask('/list')).json()).toEqual([
      { file_name: name, file_size: 6, creation_date_utc: time, expires_at_utc: time },
    ])
    const wrong = await ask(`/${name}`, 'DELETE', { authorization: 'sc_wrong' })
    expect([wrong.status, await wrong.text()]).toEqual([401, 'This API key is not valid.\n'])
    const others = await ask(`/${name}`, 'DELETE', { authorization: await keyOf('others') })
    expect([others.status, await others.text()]).toEqual([404, 'There is no paste at this address.\n'])
    const deleted = await ask(`/${name}`, 'DELETE')
    expect([deleted.status, await deleted.text()]).toEqual([200, 'file deleted\n'])
    expect((await ask(`/${name}`, 'DELETE')).status).toBe(410)
    expect((await ask('/list', 'GET', {})).status).toBe(401)
    expect(await (await ask('/version', 'GET', {})).text()).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  test('leaves its names to files', async () => {
    const key = await keyOf('names')
    for (const name of ['list', 'version']) {
      const answer = await fetch(`${server.url}/${name}`, { method: 'PUT', headers: { key }, body: name })
      expect(answer.status).toBe(201)
      expect(await rawOf(server.url, new URL(await answer.text()).pathname.trim())).toBe(name)
    }
  })
})

test('everybody who does not break on 201 gets it', async () => {
  const key = await keyOf('others-of-201')
  const body = new FormData()
  body.append('file', new File(['a'], 'a.txt'))
  for (const [headers, status] of [
    [{ key }, 201],
    [{ Authorization: `Bearer ${key}` }, 201],
    [{ Authorization: key }, 200],
  ] as const)
    expect((await fetch(server.url, { method: 'POST', headers, body })).status).toBe(status)
})

import { describe, expect, test } from 'bun:test'
import { browser, expectError } from '../support/expectations.ts'
import { run, start, testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const basic = (name: string, password: string) => ({ Authorization: `Basic ${btoa(`${name}:${password}`)}` })

const open = ['--guest-from', '127.0.0.0/8', '--guest-key', 'environment'] as const

const multipart = () => {
  const form = new FormData()
  form.append('file', new File(['text'], 'a.txt'))
  return form
}

/** Every way to upload. */
const uploads: readonly [name: string, method: string, path: string, body: () => string | FormData][] = [
  ['PUT with a name', 'PUT', '/a.txt', () => 'text'],
  ['PUT', 'PUT', '/', () => 'text'],
  ['POST', 'POST', '/', () => 'text'],
  ['POST of a form with a file', 'POST', '/', multipart],
]

const upload = (url: string, [, method, path, body]: (typeof uploads)[number], headers: object) =>
  fetch(url + path, { method, body: body(), headers: { Accept: '*/*', ...headers } })

describe.each(uploads)('%s', (...way) => {
  const { server } = withServer()
  const guests = withServer({ args: [...quiet, ...open] })
  const refused = async (url: string, headers: object) => {
    const error = await expectError(await upload(url, way, headers), 401, /key/)
    expect(error).not.toContain(testKey)
  }

  test('takes the key as a bearer token', async () => {
    for (const headers of [bearer(testKey), { Authorization: `bearer  ${testKey}` }])
      expect((await upload(server.url, way, headers)).status).toBe(201)
  })

  test('takes a key alone in Authorization, where it is plainly one', async () => {
    const keyed = await start({ args: [...quiet], env: {} })
    const { stdout } = await run(['keys', 'add', 'of-rpaste', '--data', keyed.data])
    expect((await upload(keyed.url, way, { Authorization: stdout.trim() })).status).toBe(200)
    await expectError(await upload(keyed.url, way, { Authorization: 'sc_wrong' }), 401, /not valid/)
    expect((await upload(server.url, way, { Authorization: testKey })).status).toBeOneOf([400, 401])
    await keyed.stop()
  })

  test('takes no wrong token, and none beside a wrong key', async () => {
    await refused(server.url, bearer('wrong'))
    await refused(server.url, { ...bearer(testKey), key: 'wrong' })
  })

  test('is one of the key that a guest sends, and refused to a guest with a wrong one', async () => {
    expect((await upload(guests.server.url, way, bearer(testKey))).status).toBe(201)
    for (const token of ['wrong', 'wrong!', '"', `${testKey}x`])
      await expectError(await upload(guests.server.url, way, bearer(token)), 401, /not valid/)
  })
})

describe('what stands in Authorization', () => {
  const trusting = ['--trust-proxy', '127.0.0.1', '--user-header', 'Remote-User'] as const
  const { server } = withServer({ args: [...quiet, ...trusting] })
  const asAlice = (path: string, method: string, headers: object) =>
    fetch(server.url + path, { method, headers: { 'Remote-User': 'alice', ...headers }, body: 'text' })

  test.each([
    ['/', 'PUT', 201],
    ['/a.txt', 'PUT', 201],
    ['/', 'POST', 201],
    ['/documents', 'POST', 200],
  ])('is for the proxy that names the user: %s', async (path, method, status) => {
    for (const headers of [bearer('eyJhbGciOiJub25lIn0.e30.'), basic('alice', 'secret')])
      expect((await asAlice(path, method, headers)).status).toBe(status)
    await expectError(await asAlice(path, method, bearer('sc_wrong')), 401, /not valid/)
  })

  test('is no key where the form of the page is sent: a proxy may add a token of its own', async () => {
    const body = new URLSearchParams({ create: 'paste', text: 'text', key: testKey })
    const init = { method: 'POST', body } as const
    const answer = await fetch(server.url, { ...init, headers: { ...browser, ...bearer('of-the-proxy') } })
    expect(answer.status).toBe(201)
  })

  test('is no key of a guest if it is a password', async () => {
    const { url, stop } = await start({ args: [...quiet, ...open] })
    for (const way of uploads) expect((await upload(url, way, basic('x', 'wrong'))).status).toBe(201)
    await stop()
  })
})

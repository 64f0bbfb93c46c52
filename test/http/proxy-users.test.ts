import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { type RunningServer, run, start, temporaryFolder, testKey } from '../support/process.ts'

const json = { 'Content-Type': 'application/json' }

/** Header values are bytes; `fetch` takes each as one character. */
const asHeader = (text: string) => Buffer.from(text).toString('latin1')

type Answer = Record<string, string> & { pastes: Record<string, string>[]; paste: Record<string, string> }

let server: RunningServer
beforeAll(async () => {
  const data = temporaryFolder()
  await run(['keys', 'add', 'alice', '--create', '--data', data])
  await run(['keys', 'add', 'owner', '--admin', '--data', data])
  server = await start({
    data,
    args: [
      '--trust-proxy',
      '127.0.0.1',
      '--user-header',
      'Remote-User',
      '--rate-limit',
      '4/1h',
      '--log',
      'off',
    ],
  })
})
afterAll(() => server.stop())

/** What a user asks through the proxy. */
const as = (user: string, path: string, { headers = {}, ...init }: RequestInit & { headers?: object } = {}) =>
  fetch(server.url + path, {
    redirect: 'manual',
    ...init,
    headers: { 'Remote-User': asHeader(user), ...headers } as Record<string, string>,
  })
const sends = (method: string, body: object) => ({ method, headers: json, body: JSON.stringify(body) })
const created = async (user: string, fields: object = {}) => {
  const answer = await as(user, '/paste', sends('POST', { ...examplePaste, ...fields }))
  expect(answer.status).toBe(201)
  return (await answer.json()) as Answer
}
const idOf = ({ pasteUrl = '' }: Record<string, string>) => pasteUrl.split('/').at(-1) ?? ''

describe('a user that a trusted proxy names', () => {
  test('creates, lists, changes and deletes without a key, and nobody else sees it', async () => {
    const path = `/pastes/${idOf(await created('berta'))}`
    const { pastes } = (await (await as('berta', '/pastes')).json()) as Answer
    expect(pastes).toHaveLength(1)
    expect((await as('berta', path, sends('PATCH', { text: 'changed\n' }))).status).toBe(200)
    expect((await as('berta', `${path}/versions`)).status).toBe(200)
    for (const other of ['carla', 'Berta']) {
      expect((await as(other, path)).status).toBe(404)
      expect((await as(other, path, sends('PATCH', { text: 'mine' }))).status).toBe(404)
      expect((await as(other, path, { method: 'DELETE' })).status).toBe(404)
    }
    expect((await as('berta', path, { method: 'DELETE' })).status).toBe(200)
  })

  test('replaces what a name of theirs leads to', async () => {
    await created('gerda', { alias: 'gerdas' })
    const again = { ...examplePaste, text: 'newer\n', alias: 'gerdas', replace: true }
    expect((await as('gerda', '/paste', sends('POST', again))).status).toBe(200)
    expect((await as('hanna', '/paste', sends('POST', again))).status).toBe(409)
  })

  test('is another owner than the key of the same name, and no admin', async () => {
    await created('alice', { title: 'of the user' })
    const { name, admin } = (await (await as('alice', '/key')).json()) as Record<string, string>
    expect([name, admin]).toEqual(['user:alice', undefined])
    const { stdout } = await run(['keys', 'list', '--data', server.data])
    expect(stdout).not.toContain('item')
    await expectError(await as('owner', '/pastes?owner=*'), 403, /admin key/)
    await expectError(await as('owner', '/stats'), 403, /admin key/)
  })

  test('has a rate of their own', async () => {
    for (let at = 0; at < 4; at++) await created('doris')
    await expectError(await as('doris', '/paste', sends('POST', examplePaste)), 429)
    await created('emma')
  })

  test('may have any name that a person has', async () => {
    for (const name of ['zoë', '李雷', 'alice@example.org', 'Anna Maria', 'key', "o'neill"]) {
      await created(name)
      expect(((await (await as(name, '/key')).json()) as { name: string }).name).toBe(`user:${name}`)
    }
  })

  test.each([
    ['two names, of which one may be the client’s', 'mallory, berta'],
    ['a control character', 'a\u0085b'],
    ['an invisible character', 'ber\u200bta'],
    ['too long', 'a'.repeat(129)],
  ])('is refused with a name that is no good: %s', async (_, name) => {
    await expectError(await as(name, '/paste', sends('POST', examplePaste)), 401, /"remote-user"/)
    await expectError(await as(name, '/pastes'), 401, /"remote-user"/)
    expect(await expectPage(await as(name, '/', { headers: browser }))).toMatch(/name="key"[^>]*required/)
  })

  test('is refused a wrong key, and is the key that is given', async () => {
    const wrong = { ...sends('POST', examplePaste), headers: { ...json, key: 'wrong' } }
    await expectError(await as('frieda', '/paste', wrong), 401)
    const name = (await (await as('frieda', '/key', { headers: { key: testKey } })).json()) as {
      name: string
    }
    expect(name.name).toBe('environment')
  })

  test('keeps the password for the proxy out of what haste clients send', async () => {
    const headers = { Authorization: `Basic ${btoa('ida:secret')}` }
    expect((await as('ida', '/documents', { method: 'POST', headers, body: 'a' })).status).toBe(200)
    const nobody = { method: 'POST', headers, body: 'a' }
    expect((await fetch(`${server.url}/documents`, nobody)).status).toBe(401)
  })

  test('is nobody without the header, or with an empty one', async () => {
    await expectError(await as('', '/pastes'), 401, /missing/)
    await expectError(await fetch(`${server.url}/pastes`), 401, /missing/)
  })
})

describe('the pages of a user', () => {
  test('say who it is, and need no key', async () => {
    for (const path of ['/', '/?link', '/?edit=abc', '/?link&edit=abc']) {
      const html = await expectPage(await as('karla', path, { headers: browser }))
      expect(html).toContain('Posting as <strong>karla</strong>')
      expect(html).toContain('class="has-user"')
      expect(html).not.toMatch(/name="key"[^>]*required/)
    }
  })

  test('are not those of the user before', async () => {
    for (const name of ['lena', 'mia', 'lena']) {
      const html = await expectPage(await as(name, '/', { headers: browser }))
      expect(/Posting as <strong>(.*?)<\/strong>/.exec(html)?.[1]).toBe(name)
    }
    const { pasteUrl = '' } = await created('lena')
    for (const name of ['lena', 'mia', 'lena']) {
      const copy = await as(name, `/?from=${idOf({ pasteUrl })}`, { headers: browser })
      expect(/Posting as <strong>(.*?)<\/strong>/.exec(await expectPage(copy))?.[1]).toBe(name)
    }
    expect(await expectPage(await fetch(server.url, { headers: browser }))).not.toContain('lena')
  })

  test('list what the user made, without JavaScript', async () => {
    await created('nora', { title: 'Noras paste' })
    const body = new FormData()
    body.append('create', 'items')
    const html = await expectPage(await as('nora', '/', { method: 'POST', headers: browser, body }))
    expect(html).toContain('Noras paste')
  })
})

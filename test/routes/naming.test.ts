import { beforeAll, describe, expect, test } from 'bun:test'
import { createIds } from '../../src/items/ids.ts'
import { createClient, examplePaste } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { run, start, temporaryFolder, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { nothingWrong } from '../support/verified.ts'

type Client = ReturnType<typeof createClient>
type Answer = Record<'pasteUrl' | 'rawUrl' | 'shortendUrl' | 'deletionUrl', string>

const { server, client } = withServer()
let other: Client
beforeAll(async () => {
  const added = await run(['keys', 'add', 'other', '--data', server.data])
  other = createClient(server.url, added.stdout.trim())
})

let names = 0
const newName = () => `name-${names++}`

const bodies = {
  '/paste': examplePaste,
  '/shortener': { url: 'https://example.org/a?b=c' },
}
const paths = ['/paste', '/shortener'] as const
type Path = (typeof paths)[number]

const post = (path: Path, alias: unknown, by = client) => by.post(path, { ...bodies[path], alias })

const made = async (path: Path, alias: unknown, by = client) => {
  const response = await post(path, alias, by)
  expect(response.status).toBe(201)
  return (await response.json()) as Answer
}

const erase = async ({ deletionUrl }: Answer) =>
  expect((await fetch(deletionUrl, { method: 'DELETE' })).status).toBe(200)

const publicPath = { '/paste': '/p/', '/shortener': '/s/' }
const statusAt = async (path: string) => (await client.get(path)).status
const idIn = ({ deletionUrl }: Answer, path: Path) =>
  new URL(deletionUrl).searchParams.get('key')?.slice(0, path === '/paste' ? 10 : 7) as string

describe.each(paths)('POST %s with an alias', (path) => {
  const at = publicPath[path]

  test('answers addresses with the alias, and with nothing more than without', async () => {
    const alias = newName()
    const response = await post(path, alias)
    const answer = (await response.json()) as Answer
    const own = `${server.url}${at}${alias}`
    expect(response.headers.get('Location')).toBe(own)
    expect(path === '/paste' ? answer.pasteUrl : answer.shortendUrl).toBe(own)
    if (path === '/paste') expect(answer.rawUrl).toBe(`${server.url}/p/raw/${alias}`)
    const without = (await (await client.post(path, bodies[path])).json()) as Answer
    expect(Object.keys(answer)).toEqual(Object.keys(without))
    expect(answer.deletionUrl).not.toContain(alias)
  })

  test('is found by alias in any case, percent-encoded, and by id', async () => {
    const alias = newName()
    const answer = await made(path, alias.toUpperCase())
    const good = path === '/paste' ? 200 : 302
    expect(answer.pasteUrl ?? answer.shortendUrl).toEndWith(`${at}${alias}`)
    for (const name of [alias, alias.toUpperCase(), alias.replace('-', '%2D'), idIn(answer, path)])
      expect(await statusAt(at + name)).toBe(good)
    expect(await statusAt(`${at}${alias}x`)).toBe(404)
    expect(await statusAt(`${at}${alias}.txt`)).toBe(404)
  })

  test.each(['', 'a'.repeat(65), 'a.b', 'a b', 'é', '../x', '%41', 'raw', 'Docs', 'NUL'])(
    'answers 422 to the alias %j and makes nothing of it',
    async (alias) => {
      await expectError(await post(path, alias), 422, /^Field "alias"/)
    },
  )

  test.each([[null], [1], [true], [['a']], [{}]])('answers 422 to an alias that is %j', async (alias) => {
    await expectError(await post(path, alias), 422, /^Field "alias" must be a string/)
  })

  test('takes the shape of an id that nothing has, and finds it by page, code and key', async () => {
    const alias = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes))).itemId[
      path === '/paste' ? 'paste' : 'link'
    ]()
    const answer = await made(path, alias)
    expect(answer.pasteUrl ?? answer.shortendUrl).toBe(`${server.url}${at}${alias}`)
    const good = path === '/paste' ? 200 : 302
    // The second time it is in memory.
    for (const name of [alias, alias, alias.toUpperCase(), idIn(answer, path)])
      expect(await statusAt(at + name)).toBe(good)
    expect(await statusAt(`/qr${at}${alias}`)).toBe(200)
    const own = path === '/paste' ? '/pastes/' : '/links/'
    expect((await client.get(own + alias, { key: testKey })).status).toBe(200)
    await expectError(await post(path, alias, other), 409, /is taken; choose another/)
    await erase(answer)
    expect(await statusAt(at + alias)).toBe(410)
    await made(path, alias)
  })

  test('answers 409 to an id that an item has or had, also to its own key', async () => {
    const answer = await made(path, undefined)
    const id = idIn(answer, path)
    const says = /^Field "alias": the name "[a-z0-9]+" is taken; choose another\.$/
    await expectError(await post(path, id.toUpperCase()), 409, says)
    await erase(answer)
    await expectError(await post(path, id), 409, says)
    expect(await statusAt(at + id)).toBe(410)
  })

  test('consumes a burn-after-reading item by a name that has the shape of an id', async () => {
    const alias = path === '/paste' ? 'spendwxyz2' : 'spendwx'
    const limit = path === '/paste' ? { maxReads: 1 } : { maxVisits: 1 }
    expect((await client.post(path, { ...bodies[path], alias, ...limit })).status).toBe(201)
    const consume = () => client.get(at + alias, {}, { method: 'POST' })
    expect((await consume()).status).toBe(path === '/paste' ? 200 : 303)
    await expectError(await consume(), 410)
  })

  test('answers 409 when it is taken, in whatever case, to every key', async () => {
    const alias = newName()
    await made(path, alias)
    for (const by of [client, other])
      await expectError(await post(path, alias.toUpperCase(), by), 409, /"alias".*taken; choose another/)
  })

  test('of a hundred at once makes one', async () => {
    const alias = newName()
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => post(path, alias, index % 2 ? client : other)),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(99)
  })

  test('after its deletion is free for the key that made it, and for no other', async () => {
    const alias = newName()
    const first = await made(path, alias)
    const alive = await expectError(await post(path, alias, other), 409)
    await erase(first)
    expect(await statusAt(at + alias)).toBe(410)
    expect(await expectError(await post(path, alias, other), 409)).toBe(alive)
    const second = await made(path, alias)
    expect(idIn(second, path)).not.toBe(idIn(first, path))
    expect(await statusAt(at + alias)).toBe(path === '/paste' ? 200 : 302)
    expect(await statusAt(at + idIn(first, path))).toBe(410)
  })

  test('refuses it before it looks at whether it is taken, and a body that is wrong before that', async () => {
    const alias = newName()
    await made(path, alias)
    const wrong = path === '/paste' ? { ...examplePaste, language: 'no such' } : { url: 'nothing' }
    const response = await client.post(path, { ...wrong, alias })
    await expectError(response, path === '/paste' ? 422 : 400)
    const later = newName()
    await client.post(path, { ...wrong, alias: later })
    expect(await statusAt(at + later)).toBe(404)
  })
})

describe('a paste and a link', () => {
  test('may have the same alias', async () => {
    const alias = newName()
    await made('/paste', alias)
    await made('/shortener', alias)
    expect(await statusAt(`/p/${alias}`)).toBe(200)
    expect(await statusAt(`/s/${alias}`)).toBe(302)
  })
})

describe('a paste with an alias', () => {
  const json = { Accept: 'application/json' }

  test('is read under it as text, as JSON, as a haste document and as a QR code', async () => {
    const alias = newName()
    const answer = await made('/paste', alias)
    const id = idIn(answer, '/paste')
    for (const name of [alias, id]) {
      expect(await (await client.get(`/p/raw/${name}`)).text()).toBe(examplePaste.text)
      expect(await (await client.get(`/raw/${name}`)).text()).toBe(examplePaste.text)
      expect(await (await client.get(`/p/${name}`, json)).json()).toMatchObject({ id, alias })
      expect(await (await client.get(`/documents/${name}`)).json()).toEqual({
        key: id,
        data: examplePaste.text,
      })
      expect(await (await client.get(`/qr/p/${name}`)).text()).toStartWith('<svg')
    }
    expect(await (await client.get(`/qr/p/${alias}`)).text()).toBe(
      await (await client.get(`/qr/p/${id}`)).text(),
    )
  })

  test('has links on its page that lead to its text', async () => {
    const alias = newName()
    const { pasteUrl } = (await (
      await client.post('/paste', { ...examplePaste, title: '', alias })
    ).json()) as Answer
    const html = await expectPage(await client.get(pasteUrl, browser))
    expect(html).toContain(`download="${alias}.ts"`)
    const raw = /href="([^"]*\/raw\/[^"]+)"/.exec(html)?.[1] ?? ''
    expect(new URL(raw, pasteUrl).pathname).toBe(`/p/raw/${alias}`)
    expect(await (await client.get(new URL(raw, pasteUrl).href)).text()).toBe(examplePaste.text)
  })

  test('is not at the root, where only ids are', async () => {
    const alias = newName()
    const answer = await made('/paste', alias)
    expect(await statusAt(`/${alias}`)).toBe(404)
    await made('/paste', 'shapedmkgx')
    expect(await statusAt('/shapedmkgx')).toBe(404)
    const found = await client.get(`/${idIn(answer, '/paste')}`)
    expect(found.headers.get('Location')).toBe(answer.pasteUrl)
  })
})

describe('a link with an alias', () => {
  test('leads where it should, shows it, and has a QR code', async () => {
    const alias = newName()
    await made('/shortener', alias)
    // The second time it is in memory.
    for (let time = 0; time < 2; time++)
      expect((await client.get(`/s/${alias}`)).headers.get('Location')).toBe('https://example.org/a?b=c')
    expect(await expectPage(await client.get(`/s/${alias}+`, browser))).toContain('https://example.org/a?b=c')
    expect(await (await client.get(`/qr/s/${alias}`)).text()).toStartWith('<svg')
  })

  test('cannot be shortened itself', async () => {
    const alias = newName()
    await made('/shortener', alias)
    const loop = { url: `${server.url}/s/${alias}` }
    await expectError(await client.post('/shortener', loop), 400, /loop/)
  })
})

describe('an upload', () => {
  const put = (address: string, init: RequestInit = {}) =>
    fetch(server.url + address, { method: 'PUT', headers: { key: testKey }, body: 'text', ...init })

  test('takes an alias in its address, and answers it', async () => {
    const alias = newName()
    const response = await put(`/notes.txt?alias=${alias}`)
    expect(response.status).toBe(201)
    expect(await response.text()).toBe(`${server.url}/p/${alias}\n`)
    expect((await put(`/notes.txt?alias=${alias}`)).status).toBe(409)
    await expectError(await put('/notes.txt?alias='), 422, /^Field "alias"/)
  })

  test('takes it as a field of a form', async () => {
    const alias = newName()
    const body = new FormData()
    body.set('file', new File(['text'], 'notes.txt'))
    body.set('alias', alias)
    const response = await fetch(server.url, { method: 'POST', headers: { key: testKey }, body })
    expect(response.headers.get('Location')).toBe(`${server.url}/p/${alias}`)
  })

  test('of a haste client is answered by id, with which such clients go on', async () => {
    const alias = newName()
    const init = { method: 'POST', headers: { key: testKey }, body: 'text' }
    const { key } = (await (await fetch(`${server.url}/documents?alias=${alias}`, init)).json()) as {
      key: string
    }
    expect(key).toHaveLength(10)
    expect(await (await client.get(`/documents/${alias}`)).json()).toEqual({ key, data: 'text' })
  })
})

describe('after a restart, a backup and a restore', () => {
  test('every name leads where it did, and is whose it was', async () => {
    const first = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const added = await run(['keys', 'add', 'other', '--data', first.data])
    const before = createClient(first.url)
    await before.post('/paste', { ...examplePaste, alias: 'kept' })
    const dropped = (await (
      await before.post('/shortener', { url: 'https://example.org/', alias: '-' })
    ).json()) as Answer
    await before.post('/shortener', { url: 'https://example.org/x', alias: 'kept' })
    await before.post('/shortener', { url: 'https://example.org/shape', alias: 'grafana' })
    await erase(dropped)
    await first.kill()

    const folder = temporaryFolder()
    const [archive, restored] = [`${folder}/backup.tgz`, `${folder}/data`]
    expect((await run(['backup', archive, '--data', first.data])).code).toBe(0)
    expect((await run(['restore', archive, '--data', restored])).code).toBe(0)
    for (const data of [first.data, restored]) {
      const second = await start({ data, args: ['--rate-limit', 'off', '--log', 'off'] })
      const after = createClient(second.url)
      const stranger = createClient(second.url, added.stdout.trim())
      expect(await (await after.get('/p/raw/kept')).text()).toBe(examplePaste.text)
      expect((await after.get('/s/kept')).headers.get('Location')).toBe('https://example.org/x')
      expect((await after.get('/s/grafana')).headers.get('Location')).toBe('https://example.org/shape')
      expect((await after.get('/s/-')).status).toBe(410)
      const again = { url: 'https://example.org/y', alias: '-' }
      expect((await stranger.post('/shortener', again)).status).toBe(409)
      expect((await after.post('/shortener', again)).status).toBe(201)
      expect((await after.get('/s/-')).headers.get('Location')).toBe('https://example.org/y')
      await second.stop()
      const verified = await run(['verify', '--data', data])
      expect(verified.stdout).toEqual(nothingWrong)
      expect(verified.code).toBe(0)
    }
  })
})

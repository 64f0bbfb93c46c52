import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, examplePaste } from '../support/client.ts'
import { browser, expectError } from '../support/expectations.ts'
import { isFolder, type RunningServer, run, start } from '../support/process.ts'
import { withServer } from '../support/server.ts'
import { nothingWrong } from '../support/verified.ts'

const keyOf = async (data: string, name: string) =>
  (await run(['keys', 'add', name, '--data', data])).stdout.trim()

const { server } = withServer({ args: ['--rate-limit', 'off'] })

/** Somebody with a key of their own. */
const newOwner = async (name: string, { url, data } = server) => {
  const key = await keyOf(data, name)
  const client = createClient(url, key)
  const ask = (path: string, method = 'GET') => client.get(path, { key }, { method })
  return { ...client, key, ask, list: async (path: string) => (await (await ask(path)).json()) as Listed }
}
type Listed = { pastes?: Item[]; links?: Item[]; after: string | null; total?: number }
type Item = { id: string; url?: string; title?: string; name?: string }

describe('GET /pastes and /links', () => {
  test('are empty for a key that made nothing', async () => {
    const { ask } = await newOwner('nobody')
    expect(await (await ask('/pastes')).json()).toEqual({ success: true, pastes: [], after: null, total: 0 })
    expect(await (await ask('/links')).json()).toEqual({ success: true, links: [], after: null, total: 0 })
  })

  test('list what the key made and nobody else, newest first, without text or deletion hash', async () => {
    const [one, two] = [await newOwner('one'), await newOwner('two')]
    const first = await one.paste({ title: 'first', text: 'é\n' })
    await two.paste()
    const second = await one.paste({ title: 'second' })
    const link = await one.link('https://example.org/own')
    const answer = await (await one.ask('/pastes')).json()
    expect(answer).toEqual({
      success: true,
      pastes: [
        expect.objectContaining({ title: 'second', pasteUrl: second.pasteUrl }),
        {
          id: first.pasteUrl?.slice(-10),
          createdAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
          title: 'first',
          name: 'first',
          description: examplePaste.description,
          language: 'typescript',
          version: 1,
          bytes: 3,
          reads: 0,
          pasteUrl: first.pasteUrl,
          rawUrl: first.rawUrl,
        },
      ],
      after: null,
      total: 2,
    } as never)
    expect(await (await one.ask('/links')).json()).toEqual({
      success: true,
      links: [
        {
          id: link.shortendUrl?.slice(-7),
          createdAt: expect.any(String),
          url: 'https://example.org/own',
          version: 1,
          visits: 0,
          shortendUrl: link.shortendUrl,
        },
      ],
      after: null,
      total: 1,
    } as never)
  })

  test('name a paste without a title by its first line, but not one that burns after reading', async () => {
    const owner = await newOwner('untitled')
    const { pasteUrl = '' } = await owner.paste({ title: '', text: '\n  first line \nsecond' })
    await owner.paste({ title: '', text: 'a secret', maxReads: 1 } as object)
    const names = async () => (await owner.list('/pastes')).pastes?.map(({ title, name }) => [title, name])
    expect(await names()).toEqual([
      ['', 'Untitled paste'],
      ['', 'first line'],
    ])
    await owner.change(pasteUrl, { text: 'another' })
    expect((await names())?.[1]).toEqual(['', 'another'])
    const record = await (await owner.ask(`/pastes/${pasteUrl.slice(-10)}`)).json()
    expect(record).toMatchObject({ paste: { title: '', name: 'another' } })
  })

  test('say how many there are in all pages, unless words, a language or a time chooses', async () => {
    const owner = await newOwner('counted')
    for (const title of ['one', 'two', 'three']) await owner.paste({ title })
    const total = async (query: string) => (await owner.list(`/pastes?limit=1${query}`)).total
    expect([await total(''), await total('&sort=size')]).toEqual([3, 3])
    const { pastes = [] } = await owner.list('/pastes?limit=1')
    await owner.ask(`/pastes/${pastes[0]?.id}`, 'DELETE')
    expect(await total('')).toBe(2)
    for (const query of ['&q=one', '&language=typescript', '&since=1d'])
      expect(await total(query)).toBeUndefined()
  })

  test('give 50 unless asked for up to 200, and go on where the page before ended', async () => {
    const owner = await newOwner('many')
    const made = await Promise.all(
      Array.from({ length: 201 }, (_, at) => owner.link(`https://example.org/${at}`)),
    )
    expect((await owner.list('/links')).links).toHaveLength(50)
    const whole = await owner.list('/links?limit=200')
    expect(whole.links).toHaveLength(200)
    const last = await owner.list(`/links?limit=200&after=${whole.after}`)
    expect(last.after).toBeNull()
    expect(last.links).toHaveLength(1)
    const ids = [...(whole.links ?? []), ...(last.links ?? [])].map(({ id }) => id)
    expect(ids.sort()).toEqual(made.map(({ shortendUrl = '' }) => shortendUrl.slice(-7)).sort())
    const { id = '' } = last.links?.[0] ?? {}
    expect((await owner.ask(`/links/${id}`, 'DELETE')).status).toBe(200)
    expect(await owner.list('/links?limit=200')).toMatchObject({ after: null })
  })

  test('go on behind an item that was deleted meanwhile', async () => {
    const owner = await newOwner('going')
    for (const at of [1, 2, 3, 4]) await owner.link(`https://example.org/${at}`)
    const { links = [], after } = await owner.list('/links?limit=2')
    for (const { id } of links) await owner.ask(`/links/${id}`, 'DELETE')
    const rest = await owner.list(`/links?limit=2&after=${after}`)
    expect(rest.links?.map(({ url }) => url)).toEqual(['https://example.org/2', 'https://example.org/1'])
  })

  test.each(['0', '201', '-1', '1.5', '1e2', 'x', '', '0x10', '9999'])(
    'refuse limit=%s with 422',
    async (limit) => {
      const { ask } = await newOwner(`limit-${crypto.randomUUID().slice(0, 8)}`)
      await expectError(await ask(`/pastes?limit=${limit}`), 422, /"limit" must be a number from 1 to 200/)
    },
  )

  test.each(['x', '', '../..', 'MTIz', `${'A'.repeat(9000)}`])(
    'refuse a cursor they did not give with 422',
    async (after) => {
      const { ask } = await newOwner(`after-${crypto.randomUUID().slice(0, 8)}`)
      await expectError(
        await ask(`/links?after=${after}`),
        422,
        /"after" must be the "after" of the previous page/,
      )
    },
  )

  test('need a key, of anybody who asks, and say so in JSON', async () => {
    const { get } = createClient(server.url)
    for (const path of ['/pastes', '/links', '/pastes/2222222222', '/links/2222222'])
      for (const headers of [{}, browser, { key: 'a-key-that-nobody-has' }])
        await expectError(await get(path, headers), 401)
  })
})

describe('GET /pastes/<id> and /links/<id>', () => {
  test('give the whole record, with the text, without the deletion hash', async () => {
    const owner = await newOwner('whole')
    const { pasteUrl = '', rawUrl = '' } = await owner.paste()
    await owner.get(rawUrl)
    const id = pasteUrl.slice(-10)
    expect(await (await owner.ask(`/pastes/${id.toUpperCase()}`)).json()).toEqual({
      success: true,
      paste: {
        id,
        createdAt: expect.any(String),
        ...examplePaste,
        name: examplePaste.title,
        bytes: examplePaste.text.length,
        reads: 1,
        version: 1,
        owner: 'whole',
        pasteUrl,
        rawUrl,
      },
    } as never)
    const { shortendUrl = '' } = await owner.link()
    const link = { id: shortendUrl.slice(-7), url: 'https://example.org/', owner: 'whole', shortendUrl }
    expect(await (await owner.ask(`/links/${link.id}`)).json()).toEqual({
      success: true,
      link: { ...link, version: 1, visits: 0, createdAt: expect.any(String) },
    } as never)
  })

  test('tell the alias, the expiry and what is left of a limit, and show no text that only a read may show', async () => {
    const owner = await newOwner('optional')
    const options = { alias: 'own-notes', expiresIn: '1h', maxReads: 2, text: 'hidden' }
    const created = await owner.post('/paste', { ...examplePaste, ...options })
    const { rawUrl } = (await created.json()) as { rawUrl: string }
    expect(rawUrl).toEndWith('/p/raw/own-notes')
    const answer = await (await owner.ask('/pastes/own-notes')).text()
    expect(JSON.parse(answer)).toMatchObject({
      paste: { alias: 'own-notes', expiresAt: expect.any(String), maxReads: 2, readsLeft: 2, rawUrl },
    })
    expect(answer).not.toContain('hidden')
    await owner.post('/shortener', { url: 'https://example.org/', alias: 'own-link', maxVisits: 1 })
    const link = { alias: 'own-link', maxVisits: 1, visitsLeft: 1 }
    expect((await owner.list('/links')).links).toEqual([expect.objectContaining(link)])
    await owner.get('/s/own-link', {}, { method: 'POST', redirect: 'manual' })
    expect((await owner.list('/links')).links).toEqual([])
  })

  test.each(['GET', 'DELETE'])(
    "answer %s for another key's item as for one that never was",
    async (method) => {
      const [mine, other] = [await newOwner(`mine-${method}`), await newOwner(`other-${method}`)]
      const { pasteUrl = '' } = await other.paste()
      const { shortendUrl = '' } = await other.link()
      for (const [path, never] of [
        [`/pastes/${pasteUrl.slice(-10)}`, '/pastes/2222222222'],
        [`/links/${shortendUrl.slice(-7)}`, '/links/2222222'],
      ] as const) {
        const said = await expectError(await mine.ask(path, method), 404)
        expect(await expectError(await mine.ask(never, method), 404)).toBe(said)
      }
      expect((await mine.get(pasteUrl)).status).toBe(200)
    },
  )
})

describe('DELETE', () => {
  test('deletes as a deletion link does; then 410, and neither listed nor read', async () => {
    const owner = await newOwner('deleting')
    const { pasteUrl = '', deletionUrl = '' } = await owner.paste()
    const path = `/pastes/${pasteUrl.slice(-10)}`
    const answer = await owner.ask(path, 'DELETE')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: true, message: 'The paste was deleted' })
    await expectError(await owner.ask(path, 'DELETE'), 410, /was deleted/)
    await expectError(await owner.ask(path), 410, /was deleted/)
    await expectError(await owner.get(pasteUrl), 410)
    await expectError(await fetch(deletionUrl, { method: 'DELETE' }), 410)
    expect((await owner.list('/pastes')).pastes).toEqual([])
    await server.stderr.waitFor(/paste deleted id=\w+ owner=deleting/)
  })

  test('of many at the same moment exactly one succeeds', async () => {
    const owner = await newOwner('racing')
    const { shortendUrl = '' } = await owner.link()
    const path = `/links/${shortendUrl.slice(-7)}`
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await owner.ask(path, 'DELETE')).status),
    )
    expect(statuses.sort()).toEqual([200, ...Array(19).fill(410)])
  })

  test('by its deletion link takes an item off the list', async () => {
    const owner = await newOwner('by-link')
    const { deletionUrl = '' } = await owner.link()
    await owner.link('https://example.org/stays')
    await fetch(deletionUrl, { method: 'POST' })
    expect((await owner.list('/links')).links?.map(({ url }) => url)).toEqual(['https://example.org/stays'])
  })
})

describe('what a key made', () => {
  test('belongs to a new key of the same name', async () => {
    const before = await newOwner('reborn')
    await before.link('https://example.org/old')
    await run(['keys', 'revoke', 'reborn', '--data', server.data])
    await expectError(await before.ask('/links'), 401)
    expect((await (await newOwner('reborn')).list('/links')).links).toHaveLength(1)
  })

  test('is listed and deleted without the rate limit', async () => {
    const limited = await start({ args: ['--rate-limit', '1/900s', '--log', 'off'] })
    const owner = await newOwner('limited', limited)
    const { shortendUrl = '' } = await owner.link()
    for (let at = 0; at < 5; at++) expect((await owner.ask('/links')).status).toBe(200)
    expect((await owner.ask(`/links/${shortendUrl.slice(-7)}`, 'DELETE')).status).toBe(200)
    expect((await owner.post('/shortener', { url: 'https://example.org/' })).status).toBe(429)
    await limited.stop()
  })

  test('is listed whole after kill -9 in the middle of creations, and by a restored backup', async () => {
    const killed = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
    const owner = createClient(killed.url)
    const acknowledged: string[] = []
    const creating = Array.from({ length: 8 }, async () => {
      for (;;)
        try {
          acknowledged.push((await owner.link()).shortendUrl?.slice(-7) ?? '')
          if (acknowledged.length === 100) await killed.kill()
        } catch {
          return
        }
    })
    await Promise.all(creating)
    const idsOf = async ({ url }: RunningServer) => {
      const response = await createClient(url).get('/links?limit=200', { key: 'a-key-for-the-tests-only' })
      return ((await response.json()) as Listed).links?.map(({ id }) => id) ?? []
    }
    const again = await start({ data: killed.data, args: ['--log', 'off'] })
    const listed = await idsOf(again)
    expect(acknowledged.filter((id) => !listed.includes(id))).toEqual([])
    await again.stop()
    if (!isFolder) return
    const { code, stdout } = await run(['verify', '--data', killed.data])
    expect({ code, stdout }).toEqual({ code: 0, stdout: nothingWrong })

    const archive = join(killed.data, '..', 'backup.tgz')
    expect(await run(['backup', archive, '--data', killed.data])).toMatchObject({ code: 0 })
    const restored = join(killed.data, '..', 'restored')
    expect(await run(['restore', archive, '--data', restored])).toMatchObject({ code: 0 })
    expect(readdirSync(restored)).not.toContain('index.sqlite')
    const copy = await start({ data: restored, args: ['--log', 'off'] })
    expect(await idsOf(copy)).toHaveLength(listed.length)
    await copy.stop()
  })

  test.if(isFolder)('is listed again when its index is damaged, which verify names', async () => {
    const hurt = await start({ args: ['--rate-limit', 'off'] })
    const owner = createClient(hurt.url)
    for (let at = 0; at < 3; at++) await owner.link()
    await hurt.stop()
    await Bun.write(join(hurt.data, 'index.sqlite'), 'no index'.repeat(1000))
    const { code, stdout } = await run(['verify', '--data', hurt.data])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^damaged +index\.sqlite: file is not a database; remove it/)
    const again = await start({ data: hurt.data })
    const response = await createClient(again.url).get('/links', { key: 'a-key-for-the-tests-only' })
    expect(((await response.json()) as Listed).links).toHaveLength(3)
    await again.stderr.waitFor(/the index is damaged/)
    await again.stop()
    expect(await run(['verify', '--data', hurt.data])).toMatchObject({ code: 0 })
  })
})

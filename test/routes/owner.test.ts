import { beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { run } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server } = withServer({ args: ['--rate-limit', 'off', '--access-log', 'off'] })

type Item = Record<string, unknown> & { id: string }

const clientOf = async (name: string, ...words: string[]) => {
  const key = (await run(['keys', 'add', name, ...words, '--data', server.data])).stdout.trim()
  const client = createClient(server.url, key)
  const ask = (path: string, method = 'GET', body?: object) =>
    client.get(
      path,
      { key, ...(body && { 'Content-Type': 'application/json' }) },
      { method, ...(body && { body: JSON.stringify(body) }) },
    )
  /** As My items and the page of the owner ask. */
  const askRows = async (path: string) => (await ask(`/key${path}`)).text()
  const list = async (path: string) => {
    const answer = (await (await ask(path)).json()) as Record<string, unknown> & { after: string | null }
    return {
      ...{ items: (answer.pastes ?? answer.links) as Item[], after: answer.after },
      total: answer.total,
    }
  }
  return { ...client, ask, askRows, list }
}
type Client = Awaited<ReturnType<typeof clientOf>>

let [admin, ann, bob] = [] as unknown as [Client, Client, Client]
const idOf = ({ pasteUrl, shortendUrl }: Record<string, string>) =>
  (pasteUrl ?? shortendUrl ?? '').split('/').at(-1) ?? ''

beforeAll(async () => {
  admin = await clientOf('boss', '--admin')
  ann = await clientOf('ann')
  bob = await clientOf('bob')
})

/** Everything that the answer lists, page by page. */
const allOf = async (client: Client, path: string) => {
  const items: Item[] = []
  for (let after: string | null = ''; after !== null; ) {
    const page = await client.list(`${path}${after ? `&after=${after}` : ''}`)
    items.push(...page.items)
    after = page.after
  }
  return items
}

describe('an admin key', () => {
  test('lists what every key made, newest first, in pages of any size, each item with its owner', async () => {
    const made: string[] = []
    for (const [at, client] of [ann, bob, admin, ann, bob].entries())
      made.unshift(idOf(await client.paste({ title: `paste ${at}` })))
    const owners = ['bob', 'ann', 'boss', 'bob', 'ann']
    for (const limit of [1, 2, 3, 200]) {
      const items = await allOf(admin, `/pastes?owner=*&limit=${limit}`)
      expect(items.slice(0, 5).map(({ id, owner }) => [id, owner])).toEqual(
        made.map((id, at) => [id, owners[at]]) as never,
      )
    }
    const { items: everything, total } = await admin.list('/pastes?owner=*&limit=200')
    expect(total).toBe(everything.length)
    const link = idOf(await bob.link('https://example.org/x'))
    const { items } = await admin.list('/links?owner=*')
    expect(items[0]).toMatchObject({ id: link, owner: 'bob', url: 'https://example.org/x' })
  })

  test('lists those of one key, of a name that nobody has, and its own as before', async () => {
    const id = idOf(await ann.paste({ title: 'of ann' }))
    const { items } = await admin.list('/pastes?owner=ann')
    expect(items[0]).toMatchObject({ id, owner: 'ann', title: 'of ann' })
    expect(items.every(({ owner }) => owner === 'ann')).toBe(true)
    expect((await admin.list('/pastes?owner=nobody')).items).toEqual([])
    for (const item of (await admin.list('/pastes')).items) expect(item.owner).toBeUndefined()
  })

  test('says in a list of its own name whose they are, as any key may', async () => {
    await ann.paste()
    for (const item of (await ann.list('/pastes?owner=ann')).items) expect(item.owner).toBe('ann')
    for (const item of (await ann.list('/pastes')).items) expect(item.owner).toBeUndefined()
  })

  test('deletes what others made, by id and by name, and the log says who did', async () => {
    const paste = await ann.paste({ alias: 'by-name' })
    const link = await bob.link()
    expect((await admin.ask('/pastes/by-name', 'DELETE')).status).toBe(200)
    expect((await admin.ask(`/links/${idOf(link)}`, 'DELETE')).status).toBe(200)
    expect((await fetch(paste.pasteUrl ?? '')).status).toBe(410)
    expect((await fetch(link.shortendUrl ?? '')).status).toBe(410)
    await server.stderr.waitFor(new RegExp(`short link deleted id=${idOf(link)} owner=bob by=boss`))
  })

  test('sees no text of others, and no target with a limit of visits', async () => {
    const secret = 'a text that is secret'
    const plain = idOf(await ann.paste({ text: secret, title: 'plain' }))
    const burning = idOf(await ann.paste({ text: secret, title: 'burning', maxReads: 1 }))
    const target = 'https://example.org/secret-target'
    const limited = idOf(await bob.link(target, { maxVisits: 1 }))
    for (const id of [plain, burning]) {
      const answer = await admin.ask(`/pastes/${id}`)
      const { paste } = (await answer.json()) as { paste: Item }
      expect(paste).toMatchObject({ id, owner: 'ann', bytes: secret.length })
      expect(paste.text).toBeUndefined()
    }
    const record = await (await admin.ask(`/links/${limited}`)).text()
    const lists = await Promise.all(
      ['/links?owner=*', '/pastes?owner=*', '/pastes?owner=ann'].map(async (path) =>
        (await admin.ask(path)).text(),
      ),
    )
    const pages = await Promise.all(
      ['/links?owner=*', '/pastes?owner=ann'].map(async (path) => admin.askRows(path)),
    )
    for (const text of [record, ...lists, ...pages]) expect(text).not.toMatch(/secret/)
    expect(pages[0]).toContain('A short link with a limit of visits')
    expect(await bob.askRows('/links?owner=bob')).toContain(target)
    expect(lists.every((text) => text.includes(limited) || text.includes(burning))).toBe(true)
    const { link } = (await (await bob.ask(`/links/${limited}`)).json()) as { link: Item }
    expect(link.url).toBe(target)
    expect((await bob.list('/links?owner=bob')).items[0]?.url).toBe(target)
  })

  test('changes nothing of others, and reads none of their versions', async () => {
    const id = idOf(await ann.paste({ text: 'one' }))
    await ann.ask(`/pastes/${id}`, 'PATCH', { text: 'two' })
    const link = idOf(await bob.link())
    const refused = [
      [`/pastes/${id}`, 'PATCH', { text: 'three' }],
      [`/pastes/${id}`, 'PATCH', { expiresIn: '1s' }],
      [`/links/${link}`, 'PATCH', { url: 'https://evil.example/' }],
      [`/pastes/${id}/versions`, 'GET'],
      [`/pastes/${id}/versions`, 'DELETE'],
      [`/pastes/${id}/versions/1`, 'GET'],
      [`/pastes/${id}/versions/1`, 'POST', { text: '' }],
      [`/pastes/${id}/versions/1/2`, 'GET'],
      [`/pastes/${id}/versions/2`, 'GET'],
    ] as const
    for (const [path, method, body] of refused)
      await expectError(await admin.ask(path, method, body), 404, /There is no (paste|short link)/)
    const named = { text: 'x', title: '', description: '', language: 'text', alias: 'of-ann', replace: true }
    expect((await ann.post('/paste', named)).status).toBe(201)
    await expectError(await admin.post('/paste', named), 409)
    const { versions } = (await (await ann.ask(`/pastes/${id}/versions`)).json()) as { versions: unknown[] }
    expect(versions).toHaveLength(2)
  })

  test('is one only as long as it is', async () => {
    const once = await clientOf('once', '--admin')
    expect((await once.ask('/pastes?owner=*')).status).toBe(200)
    await run(['keys', 'set', 'once', '--admin', 'none', '--data', server.data])
    await expectError(await once.ask('/pastes?owner=*'), 403)
  })
})

describe('any other key', () => {
  test('lists nothing of others: 403, before a wrong limit is found', async () => {
    for (const path of [
      '/pastes?owner=*',
      '/links?owner=bob',
      '/pastes?owner=',
      '/pastes?owner=nobody&limit=0',
    ])
      await expectError(await ann.ask(path), 403, /^Only an admin key may list what others made/)
    await expectError(await ann.ask('/pastes?owner=ann&limit=0'), 422)
    await expectError(await fetch(`${server.url}/pastes?owner=*&limit=0`), 401)
    await expectError(await admin.ask('/pastes?owner=*&limit=0'), 422)
  })
})

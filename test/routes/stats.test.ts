import { beforeAll, describe, expect, test } from 'bun:test'
import type { Figures } from '../../src/items/schema.ts'
import { createClient } from '../support/client.ts'
import { expectError } from '../support/expectations.ts'
import { isFolder, run, testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, restart } = withServer({ args: ['--rate-limit', '20/9999s', '--log', 'off'] })
const add = async (...words: string[]) =>
  (await run(['keys', 'add', ...words, '--data', server.data])).stdout.trim()

let [admin, ann] = ['', '']
beforeAll(async () => {
  admin = await add('boss', '--admin')
  ann = await add('ann')
})

const ask = (key = admin, init: RequestInit = {}) =>
  fetch(`${server.url}/stats`, { headers: { key }, ...init })
const figures = async () => (await (await ask()).json()) as Figures
const totalOf = ({ totals }: Figures, kind: string) => totals.find((one) => one.kind === kind)

describe('GET /stats', () => {
  test('is for admin keys alone, and never kept', async () => {
    const answer = await ask()
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    await expectError(await ask(ann), 403, /^Only an admin key may read the figures/)
    await expectError(await ask(testKey), 403)
    await expectError(await ask(`${admin}x`), 401)
    await expectError(await fetch(`${server.url}/stats`), 401)
    await expectError(await ask(admin, { method: 'POST', headers: { key: admin } }), 405)
    const page = await fetch(`${server.url}/stats`, { headers: { Accept: 'text/html' } })
    expect(page.headers.get('Content-Type')).toStartWith('application/json')
  })

  test('counts what is created, changed and deleted, at once', async () => {
    const client = createClient(server.url, ann)
    const before = await figures()
    const { pasteUrl = '', deletionUrl = '' } = await client.paste({ text: 'ä'.repeat(500), expiresIn: '1h' })
    const id = pasteUrl.slice(-10)
    await client.link('https://example.org/1234')
    const created = await figures()
    expect(created.index).toBe('whole')
    if (isFolder) expect(created.disk?.freeBytes).toBeGreaterThan(0)
    expect(totalOf(created, 'paste')?.bytes).toBe((totalOf(before, 'paste')?.bytes ?? 0) + 1000)
    expect(totalOf(created, 'link')).toEqual({ kind: 'link', items: 1, bytes: 24 })
    expect(created.keys).toContainEqual({ owner: 'ann', kind: 'paste', items: 1, bytes: 1000 })
    expect(created.days.at(-1)).toMatchObject({ pastes: 1, links: 1 })
    expect(created.largest[0]).toMatchObject({ kind: 'paste', id, owner: 'ann', bytes: 1000 })
    expect(created.expiring.map((item) => item.id)).toEqual([id])
    const change = (text: string) =>
      fetch(`${server.url}/pastes/${id}`, {
        method: 'PATCH',
        headers: { key: ann, 'Content-Type': 'application/json' },
        body: JSON.stringify({ text }),
      })
    await change('two')
    await change('three')
    const changed = await figures()
    expect(changed.versions).toEqual({ count: 2, bytes: 1003 })
    expect(totalOf(changed, 'paste')?.bytes).toBe(5)
    await fetch(`${server.url}/pastes/${id}/versions`, { method: 'DELETE', headers: { key: ann } })
    expect((await figures()).versions).toEqual({ count: 0, bytes: 0 })
    await change('four')
    await restart()
    expect((await figures()).versions).toEqual({ count: 1, bytes: 5 })
    await fetch(deletionUrl.replace(/^http:\/\/[^/]+/, server.url), { method: 'DELETE' })
    const deleted = await figures()
    expect([deleted.versions, totalOf(deleted, 'paste')?.items]).toEqual([{ count: 0, bytes: 0 }, 0])
    expect(deleted.largest.map(({ kind }) => kind)).toEqual(['link'])
  })

  test('takes no token', async () => {
    for (let time = 0; time < 30; time++) expect((await ask()).status).toBe(200)
    await createClient(server.url, admin).link()
  })

  test('names no text, title or target', async () => {
    await createClient(server.url, ann).paste({ text: 'secret', title: 'secret', maxReads: 1 })
    await createClient(server.url, ann).link('https://example.org/secret', { maxVisits: 1 })
    expect(await (await ask()).text()).not.toContain('secret')
  })
})

import { describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { withServer } from '../support/server.ts'
import { untilMade } from '../support/until.ts'

const { server, client } = withServer()

/** The public addresses of one kind of item: what stands before its id, and after. */
const addresses = [
  { name: '/p/<id>', before: '/p/', after: '', kind: 'paste', status: 200 },
  { name: '/p/raw/<id>', before: '/p/raw/', after: '', kind: 'paste', status: 200 },
  { name: '/s/<id>', before: '/s/', after: '', kind: 'link', status: 302 },
  { name: '/s/<id>+', before: '/s/', after: '+', kind: 'link', status: 200 },
  { name: '/s/<id>%2B', before: '/s/', after: '%2B', kind: 'link', status: 200 },
  { name: '/s/<id>%2b', before: '/s/', after: '%2b', kind: 'link', status: 200 },
] as const

const create = async (kind: 'paste' | 'link') => {
  const { pasteUrl, shortendUrl, deletionUrl = '' } = await client[kind]()
  return { id: (pasteUrl ?? shortendUrl ?? '').split('/').at(-1) ?? '', deletionUrl }
}

describe.each(addresses)('$name', ({ before, after, kind, status }) => {
  const get = (id: string, headers: Record<string, string> = {}) => client.get(before + id + after, headers)

  test('finds an id in any case', async () => {
    const { id } = await create(kind)
    expect(id.toUpperCase()).not.toBe(id)
    if (before === '/p/') await untilMade(`${server.url}${before}${id}`)
    const answers = [await get(id), await get(id.toUpperCase())]
    expect(answers.map((answer) => answer.status)).toEqual([status, status])
    expect(await answers[1]?.text()).toBe(await (answers[0] as Response).text())
  })

  test('answers 404 to an id that never was', async () => {
    const { id } = await create(kind)
    const unknown = id.startsWith('a') ? `b${id.slice(1)}` : `a${id.slice(1)}`
    await expectError(await get(unknown), 404)
  })

  test('answers 404 to the id of the other kind', async () => {
    const { id } = await create(kind === 'paste' ? 'link' : 'paste')
    await expectError(await get(id), 404)
  })

  test.each(['o01lioo', '%00', '%', '%zz', '%ff%fe', '..%2f..%2fshortcrust', '__proto__', 'é', 'abcdefg '])(
    'answers 404 to %j, which cannot be an id',
    async (id) => {
      await expectError(await get(id), 404)
    },
  )

  test('answers 404 to an id with a character more or less, and to a very long one', async () => {
    const { id } = await create(kind)
    await expectError(await get('a'.repeat(5000)), 404)
    await expectError(await get(`${id}a`), 404)
    await expectError(await get(id.slice(0, -1)), 404)
  })

  test('answers 410 to an id that was deleted, in any case', async () => {
    const { id, deletionUrl } = await create(kind)
    expect((await get(id)).status).toBe(status)
    expect((await client.get(deletionUrl, {}, { method: 'DELETE' })).status).toBe(200)
    await expectError(await get(id), 410)
    await expectError(await get(id.toUpperCase()), 410)
  })

  test('shows browsers a page that says so, with the same status', async () => {
    const { id, deletionUrl } = await create(kind)
    await client.get(deletionUrl, {}, { method: 'DELETE' })
    expect(await expectPage(await get(id, browser), 410)).toContain('410')
    expect(await expectPage(await get('nothing', browser), 404)).toContain('404')
  })
})

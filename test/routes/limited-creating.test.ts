import { describe, expect, test } from 'bun:test'
import { examplePaste } from '../support/client.ts'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { json, secret, secretTarget, withLimited } from '../support/limited.ts'
import { testKey } from '../support/process.ts'

const site = withLimited()

const kinds = [
  ['/paste', 'maxReads', examplePaste],
  ['/shortener', 'maxVisits', { url: secretTarget }],
] as const

describe.each(kinds)('POST %s with %s', (path, field, body) => {
  test.each([1, 2, 1_000_000, '3.0'])('takes %j, and says so in its answer', async (limit) => {
    const response = await site.client.post(
      path,
      JSON.stringify({ ...body, [field]: 0 }).replace(':0', `:${limit}`),
    )
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ [field]: Number(limit) })
  })

  test.each([0, -1, 1_000_001, 1.5, 1e300, '"3"', '""', null, true, '[1]', '{}'])(
    'refuses %j: 422',
    async (limit) => {
      const sent = JSON.stringify({ ...body, [field]: 0 }).replace(':0', `:${limit}`)
      await expectError(await site.client.post(path, sent), 422, new RegExp(`^Field "${field}" must be `))
    },
  )

  test('answers as ever without it', async () => {
    expect(Object.keys((await (await site.client.post(path, body)).json()) as object)).not.toContain(field)
  })

  test('does not take the field of the other kind for its own', async () => {
    const other = field === 'maxReads' ? 'maxVisits' : 'maxReads'
    const response = await site.client.post(path, { ...body, [other]: 'nonsense' })
    expect(response.status).toBe(201)
    expect(Object.keys((await response.json()) as object)).not.toContain(other)
  })
})

describe('an upload with a limit', () => {
  const upload = (path: string, init: RequestInit) =>
    fetch(site.server.url + path, { headers: { key: testKey }, ...init })

  test.each([
    ['in its address', '/a.py?maxReads=2', () => ({ method: 'PUT', body: 'a-secret-text' })],
    ['as a haste', '/documents?maxReads=2', () => ({ method: 'POST', body: 'a-secret-text' })],
    [
      'in its form',
      '/',
      () => {
        const body = new FormData()
        body.set('file', new Blob(['a-secret-text']), 'a.py')
        body.set('maxReads', '2')
        return { method: 'POST', body }
      },
    ],
  ])('%s is limited', async (_, path, init) => {
    const response = await upload(path, init())
    expect(response.status).toBeOneOf([200, 201])
    const answer = await response.text()
    const id = /[2-9a-z]{10}(?=["\n])/.exec(answer)?.[0]
    await expectError(await site.get(`/p/raw/${id}`), 403)
    for (const _ of ['first', 'second']) expect((await site.send(`/p/raw/${id}`)).status).toBe(200)
    expect((await site.send(`/p/raw/${id}`)).status).toBe(410)
  })

  test.each(['0', '-1', '1.5', '', 'once', '1e3', '1000001', '9'.repeat(30)])(
    'of %j is refused: 422',
    async (limit) => {
      const response = await upload(`/a.py?maxReads=${limit}`, { method: 'PUT', body: 'a' })
      await expectError(response, 422, /^Field "maxReads" must be /)
    },
  )
})

describe('the forms of the start page', () => {
  const post = (fields: Record<string, string>) => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ key: testKey, ...fields })) body.set(name, value)
    return fetch(site.server.url, { method: 'POST', headers: browser, body })
  }
  const addressIn = async (response: Response) =>
    /value="(http[^"]+\/[ps]\/[^"/]+)"/.exec(await expectPage(response, 201))?.[1]

  test('limit what they create, without JavaScript, and leave it alone where the field is empty', async () => {
    const paste = await addressIn(await post({ create: 'paste', ...secret, maxReads: '1' }))
    await expectError(await site.get(paste, json), 403)
    const link = await addressIn(await post({ create: 'link', url: secretTarget, maxVisits: '1' }))
    await expectError(await site.get(link), 403)
    const open = await addressIn(await post({ create: 'paste', ...secret, maxReads: '' }))
    expect((await site.get(open, json)).status).toBe(200)
    const openLink = await addressIn(await post({ create: 'link', url: secretTarget, maxVisits: '' }))
    expect((await site.get(openLink)).status).toBe(302)
  })

  test('show again what was typed where it is refused, with the options open', async () => {
    for (const [create, field] of [
      ['paste', 'maxReads'],
      ['link', 'maxVisits'],
    ] as const) {
      const html = await expectPage(await post({ create, ...secret, url: secretTarget, [field]: '1.5' }), 422)
      expect(html).toContain('Enter a whole number from 1 to 1,000,000.')
      expect(html).toMatch(
        new RegExp(`<details class="options" open>[^\\0]*?name="${field}"[^>]*value="1.5"`),
      )
    }
  })
})

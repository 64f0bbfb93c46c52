import { beforeAll, describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { withServer } from '../support/server.ts'
import { untilMade } from '../support/until-made.ts'

const { client } = withServer()
let code = ''
let log = ''
beforeAll(async () => {
  const made = [{ language: 'javascript' }, { language: 'log' }].map((fields) => client.paste(fields))
  const [first, second] = await Promise.all(made)
  code = first?.pasteUrl ?? ''
  log = second?.pasteUrl ?? ''
})

describe('a query that a page cannot follow', () => {
  test.each([
    ['?view=sideways', /"view" must be one of preview, table, formatted/],
    ['?view=', /"view" must be one of/],
    ['?level=loud', /"level" must be one of trace, debug, info, notice, warn, error, fatal/],
    [`?grep=${'a'.repeat(201)}`, /"grep" must have at most 200 characters/],
    ['?view=preview', /in JavaScript does not have this "view"; it has none/],
    ['?level=error', /in JavaScript does not have levels; "level" is for logs/],
    ['?lang=json&view=table', /in JSON does not have this "view"; it has "formatted"/],
    ['?lang=nonsense&view=table', /"lang" is not a known language/],
  ])('is 422 for a program: %s', async (query, says) => {
    await expectError(await client.get(code + query, { Accept: '*/*' }), 422, says)
  })

  test.each([
    ['?view=sideways', /id="ignored">\s*There is no such view/],
    ['?view=preview', /id="ignored">\s*There is no such view/],
    ['?level=error', /id="ignored">\s*Lines of this text have no such level/],
    [`?grep=${'a'.repeat(201)}`, /id="ignored">\s*The word to find is too long/],
  ])('is a notice above the whole text for a person: %s', async (query, notice) => {
    const page = await expectPage(await client.get(code + query, browser))
    expect(page).toMatch(notice)
    expect(page).toContain('id=L1')
  })

  test.each(['?view=sideways', '?view=preview', '?lang=nonsense'])(
    'is 422 for a program also after a person got the page: %s',
    async (query) => {
      for (let round = 0; round < 2; round++) {
        await expectPage(await client.get(code + query, browser))
        await expectError(await client.get(code + query, { Accept: '*/*' }), 422, /"(?:view|lang)"/)
      }
    },
  )

  test('is refused before a read is consumed', async () => {
    const { pasteUrl = '', rawUrl = '' } = await client.paste({ maxReads: 1 })
    const post = { method: 'POST' }
    await expectPage(await client.get(`${pasteUrl}?view=sideways`, browser, post), 422)
    await expectError(await client.get(`${pasteUrl}?level=loud`, {}, post), 422, /"level"/)
    expect((await client.get(rawUrl, {}, post)).status).toBe(200)
  })

  test('is left out by the button of a burn-after-reading paste', async () => {
    const { pasteUrl = '' } = await client.paste({ maxReads: 1 })
    expect(await expectPage(await client.get(`${pasteUrl}?view=sideways`, browser))).toContain('action="?"')
    expect(await expectPage(await client.get(`${pasteUrl}?view=preview`, browser))).not.toContain('action=')
  })
})

test('a page shows what its own query asks for, whatever was asked of the paste before', async () => {
  const tagOf = async (address: string) =>
    (await client.get(await untilMade(address), browser)).headers.get('etag')
  const queries = ['', '?level=error', '?level=warn', '?level=error&x=1', '?grep=word', '?level=error', '']
  const first = await Promise.all(queries.map((query) => tagOf(log + query)))
  for (const [at, query] of queries.entries()) expect(await tagOf(log + query)).toBe(first[at] as string)
  expect(new Set(first).size).toBe(4)
})

test('pages of different queries have different entity tags', async () => {
  const queries = ['', '?lang=text', '?level=error', '?level=warn', '?grep=a', '?grep=A', '?lang=text&grep=a']
  const tags = await Promise.all(
    queries.map(async (query) =>
      (await client.get(await untilMade(log + query), browser, { method: 'HEAD' })).headers.get('ETag'),
    ),
  )
  expect(new Set(tags).size).toBe(queries.length)
  expect(tags).not.toContain(null)
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { withServer } from '../support/server.ts'
import { untilMade } from '../support/until.ts'

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
    ['?view=sideways', /"view" must be one of text, preview, table, formatted/],
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

describe('a text that has a view', () => {
  const markdown = '# A\n\nb\n'
  const create = async (fields: object) => (await client.paste(fields)).pasteUrl ?? ''
  /** What a page shows, once it is made. */
  const shownAt = async (address: string) => {
    await untilMade(address)
    const page = await expectPage(await client.get(address, browser))
    return /class="code[^"]* view-(\w+)/.exec(page)?.[1] ?? 'text'
  }

  test.each([
    ['markdown', markdown, 'preview'],
    ['mdx', markdown, 'preview'],
    ['csv', 'a,b\n1,2\n', 'table'],
    ['tsv', 'a\tb\n1\t2\n', 'table'],
    ['json', '{"a":[1]}', 'text'],
    ['text', markdown, 'text'],
  ])('opens as what is meant to be read: %s', async (language, text, first) => {
    expect(await shownAt(await create({ language, text }))).toBe(first)
  })

  test.each([
    ['', 'preview'],
    ['?', 'preview'],
    ['?utm_source=chat', 'preview'],
    ['?view=preview', 'preview'],
    ['?view=text', 'text'],
    ['?lang=markdown', 'text'],
    ['?lang=python', 'text'],
    ['?lang=csv', 'text'],
    ['?lang=csv&view=table', 'table'],
    ['?grep=b', 'text'],
    ['?grep=', 'text'],
    ['?view=text&grep=b', 'text'],
    ['?view=table', 'text'],
    ['?view=sideways', 'text'],
    ['?lang=nonsense', 'text'],
  ])('shows its source where the address asks for it: %s', async (query, shown) => {
    expect(await shownAt((await create({ language: 'markdown', text: markdown })) + query)).toBe(shown)
  })

  test('has one entity tag for each page, whatever address it has', async () => {
    const address = await create({ language: 'markdown', text: markdown })
    const tagOf = async (query: string) => {
      await untilMade(address + query)
      return (await client.get(address + query, browser)).headers.get('ETag')
    }
    const [first, preview, other] = [await tagOf(''), await tagOf('?view=preview'), await tagOf('?x=1')]
    const [source, again] = [await tagOf('?view=text'), await tagOf('?lang=markdown')]
    expect([preview, other]).toEqual([first, first])
    expect(again).toBe(source)
    expect(source).not.toBe(first)
    for (const [query, tag, status] of [
      ['', first, 304],
      ['?view=text', source, 304],
      ['', source, 200],
      ['?view=text', first, 200],
    ] as const) {
      const headers = { ...browser, 'If-None-Match': tag ?? '' }
      expect((await client.get(address + query, headers)).status).toBe(status)
    }
  })

  test('stays a text for programs', async () => {
    const address = await create({ language: 'markdown', text: markdown })
    expect(await (await client.get(address, { Accept: 'text/plain' })).text()).toBe(markdown)
    expect(await (await client.get(address, { Accept: 'application/json' })).json()).toMatchObject({
      text: markdown,
    })
  })

  test('stays a text where it burns after reading, because its source is nowhere else', async () => {
    const address = await create({ language: 'markdown', text: markdown, maxReads: 1 })
    const page = await expectPage(await client.get(address, browser, { method: 'POST' }))
    expect(page).toContain('id=L1')
    expect(page).not.toContain('view-preview')
  })

  test('is its text, with a notice, where the view refuses it', async () => {
    const deep = await create({ language: 'markdown', text: `${'>'.repeat(200)} deep\n` })
    await untilMade(deep)
    expect(await expectPage(await client.get(deep, browser))).toContain('id="refused"')
  })
})

describe('long lines', () => {
  test.each([
    ['text', 'a\n', '', 'code wraps'],
    ['markdown', 'a\n', '?view=text', 'code wraps'],
    ['markdown', 'a\n', '', 'code view-preview'],
    ['python', 'a = 1\n', '', 'code wraps-narrow'],
    ['json', '[1]', '?view=formatted', 'code wraps-narrow view-formatted'],
    ['csv', 'a,b\n', '?view=text', 'code'],
    ['csv', 'a,b\n', '', 'code view-table'],
    ['diff', '-a\n+b\n', '', 'code'],
    ['log', 'ERROR a\n', '', 'code'],
  ])('of %s (%j) wrap as is best to read: %s', async (language, text, query, classes) => {
    const address = (await client.paste({ language, text })).pasteUrl + query
    await untilMade(address)
    expect(await expectPage(await client.get(address, browser))).toContain(`class="${classes}"`)
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

import { beforeAll, describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { withServer } from '../support/server.ts'
import { untilMade } from '../support/until.ts'

const frames = '    at a (b.js:1:2)\n'.repeat(4)
const text = `14:02:11 INFO one\n14:02:12 ERROR two <b>\n${frames}14:02:13 WARN three\n16:40:03 FATAL four\n`
const fields = { text, language: 'log', title: 'a.log' }

const { client } = withServer()
let address = ''
beforeAll(async () => {
  address = (await client.paste(fields)).pasteUrl ?? ''
})

const open = async (query = '', from = address) => {
  const elements = parsePage(await expectPage(await client.get(await untilMade(from + query), browser)))
  const byId = (id: string) => elements.find(({ attributes }) => attributes.id === id)
  const textOf = (id: string) => byId(id)?.text.replace(/\s+/g, ' ').trim()
  const hrefs = elements.filter(({ attributes }) => attributes.title?.startsWith('Only '))
  return {
    elements,
    byId,
    textOf,
    levels: hrefs.map(({ text: words, attributes }) => [words, attributes.href]),
    shown: elements
      .filter(({ name }) => name === 'li')
      .flatMap(({ attributes }) => (attributes.id ?? '').match(/^L\d+$/) ?? []),
    fields: Object.fromEntries(
      elements
        .filter(
          ({ name, attributes }) =>
            name === 'input' && ['grep', 'level', 'lang'].includes(attributes.name ?? ''),
        )
        .map(({ attributes }) => [attributes.name, attributes.value]),
    ),
  }
}

describe('the page of a log', () => {
  test('counts its levels, each a link to the lines with it and above, the most important first', async () => {
    const { levels, textOf, byId } = await open()
    expect(levels).toEqual([
      ['1 fatal', '?level=fatal'],
      ['1 error', '?level=error'],
      ['1 warning', '?level=warn'],
      ['1 info', '?level=info'],
    ])
    expect(textOf('times')).toBe('14:02:11 to 16:40:03, 2 h 38 min')
    expect(byId('next-error')?.attributes.href).toBe('#L2')
    expect(byId('filtered')).toBeUndefined()
  })

  test.each([
    [
      '?level=error',
      ['L2', 'L3', 'L4', 'L5', 'L6', 'L8'],
      'Only lines with level error and above: 6 of 8. Show the whole text',
    ],
    ['?level=fatal', ['L8'], 'Only lines with level fatal: 1 of 8. Show the whole text'],
    [
      '?grep=T',
      ['L2', 'L3', 'L4', 'L5', 'L6', 'L7', 'L8'],
      'Only lines that contain “T”: 7 of 8. Show the whole text',
    ],
    [
      '?level=warn&grep=three',
      ['L7'],
      'Only lines with level warning and above that contain “three”: 1 of 8. Show the whole text',
    ],
    [
      '?level=warn&grep=one',
      [],
      'There are no lines with level warning and above that contain “one”. Show the whole text',
    ],
  ])('with %s has these lines, says so, and leads back', async (query, lines, says) => {
    const page = await open(query)
    expect(page.shown).toEqual(lines)
    expect(page.textOf('filtered')).toBe(says)
    expect(page.byId('whole')?.attributes.href).toBe('?')
    expect(page.byId('copy')?.attributes.title).toBe('Copy the lines shown (c)')
  })

  test('keeps the word in the links of levels, and the level in the form', async () => {
    const page = await open('?level=warn&grep=%3Cb%3E%26&lang=log')
    expect(page.fields).toEqual({ level: 'warn', grep: '<b>&' })
    expect(page.levels[0]).toEqual(['1 fatal', '?level=fatal&grep=%3Cb%3E%26'])
    expect((await open('?grep=two&lang=ansi')).fields).toEqual({ lang: 'ansi', grep: 'two' })
    expect((await open('?grep=two&lang=ansi')).byId('whole')?.attributes.href).toBe('?lang=ansi')
  })

  test('marks what is invisible in the word, or turns its direction', async () => {
    const page = await expectPage(
      await client.get(await untilMade(`${address}?grep=${encodeURIComponent('a\u202e<i>')}`), browser),
    )
    expect(page).toContain('“a<span class=x role=img title="U+202E right-to-left override" data-x=RLO>')
    expect(page).toContain('</span>&lt;i&gt;”')
  })

  test('takes an empty word for none, because the form sends it', async () => {
    const page = await open('?grep=')
    expect([page.shown.length, page.byId('filtered')]).toEqual([8, undefined])
  })

  test('leads from warning to warning where there is no error', async () => {
    const { byId } = await open('', (await client.paste({ ...fields, text: 'INFO a\nWARN b\n' })).pasteUrl)
    expect(byId('next-error')?.attributes).toMatchObject({ href: '#L2', 'data-level': 'lw' })
    expect(
      (await open('', (await client.paste({ ...fields, text: 'a\n' })).pasteUrl)).byId('next-error'),
    ).toBeUndefined()
  })

  test('has an entity tag for each filter, which is known again', async () => {
    for (const query of ['', '?level=error', '?grep=two']) {
      await untilMade(address + query)
      const etag = (await client.get(address + query, browser)).headers.get('ETag') ?? ''
      expect((await client.get(address + query, { ...browser, 'If-None-Match': etag })).status).toBe(304)
    }
  })

  test('is a log of a terminal, too, if it looks like one', async () => {
    const coloured = text.replace('ERROR', '\x1b[31mERROR\x1b[0m')
    const log = await open('', (await client.paste({ ...fields, language: 'ansi', text: coloured })).pasteUrl)
    expect(log.levels).toHaveLength(4)
    expect(log.byId('code')?.attributes['data-terminal']).toBe('')
    const other = await client.paste({ ...fields, language: 'ansi', text: '\x1b[1mone\x1b[0m\ntwo\n' })
    const page = await open('', other.pasteUrl)
    expect([page.levels, page.byId('times')]).toEqual([[], undefined])
  })

  test('is one of JSON lines, too, whose formatted view is a click away', async () => {
    const records = ['info', 'error', 'warn'].map((level, at) =>
      JSON.stringify({ level, time: `2026-11-24T08:00:0${at}Z`, msg: 'a' }),
    )
    const { pasteUrl = '' } = await client.paste({ ...fields, language: 'jsonl', text: records.join('\n') })
    const log = await open('', pasteUrl)
    expect(log.levels).toHaveLength(3)
    expect(log.textOf('times')).toBe('08:00:00 to 08:00:02, 2 s')
    const links = log.elements.map(({ attributes }) => attributes.href)
    expect(links).toContain('?view=formatted')
    expect((await open('?level=error', pasteUrl)).shown).toEqual(['L2'])
    expect((await client.get(`${pasteUrl}?level=error`)).status).toBe(200)
    const data = await client.paste({ ...fields, language: 'jsonl', text: '{"a":1}\n{"a":2}\n' })
    expect((await open('', data.pasteUrl)).levels).toEqual([])
  })

  test('of more than a mebibyte is one as well, and filtered', async () => {
    const long = `${text}${'14:02:11 INFO more\n'.repeat(50_000)}`.slice(0, 1_040_000)
    const { pasteUrl } = await client.paste({ ...fields, text: long })
    expect((await open('?level=error', pasteUrl)).shown).toHaveLength(6)
  })
})

describe('other pages with a word', () => {
  test('have the form and what they leave out, but no levels', async () => {
    const { pasteUrl = '' } = await client.paste({ ...fields, language: 'text' })
    const page = await open('?grep=o', pasteUrl)
    expect([page.shown, page.levels]).toEqual([['L1', 'L2', 'L8'], []])
    expect(page.textOf('filtered')).toBe('Only lines that contain “o”: 3 of 8. Show the whole text')
    expect((await open('', pasteUrl)).fields).toEqual({})
  })
})

describe('a log that burns after reading', () => {
  test('counts its levels without links: each would be a read', async () => {
    const { pasteUrl = '' } = await client.paste({ ...fields, maxReads: 2 })
    const html = await expectPage(await client.get(pasteUrl, browser, { method: 'POST' }))
    expect(html).toContain('<span>1 error</span>')
    expect(html).not.toMatch(/\?level=|name="grep"/)
    await expectError(await client.get(`${pasteUrl}?level=loud`, {}, { method: 'POST' }), 422)
    const filtered = await client.get(`${pasteUrl}?level=fatal`, browser, { method: 'POST' })
    expect(await expectPage(filtered)).toContain('with level <strong>fatal</strong>')
  })
})

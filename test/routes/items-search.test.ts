import { describe, expect, test } from 'bun:test'
import { browser, expectPage } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const { server, client } = withServer({ args: ['--rate-limit', 'off'] })

const find = (fields: Record<string, string>) =>
  fetch(`${server.url}/`, {
    method: 'POST',
    headers: browser,
    body: new URLSearchParams({ create: 'items', key: testKey, ...fields }),
  })

/** Names of what a page lists, its count, and what its fields hold. */
const shown = (html: string) => {
  const elements = parsePage(html)
  const fieldOf = (wanted: string) =>
    elements.find(({ attributes }) => attributes.name === wanted)?.attributes
  return {
    names: elements.filter(({ name, attributes }) => name === 'a' && /\/[ps]\//.test(attributes.href ?? '')),
    text: elements.find(({ name }) => name === 'main')?.text.replace(/\s+/g, ' ') ?? '',
    q: fieldOf('q')?.value,
    key: fieldOf('key'),
    chosen: elements.filter(({ name, attributes }) => name === 'option' && 'selected' in attributes),
  }
}
const namesOf = async (fields: Record<string, string>) =>
  shown(await expectPage(await find(fields))).names.map(({ text }) => text)

describe('the search of the form for browsers without JavaScript', () => {
  test('finds pastes and short links by all words, and shows what was typed but never the key', async () => {
    await client.paste({ title: 'Backup of the router', text: 'nothing else' })
    await client.paste({ title: 'Notes', text: 'what the router said' })
    await client.link('https://example.org/router/backup')
    const html = await expectPage(await find({ q: ' Router backup ' }))
    const page = shown(html)
    expect(page.names.map(({ text }) => text)).toEqual([
      'Backup of the router',
      expect.stringMatching(/^\/s\/\w{7}$/),
    ] as never)
    expect(page.text).toContain('example.org/router/backup')
    expect(page.text).toContain('1 paste and 1 short link found for “Router backup”')
    expect(page.q).toBe('Router backup')
    expect([page.key?.type, page.key?.value]).toEqual(['password', undefined])
    expect(html).not.toContain(testKey)
    expect(await namesOf({ q: 'said' })).toEqual(['Notes'])
  })

  test('sorts, and keeps the choice', async () => {
    await client.paste({ title: 'sorted large', text: 'x'.repeat(5000) })
    await client.paste({ title: 'sorted small', text: 'x' })
    expect(await namesOf({ q: 'sorted' })).toEqual(['sorted small', 'sorted large'])
    expect(await namesOf({ q: 'sorted', sort: 'size' })).toEqual(['sorted large', 'sorted small'])
    const { chosen } = shown(await expectPage(await find({ sort: 'uses' })))
    expect(chosen.map(({ attributes }) => attributes.value)).toEqual(['uses'])
  })

  test('says that nothing was found, with the words as text', async () => {
    const html = await expectPage(await find({ q: '<b>none</b>' }))
    expect(html).not.toContain('<b>none')
    expect(shown(html).text).toContain('Nothing found for “<b>none</b>”')
  })

  test('says what is wrong, beside the field, and gives back what was typed', async () => {
    const html = await expectPage(await find({ q: '?!', sort: 'size' }), 422)
    const elements = parsePage(html)
    const error = elements.find(({ attributes }) => attributes.id === 'error-q')
    expect(error?.text).toBe('The search must have a letter or a digit, and at most 32 words.')
    expect(shown(html).q).toBe('?!')
    const refused = shown(await expectPage(await find({ q: 'kept', sort: 'size', key: 'wrong' }), 401))
    expect(refused.q).toBe('kept')
    expect(refused.chosen.map(({ attributes }) => attributes.value)).toContain('size')
    await expectPage(await find({ sort: 'colour' }), 422)
  })
})

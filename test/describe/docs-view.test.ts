import { describe, expect, test } from 'bun:test'
import type { OutlinedOperation } from '../../src/describe/outline.ts'
import { DocsPage } from '../../views/docs-page.tsx'
import { browser } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { withServer } from '../support/server.ts'
import { asParsed, asTitle, hostile, open, site } from '../support/views.ts'

const operationOf = (text: string): OutlinedOperation => {
  const answer = { status: text, description: text, types: [text], headers: [text], example: text }
  return {
    id: text,
    method: text,
    path: text,
    summary: text,
    description: text,
    needsKey: true,
    parameters: [{ name: text, type: text, isRequired: false, description: text }],
    fields: [{ name: text, type: text, isRequired: true, description: text }],
    commands: [text],
    answers: [answer],
    errors: [answer],
  }
}
const render = (text: string) =>
  open(
    DocsPage({
      site,
      version: text,
      address: text,
      publicUrl: text,
      introduction: [text, text],
      sections: [{ name: text, description: text, operations: [operationOf(text)] }],
      languages: [{ id: text, name: text, spellings: text }],
    }),
  )
/** Backticks are the one mark that a text may make: they become `code`. */
const namesOf = (text: string) =>
  render(text).elements.map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))

describe.each(hostile.filter((text) => !text.includes('`')))('%j', (text) => {
  test('adds no element and no attribute to the page of the API', () => {
    expect(namesOf(text)).toEqual(namesOf('harmless'))
  })

  test('is only text there, and copied as it is', () => {
    const { elements } = render(text)
    // The addresses that fill in the form begin with that of the server.
    const codes = elements.flatMap(({ name, text }) =>
      name === 'code' && !text.endsWith('=…') ? [text] : [],
    )
    expect(new Set(codes)).toEqual(new Set([asParsed(text)]))
    const copied = elements.flatMap(({ attributes }) => attributes['data-copy'] ?? [])
    expect(copied).toEqual([asTitle(text)])
  })
})

describe('the page of the API', () => {
  test('shows what stands between backticks as code, and nothing else', () => {
    const { elements } = render('a `<b>` c')
    expect(elements.some(({ name }) => name === 'b')).toBe(false)
    expect(elements.some(({ name, text }) => name === 'code' && text === '<b>')).toBe(true)
    expect(elements.some(({ name, text }) => name === 'p' && text === 'a <b> c')).toBe(true)
  })

  describe('of a server', () => {
    const { server } = withServer()
    const elementsOf = async () =>
      parsePage(await (await fetch(`${server.url}/docs`, { headers: browser })).text())

    test('shows no backtick outside of commands and examples', async () => {
      const prose = (await elementsOf()).filter(({ name }) =>
        ['p', 'dt', 'dd', 'h3', 'h4', 'summary'].includes(name),
      )
      expect(prose.filter(({ text }) => text.includes('`')).map(({ text }) => text)).toEqual([])
    })

    test('names no type of a field twice', async () => {
      const types = (await elementsOf()).filter(({ text }) => /^[\w-]+( \| [\w-]+)+/.test(text))
      expect(types.length).toBeGreaterThan(0)
      for (const { text } of types) {
        const names = text.replace(', optional', '').split(' | ')
        expect(names).toEqual([...new Set(names)])
      }
    })
  })
})

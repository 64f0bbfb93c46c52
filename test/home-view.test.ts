import { describe, expect, test } from 'bun:test'
import { HomePage } from '../views/home-page.tsx'
import { asParsed, asTitle, frame, hostile, open, site } from './support/views.ts'

const languages = [{ id: 'python', name: 'Python' }]
const lifetimes = [
  { value: '', label: 'Never' },
  { value: '1h', label: '1 hour' },
]
const harmless = { text: 'a', title: 'b', description: 'c', language: 'd', url: 'e' }
const addresses = {
  url: 'http://nas/p/a',
  rawUrl: 'http://nas/p/raw/a',
  deletionUrl: 'http://nas/d',
  qr: 'qr/p/a',
}

const forms = ['paste', 'link'] as const

const render = (text: string, form: (typeof forms)[number] = 'paste') =>
  open(
    HomePage({
      site,
      languages: [{ id: text, name: text }],
      lifetimes: [{ value: text, label: text }],
      pasteCommand: text,
      failure: {
        form,
        message: text,
        typed: {
          text,
          title: text,
          description: text,
          language: text,
          url: text,
          maxReads: text,
          maxVisits: text,
        },
      },
      result: { url: text, rawUrl: text, deletionUrl: text, qr: 'qr/p/a' },
    }),
  )
const namesOf = (text: string, form: (typeof forms)[number]) =>
  render(text, form).elements.map(({ name, attributes }) => [name, ...Object.keys(attributes)].join(' '))

describe.each(hostile)('%j', (text) => {
  test('adds no element and no attribute to the start page', () => {
    for (const form of forms) expect(namesOf(text, form)).toEqual(namesOf('harmless', form))
  })

  test('comes back into the forms as it was typed, and is only text where it is shown', () => {
    const [ofPaste, ofLink] = forms.map((form) => render(text, form).elements)
    const named = (elements: typeof ofPaste = [], name: string, value: string) =>
      elements.filter(({ attributes }) => attributes[name] === value)
    // In a text area, as in a title, NUL becomes U+FFFD.
    expect(named(ofPaste, 'name', 'text')[0]?.text).toBe(asTitle(text))
    const fields = [
      [ofPaste, ['title', 'description', 'language', 'maxReads']],
      [ofLink, ['url', 'maxVisits']],
    ] as const
    for (const [elements, names] of fields)
      for (const field of names)
        expect(named(elements, 'name', field)[0]?.attributes.value, field).toBe(
          text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd'),
        )
    expect(named(ofPaste, 'class', 'error').map((element) => element.text)).toEqual([asParsed(text), ''])
    expect(named(ofLink, 'class', 'error').map((element) => element.text)).toEqual(['', asParsed(text)])
    expect(ofPaste?.find(({ name }) => name === 'code')?.text).toBe(asParsed(text))
  })
})

describe('the start page', () => {
  const open1 = (extra: object) =>
    open(HomePage({ site, languages, lifetimes, pasteCommand: 'curl', ...extra }))

  test('begins as every page does, with its own script', () => {
    const { shape } = open1({})
    expect(shape.slice(0, frame('home-g.js').length)).toEqual(frame('home-g.js'))
  })

  test('never writes a key, and marks what it asks for', () => {
    const { elements } = open1({ failure: { form: 'paste', message: 'no', typed: harmless } })
    const keys = elements.filter(({ attributes }) => attributes.name === 'key')
    expect(keys.map(({ attributes }) => [attributes.type, attributes.value, attributes.required])).toEqual([
      ['password', undefined, ''],
      ['password', undefined, ''],
    ])
  })

  test('shows a result only when there is one', () => {
    const result = (extra: object) =>
      open1(extra).elements.find(({ attributes }) => attributes.id === 'result')
    expect(result({})?.attributes.hidden).toBe('')
    expect(result({ result: addresses })?.attributes.hidden).toBeUndefined()
    expect(result({ result: addresses })?.text).toContain('http://nas/p/raw/a')
  })

  test('offers lifetimes under both forms, and keeps the options shut until one is chosen', () => {
    const details = (extra: object) =>
      open1(extra)
        .elements.filter(({ name }) => name === 'details')
        .map(({ attributes }) => attributes.open)
    const chosen = (extra: object) =>
      open1(extra)
        .elements.filter(({ name, attributes }) => name === 'option' && 'selected' in attributes)
        .map(({ attributes }) => attributes.value)
    expect([details({}), chosen({})]).toEqual([
      [undefined, undefined],
      ['', ''],
    ])
    const failed = (form: string) => ({
      failure: { form, message: 'no', typed: { ...harmless, expiresIn: '1h' } },
    })
    // A lifetime that was chosen for a link must never end a paste.
    expect([details(failed('paste')), chosen(failed('paste'))]).toEqual([
      ['', undefined],
      ['1h', ''],
    ])
    expect([details(failed('link')), chosen(failed('link'))]).toEqual([
      [undefined, ''],
      ['', '1h'],
    ])
  })

  test('shows a name again in the form that was refused, and in no other', () => {
    const names = (extra: object) =>
      open1(extra)
        .elements.filter(({ attributes }) => attributes.name === 'alias')
        .map(({ attributes }) => attributes.value)
    const typed = { ...harmless, alias: '"><b>' }
    expect(names({})).toEqual(['', ''])
    expect(names({ failure: { form: 'paste', message: 'no', typed } })).toEqual(['"><b>', ''])
    expect(names({ failure: { form: 'link', message: 'no', typed } })).toEqual(['', '"><b>'])
  })

  test('hides an error until there is one', () => {
    const errors = (extra: object) =>
      open1(extra)
        .elements.filter(({ attributes }) => attributes.class === 'error')
        .map(({ attributes }) => attributes.hidden)
    expect(errors({})).toEqual(['', ''])
    expect(errors({ failure: { form: 'link', message: 'no', typed: {} } })).toEqual(['', undefined])
  })
})

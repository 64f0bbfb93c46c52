import { describe, expect, test } from 'bun:test'
import { controls } from '../../src/routes/site/form-fields.ts'
import { HomePage, type HomePageProps } from '../../views/home-page.tsx'
import { comparedWithHarmless, dates, hostile, open, site } from '../support/views.ts'

const common = {
  site,
  controls,
  languages: [{ id: 'python', name: 'Python', spellings: 'py' }],
  lifetimes: [
    { value: '', label: 'Never' },
    { value: '1h', label: 'after 1 hour' },
  ],
  maxBytes: 1024,
}
const view = (extra: Partial<HomePageProps> = {}) => HomePage({ ...common, ...extra })
const elementsOf = (extra?: Partial<HomePageProps>) => open(view(extra)).elements

const failures = [
  ['paste', 'title'],
  ['link', 'url'],
] as const

describe.each(hostile)('%j', (text) => {
  test.each(failures)('is only text on the start page with a refused %s', (form, field) => {
    const page = (word: string) =>
      view({
        languages: [{ id: 'python', name: word, spellings: word }],
        lifetimes: [{ value: '1h', label: word }],
        typed: {
          ...{ text: word, title: word, description: word, url: word, maxReads: word, maxVisits: word },
          ...{ alias: word, linkAlias: word },
        },
        failure: { form, problem: { field, message: word } },
      })
    const { own, expected } = comparedWithHarmless(page, text)
    expect(own).toEqual(expected)
  })

  test('is only text in the result', () => {
    const page = (word: string) =>
      view({
        result: {
          ...{ site, kind: 'paste', name: word, url: word, deletionUrl: word, qr: 'qr/p/a' },
          ...{ expiresAt: dates.createdAt, expiresAtText: word, uses: word },
        },
      })
    const { own, expected } = comparedWithHarmless(page, text)
    expect(own).toEqual(expected)
  })
})

describe('the start page', () => {
  const named = (name: string, extra?: Partial<HomePageProps>) =>
    elementsOf(extra).filter(({ attributes }) => attributes.name === name)

  test('asks for the key once, first of all fields, and never writes one', () => {
    const fields = elementsOf({
      failure: { form: 'paste', problem: { field: 'key', message: 'no' } },
    }).filter(({ name, attributes }) => ['input', 'textarea', 'select'].includes(name) && attributes.name)
    expect(fields[0]?.attributes).toMatchObject({ name: 'key', type: 'password' })
    expect(fields.filter(({ attributes }) => attributes.name === 'key')).toHaveLength(1)
    expect(fields[0]?.attributes.value).toBeUndefined()
  })

  test('has each field name once, for both kinds are in one form', () => {
    const names = elementsOf()
      .map(({ attributes }) => attributes.name)
      .filter(
        (name) => name !== undefined && !['create', 'viewport', 'robots', 'color-scheme'].includes(name),
      )
    expect(names.length).toBeGreaterThan(10)
    expect(new Set(names).size).toBe(names.length)
  })

  test('a lifetime that was chosen for one kind never ends the other', () => {
    const chosen = (typed: HomePageProps['typed']) =>
      elementsOf({ ...(typed && { typed }) })
        .filter(({ name, attributes }) => name === 'option' && 'selected' in attributes)
        .map(({ attributes }) => attributes.value)
    expect(chosen(undefined)).toEqual(['', ''])
    expect(chosen({ expiresIn: '1h' })).toEqual(['1h', ''])
    expect(chosen({ linkExpiresIn: '1h' })).toEqual(['', '1h'])
  })

  test('opens the options where one of them was used', () => {
    const open = (typed: HomePageProps['typed']) =>
      elementsOf({ ...(typed && { typed }) })
        .filter(({ attributes }) => attributes.class === 'options')
        .map(({ attributes }) => 'open' in attributes)
    expect(open(undefined)).toEqual([false, false])
    expect(open({ alias: 'a' })).toEqual([true, false])
    expect(open({ maxVisits: '2' })).toEqual([false, true])
  })

  test('says what is wrong with a field once, beside the field', () => {
    const problem = { field: 'url', message: 'wrong' }
    const elements = elementsOf({ failure: { form: 'link', problem } })
    const shown = elements.filter(({ name, text }) => name === 'p' && text === 'wrong')
    expect(shown.map(({ attributes }) => attributes.id ?? attributes.role)).toEqual(['error-url'])
    const [input] = named('url', { failure: { form: 'link', problem } })
    expect(input?.attributes).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'error-url',
      autofocus: '',
    })
  })
})

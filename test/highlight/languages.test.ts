import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bundledLanguagesInfo } from 'shiki/langs'
import { endings } from '../../src/highlight/languages/file-names.ts'
import { everydayNames } from '../../src/highlight/languages/language-table.ts'
import {
  findLanguage,
  languageChoices,
  languageName,
  languages,
} from '../../src/highlight/languages/languages.ts'

const inAnyCase = (text: string) => [text, text.toUpperCase(), (text[0] ?? '').toUpperCase() + text.slice(1)]
const idOf = (raw: string) => {
  const found = findLanguage(raw)
  return 'id' in found ? found.id : `nearest: ${found.nearest}`
}

describe('a language', () => {
  test('is found by every id of shiki, in any case', () => {
    expect(bundledLanguagesInfo.length).toBeGreaterThan(200)
    for (const { id } of bundledLanguagesInfo)
      for (const raw of inAnyCase(id)) expect(idOf(raw), raw).toBe(id)
  })

  test('is found by every alias of shiki, in any case', () => {
    const aliases = bundledLanguagesInfo.flatMap(({ id, aliases = [] }) =>
      aliases.map((alias) => [alias, id]),
    )
    expect(aliases.length).toBeGreaterThan(80)
    for (const [alias = '', id = ''] of aliases)
      for (const raw of inAnyCase(alias)) expect(idOf(raw), raw).toBe(id)
  })

  test('is found by the name people know it by', () => {
    for (const { id, name } of bundledLanguagesInfo)
      for (const raw of inAnyCase(name)) expect(idOf(raw), raw).toBe(id)
  })

  test.each([
    ['ansi', 'ansi'],
    ['ANSI', 'ansi'],
    ['golang', 'go'],
    ['nodejs', 'javascript'],
    ['postgresql', 'sql'],
    ['hpp', 'cpp'],
    ['.rs', 'rust'],
    ['.HPP', 'cpp'],
    ['v', 'v'],
  ])('%s is %s', (raw, id) => {
    expect(idOf(raw)).toBe(id)
  })

  test.each(['text', 'txt', 'plain', 'plaintext', 'Plain text', 'TEXT'])('%s is plain text', (raw) => {
    expect(findLanguage(raw)).toEqual({ id: 'text', name: 'Plain text' })
  })

  test('is found whatever white space stands around it', () => {
    for (const space of [' ', '\t', '\n', '\r\n', '\u00a0', ' \t '])
      expect(idOf(`${space}python${space}`)).toBe('python')
    expect(idOf('py thon')).not.toBe('python')
  })

  test.each([
    ['pythn', 'python'],
    ['javascrpt', 'javascript'],
    ['typescriptt', 'typescript'],
    ['C+++', 'c++'],
    ['golan', 'golang'],
    ['xr', 'r'],
    ['.', 'c'],
  ])('%s is unknown, and %s is the nearest', (raw, nearest) => {
    expect(findLanguage(raw)).toEqual({ nearest })
  })

  test('is never found for a property that every object has', () => {
    for (const raw of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
      expect(findLanguage(raw)).toHaveProperty('nearest')
  })

  test('is known or has a nearest one that is known, whatever was asked for', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 100 }), (raw) => {
        const found = findLanguage(raw)
        if ('nearest' in found) expect(findLanguage(found.nearest)).toHaveProperty('id')
        expect(JSON.stringify(found).length).toBeLessThan(120)
      }),
    )
  })

  test('of a megabyte costs no more than a short one: only its beginning is compared', () => {
    const beginning = 'x'.repeat(32)
    expect(findLanguage(beginning + 'y'.repeat(2 ** 20))).toEqual(findLanguage(beginning))
  })
})

describe('every word of a choice', () => {
  test('finds its language and no other', () => {
    expect(languageChoices.map(({ id, name }) => ({ id, name }))).toEqual([...languages])
    for (const { id, spellings } of languageChoices)
      for (const word of spellings.split(' ').filter(Boolean)) expect(idOf(word), word).toBe(id)
  })

  test('is every alias, everyday name and ending', () => {
    const words = languageChoices.flatMap(({ id, name, spellings }) => [
      id,
      name.toLowerCase(),
      ...spellings.split(' '),
    ])
    const aliases = bundledLanguagesInfo.flatMap(({ aliases = [] }) => aliases)
    const known = [...Object.values(endings), ...Object.values(everydayNames)].join(' ').toLowerCase()
    expect([...aliases, ...known.split(' ')].filter((word) => !words.includes(word))).toEqual([])
    expect(Object.keys(everydayNames).filter((id) => !languages.some((one) => one.id === id))).toEqual([])
  })
})

describe('the list of languages', () => {
  test('names each once, sorted by name, each found by its own id', () => {
    expect(new Set(languages.map(({ id }) => id)).size).toBe(languages.length)
    expect(languages).toHaveLength(bundledLanguagesInfo.length + 2)
    const names = languages.map(({ name }) => name)
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b, 'en')))
    for (const language of languages) expect(findLanguage(language.id)).toEqual(language)
  })

  test('gives a stored language its name, and one that left shiki its id', () => {
    expect(languageName('cpp')).toBe('C++')
    expect(languageName('brainfog')).toBe('brainfog')
  })
})

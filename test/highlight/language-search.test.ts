import { describe, expect, test } from 'bun:test'
import {
  commonLanguages,
  exactChoice,
  nearestChoice,
  searchLanguages,
} from '../../src/highlight/languages/language-search.ts'
import { languageChoices as choices, languages } from '../../src/highlight/languages/languages.ts'

const found = (typed: string) => searchLanguages(choices, typed).map(({ id }) => id)

describe('a search for a language', () => {
  test.each([
    ['js', 'javascript'],
    ['yml', 'yaml'],
    ['golang', 'go'],
    ['bash', 'shellscript'],
    ['c++', 'cpp'],
    ['.rs', 'rust'],
    ['py', 'python'],
    ['ts', 'typescript'],
    ['hpp', 'cpp'],
    ['C', 'c'],
    ['r', 'r'],
    [' Python ', 'python'],
  ])('finds by %j first %s', (typed, id) => {
    expect(found(typed)[0]).toBe(id)
    expect(exactChoice(choices, typed)?.id).toBe(id)
  })

  test('puts the very word first, then beginnings of ids and names, then of aliases, then the rest', () => {
    const list = [
      { id: 'xjs', name: 'Xjs', spellings: '' },
      { id: 'a', name: 'A', spellings: 'jsx' },
      { id: 'jsz', name: 'Z', spellings: '' },
      { id: 'c', name: 'C', spellings: 'js' },
      { id: 'd', name: 'D', spellings: 'sj' },
    ]
    expect(searchLanguages(list, 'js').map(({ id }) => id)).toEqual(['c', 'jsz', 'a', 'xjs'])
  })

  test('puts common languages before others that match as well', () => {
    expect(found('ru').slice(0, 2)).toEqual(['rust', 'ruby'])
    expect(found('s').length).toBeGreaterThan(20)
  })

  test('without a word finds all, in a stable order', () => {
    expect(found('')).toHaveLength(choices.length)
  })

  test('of a word that stands nowhere finds nothing, and is no exact choice', () => {
    for (const typed of ['klingon', 'constructor', 'pythn']) {
      expect(found(typed)).toEqual([])
      expect(exactChoice(choices, typed)).toBeUndefined()
    }
  })

  test.each([
    ['pythn', 'python'],
    ['javscript', 'javascript'],
    ['golan', 'go'],
    ['kubernets', 'yaml'],
    ['typescritp', 'typescript'],
  ])('for %s would suggest %s', (typed, id) => {
    expect(nearestChoice(choices, typed)?.id).toBe(id)
  })
})

test('every common language is one, and stands there once', () => {
  const ids = languages.map(({ id }) => id)
  expect(commonLanguages.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(commonLanguages).size).toBe(commonLanguages.length)
})

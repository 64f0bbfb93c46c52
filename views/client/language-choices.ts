import { type Choice, commonLanguages } from '../../src/highlight/languages/language-search.ts'
import type { Section } from './picker-list.ts'
import { read, write } from './storage.ts'

const mostRecent = 4

/** The options of a `<select>`. */
export const choicesOf = (select: HTMLSelectElement): Choice[] =>
  [...select.options]
    .filter(({ value }) => value !== '')
    .map(({ value, text, dataset }) => ({ id: value, name: text, spellings: dataset.words ?? '' }))

/** All languages, from a file that all pages share. @throws if it cannot be loaded */
export const loadChoices = async (address: string): Promise<Choice[]> => {
  const response = await fetch(address)
  const rows: [string, string, string][] = await response.json()
  return rows.map(([id, name, spellings]) => ({ id, name, spellings }))
}

const recentIds = () => read('languages')?.split(' ') ?? []

export const rememberLanguage = (id: string) =>
  write('languages', [...new Set([id, ...recentIds()])].slice(0, mostRecent).join(' '))

/** All languages, in sections with the likely ones first. */
export const everything = (choices: readonly Choice[]): Section[] => {
  const known = (ids: readonly string[]) => ids.flatMap((id) => choices.filter((choice) => choice.id === id))
  const recent = recentIds()
  return [
    { title: 'Recent', choices: known(recent) },
    { title: 'Common', choices: known(commonLanguages.filter((id) => !recent.includes(id))) },
    { title: 'All languages', choices },
  ]
}

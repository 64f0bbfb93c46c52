import { closest } from 'fastest-levenshtein'
import { asSpelling, type Choice, commonLanguages } from './language-search.ts'
import { languageTable } from './language-table.ts' with { type: 'macro' }

export type Language = { id: string; name: string }

const { choices, idBySpelling, suggestions } = languageTable()

/** Every language, in the order of its names, with every word that finds it. */
export const languageChoices: readonly Choice[] = choices

/** The same without these words. */
export const languages: readonly Language[] = choices.map(({ id, name }) => ({ id, name }))

const byId = new Map(languages.map((language) => [language.id, language]))
const bySpelling = new Map(idBySpelling.map(([word, id]) => [word, byId.get(id) as Language]))

/** The common ones and one more, without the words that find them: for a page that should be small. */
export const shortChoices = (id: string): readonly Choice[] =>
  languages
    .filter((language) => language.id === id || commonLanguages.includes(language.id))
    .map((language) => ({ ...language, spellings: '' }))

/** A language by id, alias, everyday name or ending, in any case; else the word nearest to what was asked for. */
export const findLanguage = (raw: string): Language | { nearest: string } => {
  const spelling = asSpelling(raw)
  // No word is longer than 30 characters; the distance to a megabyte would take seconds.
  return bySpelling.get(spelling) ?? { nearest: closest(spelling.slice(0, 32), suggestions) }
}

/** The name people know a stored language by. */
export const languageName = (id: string) => bySpelling.get(id)?.name ?? id

import { closest } from 'fastest-levenshtein'
import { asSpelling, type Choice, commonLanguages } from './language-search.ts'
import { languageTable } from './language-table.ts' with { type: 'macro' }

/** What a page may show instead of the text as it is. */
export const views = ['preview', 'table', 'formatted'] as const
export type View = (typeof views)[number]

export type Language = { id: string; name: string }

const { choices, idBySpelling, suggestions } = languageTable()

/** Every language, sorted by name, with all words that find it. */
export const languageChoices: readonly Choice[] = choices

/** Every language, without these words. */
export const languages: readonly Language[] = choices.map(({ id, name }) => ({ id, name }))

const byId = new Map(languages.map((language) => [language.id, language]))
const bySpelling = new Map(idBySpelling.map(([word, id]) => [word, byId.get(id) as Language]))

/** The common languages and this one, without the words that find them, to keep pages small. */
export const shortChoices = (id: string): readonly Choice[] =>
  languages
    .filter((language) => language.id === id || commonLanguages.includes(language.id))
    .map((language) => ({ ...language, spellings: '' }))

/** Finds a language by id, alias, everyday name or ending, in any case; else the nearest word. */
export const findLanguage = (raw: string): Language | { nearest: string } => {
  const spelling = asSpelling(raw)
  // No word is longer than 30 characters, and comparing a megabyte would take seconds.
  return bySpelling.get(spelling) ?? { nearest: closest(spelling.slice(0, 32), suggestions) }
}

/** The display name of a stored language. */
export const languageName = (id: string) => bySpelling.get(id)?.name ?? id

const languagesOf: Readonly<Record<View | 'level', readonly string[]>> = {
  preview: ['markdown', 'mdc', 'mdx'],
  table: ['csv', 'tsv'],
  // The library that reads JSON reads no JSON5.
  formatted: ['json', 'jsonl', 'jsonc'],
  level: ['log', 'ansi', 'jsonl'],
}

/** The view of texts in a language, if they have one. */
export const viewOfLanguage = (language: string): View | undefined =>
  views.find((view) => languagesOf[view].includes(language))

/** What opens as its view. Each request for a page asks, so this is one look-up. */
const firstViews = new Map(
  (['preview', 'table'] as const).flatMap((view) =>
    languagesOf[view].map((language) => [language, { view }] as const),
  ),
)

/** What the page of a text shows first: Markdown as it is meant to look, CSV as a table, everything else as it is. */
export const firstShow = (language: string): { view: View } | undefined => firstViews.get(language)

/** True for texts whose lines have levels. */
export const hasLevels = (language: string) => languagesOf.level.includes(language)

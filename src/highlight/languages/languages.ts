import { closest } from 'fastest-levenshtein'
import { bundledLanguagesInfo } from 'shiki/langs'
import { endings } from './file-names.ts'
import { asSpelling, type Choice, commonLanguages } from './language-search.ts'
import { everydayNames } from './spellings.ts'

export type Language = { id: string; name: string }

/** Languages that are shown without a grammar. */
const plainLanguages = [
  { id: 'text', name: 'Plain text', aliases: ['txt', 'plain', 'plaintext'] },
  { id: 'ansi', name: 'ANSI', aliases: [] },
]

const wordsIn = (table: Readonly<Record<string, string>>, id: string) =>
  table[id]?.toLowerCase().split(' ') ?? []

/** Each with its words by rank: what shiki calls it, its name, what people call it, the endings of its files. */
const all = [...plainLanguages, ...bundledLanguagesInfo].map(({ id, name, aliases = [] }) => ({
  language: { id, name },
  ranks: [[id, ...aliases], [name.toLowerCase()], wordsIn(everydayNames, id), wordsIn(endings, id)] as const,
}))

/** A word of a lower rank hides no word of a higher one: `v` is V, although Verilog has such files. */
const bySpelling = new Map<string, Language>()
for (const rank of [0, 1, 2, 3] as const)
  for (const { language, ranks } of all)
    for (const word of ranks[rank]) if (!bySpelling.has(word)) bySpelling.set(word, language)

/** What a typo can be near to: an ending of one or two letters is near to everything. */
const suggestions = all.flatMap(({ ranks }) => ranks.slice(0, 3).flat())

/** Every language, in the order of its names. */
export const languages: readonly Language[] = all
  .map(({ language }) => language)
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

/** The same with every word that finds it. */
export const languageChoices: readonly Choice[] = languages.map(({ id, name }) => ({
  id,
  name,
  spellings: [...bySpelling]
    .filter(([word, found]) => found.id === id && word !== id && word !== name.toLowerCase())
    .map(([word]) => word)
    .join(' '),
}))

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

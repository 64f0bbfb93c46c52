import { bundledLanguagesInfo } from 'shiki/langs'
import { endings } from './file-names.ts'
import type { Choice } from './language-search.ts'
import { everydayNames } from './spellings.ts'

/** Languages that are shown without a grammar. */
const plainLanguages = [
  { id: 'text', name: 'Plain text', aliases: ['txt', 'plain', 'plaintext'] },
  { id: 'ansi', name: 'ANSI', aliases: [] },
]

const wordsIn = (table: Readonly<Record<string, string>>, id: string) =>
  table[id]?.toLowerCase().split(' ') ?? []

/** Each with its words by rank: what shiki calls it, its name, what people call it, the endings of its files. */
const all = [...plainLanguages, ...bundledLanguagesInfo].map(({ id, name, aliases = [] }) => ({
  id,
  name,
  ranks: [[id, ...aliases], [name.toLowerCase()], wordsIn(everydayNames, id), wordsIn(endings, id)] as const,
}))

/** A word of a lower rank hides no word of a higher one: `v` is V, although Verilog has such files. */
const idBySpelling = new Map<string, string>()
for (const rank of [0, 1, 2, 3] as const)
  for (const { id, ranks } of all)
    for (const word of ranks[rank]) if (!idBySpelling.has(word)) idBySpelling.set(word, id)

const wordsById = Map.groupBy(idBySpelling.keys(), (word) => idBySpelling.get(word))

const choices = all
  .map(({ id, name }): Choice => {
    const others = wordsById.get(id)?.filter((word) => word !== id && word !== name.toLowerCase())
    return { id, name, spellings: others?.join(' ') ?? '' }
  })
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

/**
 * Every language and every word for one, as a macro: it runs when the program is transpiled or compiled. At each start it took
 * the collation of English and a closure for each grammar, which only the highlighting child loads.
 */
export const languageTable = () => ({
  choices,
  idBySpelling: [...idBySpelling],
  /** What a typo can be near to: an ending of one or two letters is near to everything. */
  suggestions: all.flatMap(({ ranks }) => ranks.slice(0, 3).flat()),
})

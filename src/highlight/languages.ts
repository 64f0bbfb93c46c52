import { closest } from 'fastest-levenshtein'
import { bundledLanguagesInfo } from 'shiki/langs'

export type Language = { id: string; name: string }

/** Languages that are shown without a grammar. */
const plainLanguages = [
  { id: 'text', name: 'Plain text', aliases: ['txt', 'plain', 'plaintext'] },
  { id: 'ansi', name: 'ANSI', aliases: [] },
]

const all = [...plainLanguages, ...bundledLanguagesInfo].map(({ id, name, aliases = [] }) => ({
  id,
  name,
  spellings: [id, ...aliases, name.toLowerCase()],
}))

/** Ids and aliases win over names, so that no everyday name hides a language's own id. */
const bySpelling = new Map<string, Language>()
for (const rank of [0, 1])
  for (const { id, name, spellings } of all)
    for (const spelling of rank === 0 ? spellings.slice(0, -1) : spellings)
      if (!bySpelling.has(spelling)) bySpelling.set(spelling, { id, name })

const spellings = [...bySpelling.keys()]

/** Every language, in the order of its names. */
export const languages: readonly Language[] = all
  .map(({ id, name }) => ({ id, name }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'))

/** A language by id, alias or everyday name, in any case; else the spelling nearest to what was asked for. */
export const findLanguage = (raw: string): Language | { nearest: string } => {
  // No spelling is longer than 30 characters; the distance to a megabyte would take seconds.
  const spelling = raw.trim().toLowerCase()
  return bySpelling.get(spelling) ?? { nearest: closest(spelling.slice(0, 64), spellings) }
}

/** The name people know a stored language by. */
export const languageName = (id: string) => bySpelling.get(id)?.name ?? id

/** What a page may show instead of the text as it is. */
export const views = ['preview', 'table', 'formatted'] as const
export type View = (typeof views)[number]

/** Levels of a line of a log, the least important first. */
export const levels = ['trace', 'debug', 'info', 'notice', 'warn', 'error', 'fatal'] as const
export type Level = (typeof levels)[number]

/** Longest word that a page or a raw text is searched for, in UTF-16 units. */
export const maxGrepChars = 200

/** A view, or the lines of this level and above that hold a word (a literal, case ignored). */
export type Show = { view: View } | { level?: Level; grep?: string }

const languagesOf: Readonly<Record<View | 'level', readonly string[]>> = {
  preview: ['markdown', 'mdc', 'mdx'],
  table: ['csv', 'tsv'],
  formatted: ['json', 'jsonl', 'jsonc', 'json5'],
  level: ['log', 'ansi'],
}

/** The view of texts in a language, if they have one. */
export const viewOfLanguage = (language: string): View | undefined =>
  views.find((view) => languagesOf[view].includes(language))

/** True for texts whose lines have levels. */
export const hasLevels = (language: string) => languagesOf.level.includes(language)

/** The query that asks for a page: with its `?`, or empty. */
export const queryOf = (asked: { lang?: string | undefined; view?: View; level?: Level; grep?: string }) => {
  const given = Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return given.length ? `?${new URLSearchParams(given)}` : ''
}

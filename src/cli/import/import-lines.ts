import { findLanguage } from '../../highlight/languages/languages.ts'
import { isShownIn, sentRows } from '../../items/field.ts'
import { linkTable } from '../../items/link.ts'
import { pasteTable } from '../../items/paste.ts'

const tables = { paste: pasteTable, link: linkTable } as const

/** Names of the content fields of a kind. @param isListed true for only those in lists */
export const contentOf = (type: keyof typeof tables, isListed = false) =>
  sentRows(tables[type]).flatMap(([name, field]) =>
    field.isContent && (!isListed || isShownIn(field, 'list')) ? [name] : [],
  )

/** The item of one line or entry. `place` names the line in words; times are ISO 8601. */
export type Wanted = {
  place: string
  type: keyof typeof tables
  /** The content fields, sent unchanged. */
  fields: Readonly<Record<string, string>>
  createdAt: string | undefined
  expiresAt?: string | undefined
  alias?: string | undefined
}
export type Unusable = { place: string; reason: string }

/** The items of a file, in its order. */
export type Contents = { wanted: Wanted[]; unusable: Unusable[] }

/** The stored id of a language. An unknown name stays, so the server refuses it. */
const languageId = (name: string) => {
  const language = findLanguage(name)
  return 'id' in language ? language.id : name
}

/** The required field of each kind, and defaults for the others, which a form may leave out too. */
const kinds = {
  paste: { least: 'text', standard: { title: '', description: '', language: 'text' } },
  link: { least: 'url', standard: {} },
} as const

const isText = (value: unknown): value is string => typeof value === 'string'
const textOf = (value: unknown) => (isText(value) ? value : undefined)

const listed = (names: readonly string[]) =>
  names
    .map((name) => `"${name}"`)
    .join(', ')
    .replace(/, ([^,]*)$/, ' or $1')

/** One object of our own export, or why it is unusable. */
const wantedOf = (place: string, value: unknown): Wanted | Unusable => {
  if (typeof value !== 'object' || value === null) return { place, reason: 'is no JSON object' }
  const item = value as Readonly<Record<string, unknown>>
  const { type } = item
  if (type !== 'paste' && type !== 'link') return { place, reason: '"type" is neither "paste" nor "link"' }
  const { least, standard } = kinds[type]
  if (!isText(item[least]) || (type === 'paste' && item.text === ''))
    return { place, reason: `is a ${type} without "${least}"` }
  const content = contentOf(type)
  const given = content.filter((name) => item[name] !== undefined).map((name) => [name, item[name]] as const)
  if (!given.every(([, one]) => isText(one)))
    return { place, reason: `${listed(content.filter((name) => name !== least))} is not text` }
  const fields: Record<string, string> = { ...standard, ...Object.fromEntries(given) }
  if (fields.language !== undefined) fields.language = languageId(fields.language)
  const [createdAt, expiresAt] = [textOf(item.createdAt), textOf(item.expiresAt)]
  return { place, type, fields, createdAt, expiresAt, alias: textOf(item.alias)?.toLowerCase() }
}

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Reads JSON lines, the format of `shortcrust export`. */
export const readJsonLines = (text: string): Contents => {
  const contents: Contents = { wanted: [], unusable: [] }
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const place = `line ${at + 1}`
    const value = parse(line)
    const one = value === undefined ? { place, reason: 'is not JSON' } : wantedOf(place, value)
    if ('reason' in one) contents.unusable.push(one)
    else contents.wanted.push(one)
  }
  return contents
}

import { findLanguage } from '../../highlight/languages/languages.ts'
import { sentRows } from '../../items/field.ts'
import { linkTable } from '../../items/link.ts'
import { pasteTable } from '../../items/paste.ts'

const tables = { paste: pasteTable, link: linkTable } as const

/** The fields of a kind that somebody wrote. @param isListed only those that a list shows */
export const contentOf = (type: keyof typeof tables, isListed = false) =>
  sentRows(tables[type]).flatMap(([name, { isContent, shown }]) =>
    isContent && (!isListed || shown.includes('list')) ? [name] : [],
  )

/** What one line of a file to import would make. `place` says where it stands, in words; times are ISO 8601. */
export type Wanted = {
  place: string
  type: keyof typeof tables
  /** What somebody wrote: the fields that are sent as they are. */
  fields: Readonly<Record<string, string>>
  createdAt: string | undefined
  expiresAt?: string | undefined
  alias?: string | undefined
}
export type Unusable = { place: string; reason: string }

/** What a file holds, in its order. */
export type Contents = { wanted: Wanted[]; unusable: Unusable[] }

/** The id under which the server keeps a language; a name that it does not know is left for it to refuse. */
const languageId = (name: string) => {
  const language = findLanguage(name)
  return 'id' in language ? language.id : name
}

/** Without these there is nothing to create; the other texts may be missing, as a form leaves them out. */
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

/** One object of our own export, or why it is none. */
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
    return { place, reason: `${listed(content.filter((name) => name !== least))} is no text` }
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

/** Reads JSON lines, as `shortcrust export` writes them. */
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

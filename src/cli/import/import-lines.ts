import { findLanguage } from '../../highlight/languages/languages.ts'

/** What one line of a file to import would make. `place` says where it stands, in words; times are ISO 8601. */
export type Wanted = {
  place: string
  createdAt: string | undefined
  expiresAt?: string | undefined
  alias?: string | undefined
} & ({ type: 'paste'; fields: PasteFields } | { type: 'link'; url: string })
export type PasteFields = { text: string; title: string; description: string; language: string }
export type Unusable = { place: string; reason: string }

/** What a file holds, in its order. */
export type Contents = { wanted: Wanted[]; unusable: Unusable[] }

const isText = (value: unknown): value is string => typeof value === 'string'

/** The id under which the server keeps a language; a name that it does not know is left for it to refuse. */
const languageId = (name: string) => {
  const language = findLanguage(name)
  return 'id' in language ? language.id : name
}

/** One object of our own export, or why it is none. */
const wantedOf = (place: string, value: unknown): Wanted | Unusable => {
  if (typeof value !== 'object' || value === null) return { place, reason: 'is no JSON object' }
  const { type, createdAt, expiresAt, alias, ...item } = value as Record<string, unknown>
  const textOf = (one: unknown) => (isText(one) ? one : undefined)
  const common = {
    place,
    createdAt: textOf(createdAt),
    expiresAt: textOf(expiresAt),
    alias: textOf(alias)?.toLowerCase(),
  }
  if (type === 'link')
    return isText(item.url)
      ? { ...common, type, url: item.url }
      : { place, reason: 'is a link without "url"' }
  if (type !== 'paste') return { place, reason: '"type" is neither "paste" nor "link"' }
  const { text, title = '', description = '', language = 'text' } = item
  if (!isText(text) || text === '') return { place, reason: 'is a paste without "text"' }
  if (!isText(title) || !isText(description) || !isText(language))
    return { place, reason: '"title", "description" or "language" is no text' }
  return { ...common, type, fields: { text, title, description, language: languageId(language) } }
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

import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type CsvError, parse as parseCsv } from 'csv-parse/sync'
import { findLanguage } from '../highlight/languages/languages.ts'
import { isShownIn, sentRows } from '../items/field.ts'
import { linkTable } from '../items/link.ts'
import { pasteTable } from '../items/paste.ts'
import { normaliseAlias, reservedAliases } from '../services/options.ts'
import { readTextFile, readWholeFile } from './client/files.ts'
import { Failure } from './client/send.ts'

/** The item of one line, entry or file, which `place` names in words; times are ISO 8601. */
export type ImportItem = {
  place: string
  type: 'paste' | 'link'
  /** The content fields, sent unchanged. */
  fields: Readonly<Record<string, string>>
  /** Reads the text of a file when it is needed: a folder may hold more than memory does. */
  read?: () => Promise<string>
  /** For an item that is erased after one use. */
  limit?: { maxReads: 1 } | { maxVisits: 1 } | undefined
  createdAt?: string | undefined
  expiresAt?: string | undefined
  alias?: string | undefined
  /** What is not kept, although the item is. */
  note?: string | undefined
}
export type Unusable = { place: string; reason: string }
type Read = ImportItem | Unusable

/** The required field of each kind, and defaults for the others, which a form may leave out too. */
const importKinds = {
  paste: { table: pasteTable, least: 'text', standard: { title: '', description: '', language: 'text' } },
  link: { table: linkTable, least: 'url', standard: {} },
} as const

/** Names of the content fields of a kind. @param isListed true for only those in lists */
export const contentNames = (type: ImportItem['type'], isListed = false) =>
  sentRows(importKinds[type].table).flatMap(([name, field]) =>
    field.isContent && (!isListed || isShownIn(field, 'list')) ? [name] : [],
  )

const isText = (value: unknown): value is string => typeof value === 'string'
const optionalText = (value: unknown) => (isText(value) ? value : undefined)

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The stored id of a language. An unknown name stays, so the server refuses it. */
const languageId = (name: string) => {
  const language = findLanguage(name)
  return 'id' in language ? language.id : name
}

/** A value of our own export, or why it is unusable. */
const ownItem = (place: string, value: unknown): Read => {
  if (value === undefined) return { place, reason: 'is not JSON' }
  if (typeof value !== 'object' || value === null) return { place, reason: 'is not a JSON object' }
  const item = value as Readonly<Record<string, unknown>>
  const { type } = item
  if (type !== 'paste' && type !== 'link') return { place, reason: '"type" is neither "paste" nor "link"' }
  const { least, standard } = importKinds[type]
  if (!isText(item[least]) || (type === 'paste' && item.text === ''))
    return { place, reason: `is a ${type} without "${least}"` }
  const names = contentNames(type)
  const given = names.filter((name) => item[name] !== undefined)
  if (!given.every((name) => isText(item[name]))) {
    const others = names.filter((name) => name !== least).map((name) => `"${name}"`)
    return { place, reason: `${others.join(', ').replace(/, ([^,]*)$/, ' or $1')} is not text` }
  }
  const fields: Record<string, string> = { ...standard }
  for (const name of given) fields[name] = String(item[name])
  if (fields.language !== undefined) fields.language = languageId(fields.language)
  const [createdAt, expiresAt] = [optionalText(item.createdAt), optionalText(item.expiresAt)]
  return { place, type, fields, createdAt, expiresAt, alias: optionalText(item.alias)?.toLowerCase() }
}

const foreignLink = (place: string, url: string, column: string, createdAt?: string): Read =>
  url === '' ? { place, reason: `has no "${column}"` } : { place, type: 'link', fields: { url }, createdAt }

/** Exports of links of other products, recognised by the columns in their first line; there may be more columns. */
const products: readonly { columns: readonly string[]; target: string; createdAt?: string }[] = [
  // `fileio/csv.php` of the plugin Import-Export by Gautam Gupta, the only export of YOURLS: source,target,hits.
  { columns: ['source', 'target', 'hits'], target: 'target' },
  // `ExportShortUrlsBtn` of shlink-web-component; older exports lack domain and shortCode.
  { columns: ['createdAt', 'shortUrl', 'longUrl'], target: 'longUrl', createdAt: 'createdAt' },
  // chhoto-url has no export: the table `urls` of its SQLite file, as printed by `sqlite3 -header -csv`.
  { columns: ['long_url', 'short_url', 'hits'], target: 'long_url' },
]

type CsvRow = { record: string[]; info: { lines: number } }

/** Reads a CSV export. Invalid lines are reported, the others read. */
const csvItems = (text: string): Read[] => {
  const broken: Unusable[] = []
  const rows = parseCsv(text, {
    ...{ bom: true, info: true, relax_column_count: true, skip_empty_lines: true },
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      broken.push({ place: `line ${error?.lines ?? '?'}`, reason: error?.message ?? 'is not CSV' })
    },
  }) as unknown as CsvRow[]
  const header = rows.shift()?.record.map((name) => name.trim()) ?? []
  const product = products.find(({ columns }) => columns.every((column) => header.includes(column)))
  if (!product)
    throw new Failure(
      'the file is neither an export of shortcrust nor one of YOURLS, Shlink or chhoto-url, nor a gist: its first line is not known',
      1,
    )
  const cell = ({ record }: CsvRow, name = '') => record[header.indexOf(name)]?.trim() ?? ''
  const { target, createdAt } = product
  const items = rows.map((row) =>
    foreignLink(`line ${row.info.lines}`, cell(row, target), target, cell(row, createdAt) || undefined),
  )
  return [...broken, ...items]
}

type GistFile = { filename: string; content?: unknown; truncated?: unknown; encoding?: unknown }
type Gist = Readonly<Record<string, unknown>> & {
  files: readonly GistFile[] | Readonly<Record<string, GistFile>>
}

/** A gist as GitHub and the API of Opengist answer it, or as Opengist does at `<gist>.json`, where `files` is a list. */
const isGist = (value: unknown): value is Gist => {
  const files = (value as Partial<Gist> | null)?.files
  return typeof files === 'object' && Object.values(files).every((file) => isText(file?.filename))
}

/** Bytes of a binary file would be no text. */
const gistText = ({ content, truncated, encoding }: GistFile) => {
  if (!isText(content)) return { reason: 'has no "content"' }
  if (truncated === true) return { reason: 'is truncated there: download it, and import its folder' }
  if (encoding === 'base64') return { reason: 'is not text' }
  return content === '' ? { reason: 'is empty' } : { text: content }
}

/** One paste per file. The id of a gist with one file becomes its name. */
const gistItems = (place: string, gist: Gist): Read[] => {
  if (gist.visibility === 'private')
    return [{ place, reason: 'is private there; here anyone with the link could read it' }]
  const files = Object.values(gist.files)
  const description = optionalText(gist.description) ?? ''
  const times = { createdAt: optionalText(gist.created_at), expiresAt: optionalText(gist.expires_at) }
  const nameOf = createNames()
  return files.map((file): Read => {
    const at = files.length === 1 ? place : `${place}, ${file.filename}`
    const { text, reason } = gistText(file)
    if (text === undefined) return { place: at, reason }
    const fields = { text, title: file.filename, description, language: 'auto' }
    const named = files.length === 1 && isText(gist.id) ? nameOf(gist.id) : {}
    return { place: at, type: 'paste', fields, ...times, ...named }
  })
}

/** The answer of `GET /api/all` of chhoto-url: an array of `{ shortlink, longlink, hits, expiry_time }`; or of gists. */
const arrayItems = (text: string) => {
  const entries = parseJson(text) as ({ longlink?: unknown } | null)[] | undefined
  if (!entries) throw new Failure('the file begins like a JSON array, but is not one', 1)
  return entries.flatMap((entry, at) =>
    isGist(entry)
      ? gistItems(`entry ${at + 1}`, entry)
      : foreignLink(`entry ${at + 1}`, optionalText(entry?.longlink) ?? '', 'longlink'),
  )
}

const lineItems = (place: string, line: string) => {
  const value = parseJson(line)
  return isGist(value) ? gistItems(place, value) : [ownItem(place, value)]
}

/** The items of a file from any of these products, in its order. @throws {Failure} */
const readImport = (raw: string): Read[] => {
  const text = raw.replace(/^\ufeff/, '')
  const start = text.trimStart()[0]
  if (start === '[') return arrayItems(text)
  if (start !== '{') return csvItems(raw)
  const whole = parseJson(text)
  if (isGist(whole)) return gistItems('the gist', whole)
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : lineItems(`line ${at + 1}`, line)))
}

/** Names for items, from those that they had; each goes to the first that asks. */
const createNames = () => {
  const given = new Set<string>()
  return (raw: string): Pick<ImportItem, 'alias' | 'note'> => {
    const alias = normaliseAlias(raw)
    const isTaken = alias !== undefined && given.has(alias)
    if (alias === undefined || isTaken || reservedAliases.has(alias))
      return {
        note: `does not keep the name "${raw}": ${isTaken ? 'another file has it' : 'no item here can have it'}`,
      }
    given.add(alias)
    return { alias }
  }
}

/** The files of a folder and its folders, by path; without hidden ones, such as `.git`, and without symbolic links. */
const filesIn = async (folder: string, below = ''): Promise<string[]> => {
  const entries = await readdir(join(folder, below), { withFileTypes: true })
  const shown = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1))
  const found = shown.map(async (entry) => {
    const path = join(below, entry.name)
    return entry.isDirectory() ? filesIn(folder, path) : entry.isFile() ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

type Source = (
  path: string,
) => Pick<ImportItem, 'fields' | 'limit' | 'expiresAt' | 'alias' | 'note'> & { isLink?: boolean }

const pasteFields = (title: string) => ({ title, description: '', language: 'auto' })
const stemOf = (name: string) => name.split('.', 1)[0] || name

/** The name without its endings is the name in the address, where it can be. */
const plainFolder = (): Source => {
  const nameOf = createNames()
  // The title has the name as it was.
  return (path) => ({ fields: pasteFields(path), alias: nameOf(stemOf(basename(path))).alias })
}

/** `lib/document_stores/file.js`: each file is named by the MD5 of its key, by which its old addresses find it. */
const hasteFolder = (): Source => (alias) => ({ fields: pasteFields(''), alias })

const limitOf: Readonly<Record<string, ImportItem['limit']>> = {
  oneshot: { maxReads: 1 },
  oneshot_url: { maxVisits: 1 },
}

/** `src/paste.rs`: files expire at the milliseconds in their last ending, and folders say what they are. */
const rustypasteFolder = (): Source => {
  const namesOf = { paste: createNames(), link: createNames() }
  return (path) => {
    const folder = dirname(path)
    const [, name = '', time] = /^(.+?)(?:\.(\d{10,15}))?$/s.exec(basename(path)) ?? []
    const isLink = folder === 'url' || folder === 'oneshot_url'
    return {
      isLink,
      fields: isLink ? {} : pasteFields(name),
      limit: limitOf[folder],
      ...namesOf[isLink ? 'link' : 'paste'](stemOf(name)),
      ...(time !== undefined && { expiresAt: new Date(Number(time)).toISOString() }),
    }
  }
}

/** A server of rustypaste makes all its folders when it starts. */
const sourceOf = async (folder: string, paths: readonly string[]) => {
  const folders = new Set(await readdir(folder))
  if (['oneshot', 'oneshot_url', 'url'].every((name) => folders.has(name))) return rustypasteFolder()
  return paths.every((path) => /^[0-9a-f]{32}$/.test(path)) ? hasteFolder() : plainFolder()
}

/** The files of a folder: plain ones, or the data of haste-server or rustypaste. @throws {Failure} */
const folderItems = async (folder: string): Promise<Read[]> => {
  const paths = await filesIn(folder)
  if (paths.length === 0) throw new Failure('there is no file in this folder', 1)
  const of = await sourceOf(folder, paths)
  const items: Read[] = []
  for (const place of paths) {
    const file = join(folder, place)
    const { isLink = false, ...facts } = of(place)
    const createdAt = (await stat(file)).mtime.toISOString()
    const read = () => readTextFile(file)
    items.push(
      isLink
        ? await linkIn(place, read, { ...facts, createdAt })
        : { ...facts, place, type: 'paste', createdAt, read },
    )
  }
  return items
}

/** A file with an address. */
const linkIn = async (
  place: string,
  read: () => Promise<string>,
  facts: Omit<ImportItem, 'place' | 'type'>,
): Promise<Read> => {
  try {
    return { ...facts, place, type: 'link', fields: { url: (await read()).trim() } }
  } catch (error) {
    return { place, reason: (error as Error).message }
  }
}

/** The items of a file or a folder, in its order. @throws {Failure} */
export const readSource = async (path: string): Promise<Read[]> =>
  (await isFolder(path)) ? folderItems(path) : readImport(await readWholeFile(path))

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

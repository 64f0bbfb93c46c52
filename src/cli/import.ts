import { type CsvError, parse as parseCsv } from 'csv-parse/sync'
import { AppError } from '../errors.ts'
import { findLanguage } from '../highlight/languages/languages.ts'
import { isShownIn, sentRows } from '../items/field.ts'
import { linkTable } from '../items/link.ts'
import { pasteTable } from '../items/paste.ts'
import { parseTarget } from '../services/links.ts'
import { readWholeFile } from './client/files.ts'
import { createItem, itemsOfKey, type OwnItem, stillThere } from './client/items.ts'
import { type Target, targetOf } from './client/login.ts'
import { about, Failure, waitWords, withinRate } from './client/send.ts'
import { type ClientCommand, type ClientFlags, plural, type Terminal } from './terminal.ts'

/** The item of one line or entry. `place` names the line in words; times are ISO 8601. */
type ImportItem = {
  place: string
  type: 'paste' | 'link'
  /** The content fields, sent unchanged. */
  fields: Readonly<Record<string, string>>
  createdAt: string | undefined
  expiresAt?: string | undefined
  alias?: string | undefined
}
type Unusable = { place: string; reason: string }

/** The required field of each kind, and defaults for the others, which a form may leave out too. */
const importKinds = {
  paste: { table: pasteTable, least: 'text', standard: { title: '', description: '', language: 'text' } },
  link: { table: linkTable, least: 'url', standard: {} },
} as const

/** Names of the content fields of a kind. @param isListed true for only those in lists */
const contentNames = (type: ImportItem['type'], isListed = false) =>
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

/** One line of our own export, or why it is unusable. */
const ownItem = (place: string, line: string): ImportItem | Unusable => {
  const value = parseJson(line)
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

const foreignLink = (
  place: string,
  url: string,
  column: string,
  createdAt?: string,
): ImportItem | Unusable =>
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
const csvItems = (text: string): (ImportItem | Unusable)[] => {
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
      'the file is neither an export of shortcrust nor one of YOURLS, Shlink or chhoto-url: its first line is not known',
      1,
    )
  const cell = ({ record }: CsvRow, name = '') => record[header.indexOf(name)]?.trim() ?? ''
  const { target, createdAt } = product
  const items = rows.map((row) =>
    foreignLink(`line ${row.info.lines}`, cell(row, target), target, cell(row, createdAt) || undefined),
  )
  return [...broken, ...items]
}

/** The answer of `GET /api/all` of chhoto-url: an array of `{ shortlink, longlink, hits, expiry_time }`. */
const arrayItems = (text: string) => {
  const entries = parseJson(text) as ({ longlink?: unknown } | null)[] | undefined
  if (!entries) throw new Failure('the file begins like a JSON array, but is not one', 1)
  return entries.map((entry, at) =>
    foreignLink(`entry ${at + 1}`, optionalText(entry?.longlink) ?? '', 'longlink'),
  )
}

/** The items of a file from any of these products, in its order. @throws {Failure} */
const readImport = (raw: string): (ImportItem | Unusable)[] => {
  const text = raw.replace(/^\ufeff/, '')
  const start = text.trimStart()[0]
  if (start === '[') return arrayItems(text)
  if (start !== '{') return csvItems(raw)
  return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [ownItem(`line ${at + 1}`, line)]))
}

/** An item as the server would store it. */
const normalised = (one: ImportItem, now: number): ImportItem | Unusable => {
  if (one.expiresAt !== undefined && !(Date.parse(one.expiresAt) > now))
    return { place: one.place, reason: `has expired: ${one.expiresAt}` }
  if (one.type === 'paste') return one
  try {
    return { ...one, fields: { ...one.fields, url: parseTarget(one.fields.url ?? '').href } }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { place: one.place, reason: error.message }
  }
}

/** Everything that a list says of an item; if it differs, the items differ. */
const headingOf = (type: ImportItem['type'], item: Readonly<Record<string, unknown>>) =>
  JSON.stringify([...contentNames(type, true).map((name) => item[name]), item.bytes, item.alias])

const isThere = async (target: Target, text: string | undefined, candidates: readonly OwnItem[] = []) => {
  for (const { id } of candidates) if ((await stillThere(target, 'pastes', id))?.text === text) return true
  return false
}

/** Sorts the oldest first, so new items are listed in the same order. Without all times, keeps the order of the file. */
const inOrder = (wanted: readonly ImportItem[]) => {
  const createdOf = ({ createdAt = '' }: ImportItem) => Date.parse(createdAt)
  if (wanted.some((one) => Number.isNaN(createdOf(one)))) return wanted
  return wanted.toSorted((a, b) => createdOf(a) - createdOf(b))
}

/**
 * Compares a file with what the key created: links by their list entry, pastes also by their text.
 * @returns `known` counts items that the key already has, or that the file contains twice. @throws {Failure}
 */
const planImport = async (
  target: Target,
  contents: readonly (ImportItem | Unusable)[],
  { progress, now }: Terminal,
) => {
  progress('reading what is there')
  const pastes = await Array.fromAsync(itemsOfKey(target, 'pastes'))
  const links = await Array.fromAsync(itemsOfKey(target, 'links'))
  const ofLinks = new Set(links.map((link) => headingOf('link', link)))
  const ofPastes = Map.groupBy(pastes, (paste) => headingOf('paste', paste))
  const unusable = contents.filter((one) => 'reason' in one)
  const items = contents.filter((one): one is ImportItem => !('reason' in one))
  const wanted: ImportItem[] = []
  const seen = new Set<string>()
  for (const [at, raw] of items.entries()) {
    progress(`compared ${at} of ${items.length}`)
    const one = normalised(raw, now())
    if ('reason' in one) {
      unusable.push(one)
      continue
    }
    const { type, fields, alias } = one
    const { text } = fields
    const bytes = text === undefined ? undefined : Buffer.byteLength(text)
    const heading = headingOf(type, { ...fields, alias, bytes })
    const identity = Bun.hash(`${type} ${heading} ${text}`).toString()
    const isKnown =
      seen.has(identity) ||
      (type === 'link' ? ofLinks.has(heading) : await isThere(target, text, ofPastes.get(heading)))
    seen.add(identity)
    if (!isKnown) wanted.push(one)
  }
  progress('')
  const known = contents.length - unusable.length - wanted.length
  return { wanted: inOrder(wanted), known, unusable }
}

/** @param now for the remaining lifetime in seconds, rounded up, because 0 is not valid */
const createOne = (target: Target, { type, fields, alias, expiresAt }: ImportItem, now: number) => {
  const path = type === 'paste' ? '/paste' : '/shortener'
  const options = {
    ...(alias !== undefined && { alias }),
    ...(expiresAt !== undefined && {
      expiresIn: Math.max(1, Math.ceil((Date.parse(expiresAt) - now) / 1000)),
    }),
  }
  return createItem({ target, path, fields: { ...fields, ...options } })
}

/** Creates items one by one, at the pace of the rate limit. @returns the created ones and the first failure */
const createAll = async (
  target: Target,
  wanted: readonly ImportItem[],
  flags: ClientFlags,
  terminal: Terminal,
) => {
  const made: ImportItem[] = []
  let isTold = false
  let failure: Failure | undefined
  for (const [at, one] of wanted.entries()) {
    const done = `imported ${at} of ${wanted.length}`
    terminal.progress(done)
    const onWait = (seconds: number) => {
      terminal.progress(`${done}; ${waitWords(seconds)}`)
      // In a log, an hour of them says no more than the first.
      if (!terminal.isWatched && !isTold) terminal.printError(waitWords(seconds))
      isTold = true
    }
    try {
      await withinRate(() => createOne(target, one, terminal.now()), { flags, terminal, onWait })
      made.push(one)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failure ??= error
      await terminal.printError(`shortcrust: ${one.place}: ${error.message}`)
      // Later items would fail as well. Importing the file again creates the missing ones.
      if (error.exitCode !== 1) break
    }
  }
  terminal.progress('')
  return { made, failure }
}

/** Creates the items of a file that the key does not have yet. Without `--write` it only says what it would do. */
export const importItems: ClientCommand = async ([file = ''], flags, terminal) => {
  const contents = await about(file, async () => readImport(await readWholeFile(file)))
  const target = await targetOf(flags, terminal)
  const { wanted, known, unusable } = await planImport(target, contents, terminal)
  for (const { place, reason } of unusable) await terminal.printError(`shortcrust: ${place}: ${reason}`)
  const code = unusable.length === 0 ? 0 : 1
  const summary = (made: readonly ImportItem[]) => {
    const pastes = made.filter(({ type }) => type === 'paste').length
    const kinds = `${plural(pastes, 'paste')} and ${plural(made.length - pastes, 'short link')}`
    const failed = wanted.length - made.length
    const rest = failed > 0 ? `, ${failed} not created` : ''
    return `${kinds}; ${known} there already, ${unusable.length} cannot be imported${rest}`
  }
  if (!flags.write) {
    terminal.print(`would create ${summary(wanted)}`)
    await terminal.written()
    if (wanted.length > 0) terminal.printError('nothing was done: add --write to do it')
    return code
  }
  const { made, failure } = await createAll(target, wanted, flags, terminal)
  terminal.print(`created ${summary(made)}`)
  return failure?.exitCode ?? code
}

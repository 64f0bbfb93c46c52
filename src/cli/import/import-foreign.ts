import { type CsvError, parse } from 'csv-parse/sync'
import { Failure } from '../client/failures.ts'
import { type Contents, readJsonLines, type Wanted } from './import-lines.ts'

/** Another product's export of links, recognised by the columns in its first line. */
type Product = {
  name: string
  /** Columns of its exports; there may be more. */
  columns: readonly string[]
  target: string
  createdAt?: string
}

const products: readonly Product[] = [
  // `fileio/csv.php` of the plugin Import-Export by Gautam Gupta, the only export of YOURLS: source,target,hits.
  { name: 'YOURLS', columns: ['source', 'target', 'hits'], target: 'target' },
  // `ExportShortUrlsBtn` of shlink-web-component; older exports lack domain and shortCode.
  {
    name: 'Shlink',
    columns: ['createdAt', 'shortUrl', 'longUrl'],
    target: 'longUrl',
    createdAt: 'createdAt',
  },
  // There is no export: the table `urls` of its SQLite file, as printed by `sqlite3 -header -csv`.
  { name: 'chhoto-url', columns: ['long_url', 'short_url', 'hits'], target: 'long_url' },
]

const unknownHeader =
  'the file is neither an export of shortcrust nor one of YOURLS, Shlink or chhoto-url: its first line is not known'

const linkTo = (url: string, place: string, createdAt?: string): Wanted => ({
  ...{ place, type: 'link', fields: { url }, createdAt },
})

type Row = { record: string[]; info: { lines: number } }

/** Reads a CSV export. Invalid lines are reported, the others read. */
const readCsv = (text: string): Contents => {
  const contents: Contents = { wanted: [], unusable: [] }
  const rows = parse(text, {
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      contents.unusable.push({ place: `line ${error?.lines ?? '?'}`, reason: error?.message ?? 'is no CSV' })
    },
  }) as unknown as Row[]
  const header = rows.shift()?.record.map((name) => name.trim()) ?? []
  const product = products.find(({ columns }) => columns.every((column) => header.includes(column)))
  if (!product) throw new Failure(unknownHeader, 1)
  const cell = ({ record }: Row, name = '') => record[header.indexOf(name)]?.trim() ?? ''
  for (const row of rows) {
    const place = `line ${row.info.lines}`
    const url = cell(row, product.target)
    if (url === '') contents.unusable.push({ place, reason: `has no "${product.target}"` })
    else contents.wanted.push(linkTo(url, place, cell(row, product.createdAt) || undefined))
  }
  return contents
}

/** The answer of `GET /api/all` of chhoto-url: an array of `{ shortlink, longlink, hits, expiry_time }`. */
const readArray = (text: string): Contents => {
  const contents: Contents = { wanted: [], unusable: [] }
  let entries: unknown
  try {
    entries = JSON.parse(text)
  } catch {
    throw new Failure('the file begins like a JSON array, but is none', 1)
  }
  for (const [at, entry] of (entries as unknown[]).entries()) {
    const place = `entry ${at + 1}`
    const url = (entry as { longlink?: unknown } | null)?.longlink
    if (typeof url === 'string') contents.wanted.push(linkTo(url, place))
    else contents.unusable.push({ place, reason: 'has no "longlink"' })
  }
  return contents
}

/** The items of a file from any of these products. @throws {Failure} */
export const readImport = (text: string): Contents => {
  const start = text.replace(/^\ufeff/, '').trimStart()
  if (start.startsWith('{')) return readJsonLines(text)
  return start.startsWith('[') ? readArray(start) : readCsv(text)
}

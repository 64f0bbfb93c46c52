import { CsvError, parse } from 'csv-parse/sync'
import { createLargeHtml, maxLinesBytes, type Renderer, renderRefused, type Trouble } from './lines.ts'
import { countLines, escapeText, showText } from './show-text.ts'

/** More are not read as a table by anybody, and browsers take seconds for a million cells. */
const maxColumns = 300

/** `12`, `0.5`, `1,234.5`, `1.234,5`, `1 234`, `1'234`, `12,34,567`. A leading zero is that of a code or a telephone number. */
const figure = [
  '(?:0|[1-9]\\d*)(?:[.,]\\d+)?',
  '\\.\\d+',
  ...["'", ' ', '\\u00a0', '\\u202f'].map((mark) => `[1-9]\\d{0,2}(?:${mark}\\d{3})+(?:[.,]\\d+)?`),
  '[1-9]\\d?(?:,\\d{2,3})*,\\d{3}(?:\\.\\d+)?',
  '[1-9]\\d{0,2}(?:,\\d{3})+(?:\\.\\d+)?',
  // More groups are an address: 192.168.100.200.
  '[1-9]\\d{0,2}(?:\\.\\d{3}){1,2}(?:,\\d+)?',
].join('|')
const number = new RegExp(`^\\s*[-+−]?[$€£]?\\s?(?:${figure})(?:e[-+]?\\d+)?\\s?[%€]?\\s*$`, 'i')
const isTelephone = (cell: string) => /^\s*\+\d[\d ]{6}/.test(cell)

/** A number as people and programs write it; longer cells are words. */
const isNumber = (cell: string) => cell.length <= 40 && number.test(cell) && !isTelephone(cell)

/** For each column, whether it has numbers and nothing else but empty cells. */
const numericColumns = (rows: readonly TableRow[], columns: number) =>
  Array.from({ length: columns }, (_, column) => {
    const filled = rows.map(({ cells }) => cells[column] ?? '').filter((cell) => cell.trim() !== '')
    return filled.length > 0 && filled.every(isNumber)
  })

/** Optional end tags and quotes are left out, as in lines. */
const rowHtml = ({ cells, first }: TableRow, isNumeric: readonly boolean[]) => {
  const shown = isNumeric.map((isRight, at) => `<td${isRight ? ' class=r' : ''}>${showText(cells[at] ?? '')}`)
  return `<tr id=L${first}><th scope=row><a href=#L${first}>${first}</a>${shown.join('')}\n`
}

/** Longer cells have more than one line. */
const widestChars = 100

/** The longest lines of a column: its header has their width, so that no column moves while later rows arrive. */
const widestOf = (rows: readonly TableRow[], column: number) => {
  let longest = ['', '', '']
  const isLonger = (text: string) => text.length > (longest[2]?.length ?? 0)
  for (const { cells } of rows) {
    const cell = cells[column] ?? ''
    if (isLonger(cell))
      for (const line of cell.split('\n').filter(isLonger))
        longest = [...longest, line].sort((a, b) => b.length - a.length).slice(0, 3)
  }
  return escapeText(longest.map((line) => line.slice(0, widestChars)).join('\n')).replaceAll('"', '&quot;')
}

const headHtml = ({ cells, first }: TableRow, rows: readonly TableRow[], isNumeric: readonly boolean[]) => {
  const shown = isNumeric.map((isRight, at) => {
    const name = showText(cells[at] ?? '')
    const attributes = `${isRight ? ' class=r' : ''} data-widest="${widestOf(rows, at)}"`
    return name === '' ? `<td${attributes}>` : `<th scope=col${attributes}>${name}`
  })
  return `<table><thead><tr id=L${first}><th scope=col>Line${shown.join('')}\n<tbody>`
}

const end = '</table>'
const tooLarge = { why: 'Its first row is too large for a page.' }
const tooWide = { why: `A table is shown with ${maxColumns} columns at most.` }

/** As many rows as fit. @returns the HTML and the last line shown, or `undefined` if not even the header fits */
const showRows = (head: TableRow, rows: readonly TableRow[], isNumeric: readonly boolean[]) => {
  const html = createLargeHtml()
  const header = headHtml(head, rows, isNumeric)
  html.add(header)
  let bytes = Buffer.byteLength(header) + end.length
  if (bytes > maxLinesBytes) return undefined
  let { last } = head
  let count = 0
  for (const row of rows) {
    const piece = rowHtml(row, isNumeric)
    bytes += Buffer.byteLength(piece)
    if (bytes > maxLinesBytes) break
    html.add(piece)
    last = row.last
    count++
  }
  html.add(end)
  return { html: html.take(), last, count }
}

/** Shows CSV and TSV as a table, whose rows have the numbers of their lines. */
export const renderTable: Renderer = async (job, tokensOf, onStart) => {
  onStart()
  const { rows: all, total, problem } = readTable(job.text, job.language)
  const [head, ...rows] = all
  if (!head) return renderRefused(job, tokensOf, { why: 'It has no rows.' })
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), head.cells.length)
  if (columns > maxColumns) return renderRefused(job, tokensOf, tooWide)
  const isNumeric = numericColumns(rows, columns)
  const shownRows = showRows(head, rows.slice(0, maxRows), isNumeric)
  if (!shownRows) return renderRefused(job, tokensOf, tooLarge)
  const { html, last, count } = shownRows
  // Empty lines at the end are no rows.
  const shown = count === rows.length ? total : last
  return { html, shown, total, isPartial: false, ...(problem && { problem }) }
}

/** Rows of a table below its header. */
export const maxRows = 5000

/** A row, and the numbers of its first and last line in the text. */
export type TableRow = { cells: readonly string[]; first: number; last: number }

const delimiters = [',', ';', '\t']
/** The first line is enough to tell which of them separates. */
const sampleChars = 4096

/** The delimiter that is most frequent in the first line, outside of quotes. */
const delimiterOf = (text: string) => {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const character of text.slice(0, sampleChars)) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) break
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return delimiters.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best))
}

/** The line before a header that names the separator to Excel: `sep=;`. */
const separatorLine = /^\ufeff?"?sep=([,;\t| ])"?\n/i

/** LF as the only line end: the library counts CRLF in a cell as two. CR alone is that of old programs. */
const withLineFeeds = (text: string) =>
  text.includes('\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\r', '\n')

/**
 * As many rows as a page shows and one more. Rows may have different lengths, and quoted cells line ends.
 * @throws {CsvError} for a quote that is not closed, if quotes are no text
 */
const parsed = (text: string, delimiter: string, quote: '"' | false, to = maxRows + 2): TableRow[] => {
  const records = parse(text, {
    ...{ delimiter, quote, bom: true, relax_quotes: true, relax_column_count: true, skip_empty_lines: true },
    ...{ info: true, to, record_delimiter: '\n' },
  }) as unknown as { record: string[]; info: { empty_lines: number } }[]
  // The library's own count takes a CR alone for the end of a line, too.
  let ended = 0
  return records.map(({ record: cells, info: { empty_lines: empty } }) => {
    const first = ended + empty + 1
    ended += cells.reduce((lines, cell) => lines + countLines(`${cell}\n`) - 1, 1)
    return { cells, first, last: ended + empty }
  })
}

const isEven = ([head, ...rows]: readonly TableRow[]) =>
  rows.every(({ cells }) => cells.length === head?.cells.length)

/** The rows and, if its quotes are shown as text, the reason. */
type Read = { rows: TableRow[]; problem?: Trouble }

const title = 'Quotes are shown as text.'

/** A quoted cell goes on over these lines, which are rows. */
const joining = ({ first, last }: TableRow): Trouble => ({
  title,
  why: `A quote would join lines ${first} ${last - first > 1 ? 'to' : 'and'} ${last}.`,
  line: first,
})

const quotedRows = (text: string, delimiter: string): Read => {
  const asText = (problem: Trouble) => ({ rows: parsed(text, delimiter, false), problem })
  try {
    const rows = parsed(text, delimiter, '"')
    // Few programs quote cells of TSV: where its lines are even without quotes, they are the rows.
    const merged = delimiter === '\t' ? rows.find(({ first, last }) => first < last) : undefined
    const others = merged && asText(joining(merged))
    return others && isEven(others.rows) ? others : { rows }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The error is at the end of the text: the quote is in what follows the last whole row.
    const whole = Number(error.records)
    const last = whole > 0 ? (parsed(text, delimiter, '"', whole).at(-1)?.last ?? 0) : 0
    return asText({ title, why: 'A quote is not closed.', line: last + 1 })
  }
}

/** What a page shows of a text in columns: its rows, its number of lines, and what is wrong with its quotes. */
export type TableText = Read & { total: number }

/** Reads the rows of CSV, or of TSV, which only tabs separate. */
export const readTable = (given: string, language: string): TableText => {
  const text = withLineFeeds(given)
  const named = separatorLine.exec(text)
  const delimiter = named?.[1] ?? (language === 'tsv' ? '\t' : delimiterOf(text))
  // An empty line in its place, so the rows keep the numbers of their lines.
  const read = quotedRows(named ? text.replace(separatorLine, '\n') : text, delimiter)
  return { ...read, total: countLines(text) }
}

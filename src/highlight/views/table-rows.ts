import { CsvError, parse } from 'csv-parse/sync'
import { countLines, type Trouble } from '../lines.ts'

/** Rows of a table below its header. */
export const maxRows = 5000

/** A row, and the numbers of its first and last line in the text. */
export type Row = { cells: readonly string[]; first: number; last: number }

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
const parsed = (text: string, delimiter: string, quote: '"' | false, to = maxRows + 2): Row[] => {
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

const isEven = ([head, ...rows]: readonly Row[]) =>
  rows.every(({ cells }) => cells.length === head?.cells.length)

/** The rows and, if its quotes are shown as text, the reason. */
type Read = { rows: Row[]; problem?: Trouble }

const title = 'Quotes are shown as text.'

/** A quoted cell goes on over these lines, which are rows. */
const joining = ({ first, last }: Row): Trouble => ({
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

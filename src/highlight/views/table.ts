import { CsvError, parse } from 'csv-parse/sync'
import type { Renderer } from '../child/renderer.ts'
import { countLines, maxLinesBytes, type Trouble } from '../lines.ts'
import { showText } from '../show-text.ts'
import { createLargeHtml } from './large-html.ts'
import { refuse } from './refuse.ts'

/** Rows below the header. */
const maxRows = 5000
/** More are not read as a table by anybody, and browsers take seconds for a million cells. */
const maxColumns = 300

/** A row, and the numbers of its first and last line in the text. */
export type Row = { cells: readonly string[]; first: number; last: number }

const delimiters = [',', ';', '\t']
/** The first line is enough to tell which of them separates. */
const sampleChars = 4096

/** The delimiter that is most frequent in the first line, outside of quotes. */
export const delimiterOf = (text: string) => {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]))
  let isQuoted = false
  for (const character of text.slice(0, sampleChars)) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) break
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  return delimiters.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best))
}

/**
 * Reads the rows of a table, as many as a page shows and one more. Rows may have different lengths, and quoted cells line ends.
 * @param text with LF as its only line end: the library counts CRLF in a cell as two
 * @throws {CsvError} for a quote that is not closed
 */
export const readRows = (text: string, delimiter: string): Row[] => {
  const records = parse(text, {
    ...{ delimiter, bom: true, relax_quotes: true, relax_column_count: true, skip_empty_lines: true },
    ...{ info: true, to: maxRows + 2, record_delimiter: '\n' },
  }) as unknown as { record: string[]; info: { lines: number } }[]
  return records.map(({ record: cells, info: { lines } }) => ({
    cells,
    first: lines - cells.reduce((ends, cell) => ends + countLines(`${cell}\n`) - 1, 0),
    last: lines,
  }))
}

/** A number as people and programs write it; longer cells are words. */
const isNumber = (cell: string) =>
  cell.length <= 40 && /^\s*[-+−]?[$€£]?\s?\d[\d., '\u00a0\u202f]*(?:e[-+]?\d+)?\s?[%€]?\s*$/i.test(cell)

/** For each column, whether it has numbers and nothing else but empty cells. */
const numericColumns = (rows: readonly Row[], columns: number) =>
  Array.from({ length: columns }, (_, column) => {
    const filled = rows.map(({ cells }) => cells[column] ?? '').filter((cell) => cell.trim() !== '')
    return filled.length > 0 && filled.every(isNumber)
  })

/** Optional end tags and quotes are left out, as in lines. */
const rowHtml = ({ cells, first }: Row, isNumeric: readonly boolean[]) => {
  const shown = isNumeric.map((isRight, at) => `<td${isRight ? ' class=r' : ''}>${showText(cells[at] ?? '')}`)
  return `<tr id=L${first}><th scope=row><a href=#L${first}>${first}</a>${shown.join('')}\n`
}

const headHtml = ({ cells, first }: Row, isNumeric: readonly boolean[]) => {
  const shown = isNumeric.map((isRight, at) => {
    const name = showText(cells[at] ?? '')
    return name === '' ? '<td>' : `<th scope=col${isRight ? ' class=r' : ''}>${name}`
  })
  return `<table><thead><tr id=L${first}><th scope=col>Line${shown.join('')}\n<tbody>`
}

const end = '</table>'
const tooLarge = { why: 'Its first row is too large for a page.' }
const tooWide = { why: `A table is shown with ${maxColumns} columns at most.` }

/** As many rows as fit. @returns the HTML and the last line shown, or `undefined` if not even the header fits */
const showRows = (head: Row, rows: readonly Row[], isNumeric: readonly boolean[]) => {
  const html = createLargeHtml()
  const header = headHtml(head, isNumeric)
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

const unclosed = (error: unknown): Trouble => {
  if (!(error instanceof CsvError)) throw error
  return { why: 'A quote is not closed, so its rows are not known.', line: Number(error.lines) }
}

/** Shows CSV and TSV as a table, whose rows have the numbers of their lines. */
export const renderTable: Renderer = async (job, tools, onStart) => {
  onStart()
  const text = job.text.replaceAll('\r\n', '\n')
  const total = countLines(text)
  try {
    const [head, ...rows] = readRows(text, job.language === 'tsv' ? '\t' : delimiterOf(text))
    if (!head) return await refuse(job, tools, { why: 'It has no rows.' })
    const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), head.cells.length)
    if (columns > maxColumns) return await refuse(job, tools, tooWide)
    const isNumeric = numericColumns(rows, columns)
    const shownRows = showRows(head, rows.slice(0, maxRows), isNumeric)
    if (!shownRows) return await refuse(job, tools, tooLarge)
    const { html, last, count } = shownRows
    // Empty lines at the end are no rows.
    const shown = count === rows.length ? total : last
    return { html, shown, total, isPartial: false }
  } catch (error) {
    return refuse(job, tools, unclosed(error))
  }
}

import type { Beginning } from './beginning.ts'

/** A table shows itself in its first rows. */
const [mostRows, mostColumns, mostChars] = [100, 500, 16 * 1024]

const [lineEnd, quote] = [10, 34]

/** Splits the beginning of a text into rows, quotes respected; a row that is not whole is left out. */
const rowsOf = ({ text, isWhole, lines }: Beginning, separator: string) => {
  const rows: string[][] = []
  if (!lines[0]?.includes(separator)) return rows
  const [cut, length] = [separator.charCodeAt(0), Math.min(text.length, mostChars)]
  let [row, start, isQuoted]: [string[], number, boolean] = [[], 0, false]
  for (let at = 0; at <= length && rows.length < mostRows && row.length < mostColumns; at++) {
    const code = at < length ? text.charCodeAt(at) : -1
    if (code === quote && (isQuoted || at === start)) isQuoted = !isQuoted
    if (isQuoted && code !== -1) continue
    const isEnd = code === lineEnd || (code === -1 && isWhole && length === text.length && !isQuoted)
    if (!isEnd && code !== cut) continue
    row.push(text.slice(start, at).replace(/\r$/, ''))
    start = at + 1
    if (!isEnd) continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}

const isValue = (cell: string) => /^"?[-+]?[\d.,:/TZ -]{1,40}%?"?$/.test(cell) && /\d/.test(cell)

/** Cells of prose and of programs: a blank before, a bracket or a quotation mark that is no cell's. */
const isCode = (cell: string) =>
  /^[ \t]+\S|^[('[{<]|[;{}(\\]$|^\/\/|=>|["'][\])]$/.test(cell) || cell.length > 400

const isName = (cell: string) => /^"?[A-Za-z_][\w .-]{0,40}"?$/.test(cell)

/** Words below a header: no name of a column is in that column, and no cell begins with a blank, as in prose. */
const isNamed = ([head = [], ...rows]: readonly string[][]) =>
  rows.length >= 2 &&
  head.every(isName) &&
  rows.every(
    (row) =>
      row.length === head.length &&
      row.every((cell, at) => cell.length <= 60 && cell !== head[at] && !/^\s|\s$/.test(cell)),
  )

const isTable = (rows: readonly string[][], isLoose: boolean) => {
  const width = rows[0]?.length ?? 0
  if (width < 2 || rows.length < (width > 3 ? 2 : 3)) return false
  const even = rows.filter((row) => row.length === width).length
  if (even < 0.95 * rows.length) return false
  const cells = rows.flat()
  if (cells.filter(isCode).length > 0.05 * cells.length) return false
  // Code that ends with a separator, or is indented by it.
  if (
    rows.filter((row) => row[0] === '' || (row.at(-1) === '' && row[0]?.startsWith(' '))).length >
    rows.length / 2
  )
    return false
  if (width === 3 && isNamed(rows)) return true
  const valued = rows.filter((row) => row.some(isValue)).length
  return isLoose || width > 3 || valued >= 0.6 * rows.length
}

/** CSV or TSV: rows of as many cells each. Two or three columns need numbers or dates, for prose has commas as well. */
export const languageOfTable = (beginning: Beginning) => {
  if (isTable(rowsOf(beginning, '\t'), true)) return 'tsv'
  if (isTable(rowsOf(beginning, ','), false)) return 'csv'
  return isTable(rowsOf(beginning, ';'), false) ? 'csv' : undefined
}

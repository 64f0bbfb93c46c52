import type { Renderer } from '../child/renderer.ts'
import { maxLinesBytes } from '../lines.ts'
import { showText } from '../show-text.ts'
import { createLargeHtml } from './large-html.ts'
import { refuse } from './refuse.ts'
import { maxRows, type Row, readTable } from './table-rows.ts'

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

/** Shows CSV and TSV as a table, whose rows have the numbers of their lines. */
export const renderTable: Renderer = async (job, tools, onStart) => {
  onStart()
  const { rows: all, total, problem } = readTable(job.text, job.language)
  const [head, ...rows] = all
  if (!head) return refuse(job, tools, { why: 'It has no rows.' })
  const columns = rows.reduce((most, { cells }) => Math.max(most, cells.length), head.cells.length)
  if (columns > maxColumns) return refuse(job, tools, tooWide)
  const isNumeric = numericColumns(rows, columns)
  const shownRows = showRows(head, rows.slice(0, maxRows), isNumeric)
  if (!shownRows) return refuse(job, tools, tooLarge)
  const { html, last, count } = shownRows
  // Empty lines at the end are no rows.
  const shown = count === rows.length ? total : last
  return { html, shown, total, isPartial: false, ...(problem && { problem }) }
}

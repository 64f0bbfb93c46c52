import { showText } from '../show-text.ts'
import type { Changed, ChangedRow, Row } from './rows.ts'
import type { Span } from './words.ts'

/** One column, or two side by side. */
export type DiffLook = 'unified' | 'split'

/** A text to compare another one with, and what to make of it: rows of a page, or a patch without its head. */
export type CompareWith = { text: string; as: DiffLook | 'patch' }

/** Lines that were added and removed; or that the texts differ too much to be compared. */
export type Compared = { added: number; removed: number } | 'too different'

/** A browser lays out this many rows together, and not before they come into sight. */
const rowsPerGroup = 100

/** Text as safe HTML, with parts of it marked. */
export const markedText = (text: string, marks: readonly Span[]) => {
  let html = ''
  let at = 0
  for (const [from, to] of marks) {
    html += `${showText(text.slice(at, from))}<mark>${showText(text.slice(from, to))}</mark>`
    at = to
  }
  return html + showText(text.slice(at))
}

const noEnd = ' <small>No line end here</small>'
const textOf = ({ text, marks, hasEnd }: Changed) => markedText(text, marks) + (hasEnd ? '' : noEnd)

// As a character, the sign would make each string twice as large.
const removedHtml = (line: Changed) => `<del data-a=${line.number}><i>&minus;</i>${textOf(line)}</del>`
const addedHtml = (line: Changed) => `<ins data-b=${line.number}><i>+</i>${textOf(line)}</ins>`

const sameHtml = ({ before, after, text, hasEnd }: Row & { kind: 'same' }) =>
  `<div data-a=${before} data-b=${after}>${showText(text)}${hasEnd ? '' : noEnd}</div>`

const countText = (lines: number) => lines.toLocaleString('en')

const foldHtml = (lines: number) =>
  `<p class=fold>${lines === 1 ? '1 unchanged line' : `${countText(lines)} unchanged lines`}</p>`

type Html = { html: string; rows: number }

const oneRow = (html: string): Html => ({ html, rows: 1 })

const unifiedRows = (rows: readonly ChangedRow[]) =>
  [
    ...rows.flatMap(({ removed }) => (removed ? [removedHtml(removed)] : [])),
    ...rows.flatMap(({ added }) => (added ? [addedHtml(added)] : [])),
  ].map(oneRow)

const none = '<p class=none></p>'
const pairHtml = ({ removed, added }: ChangedRow) =>
  `<div class=pair>${removed ? removedHtml(removed) : none}${added ? addedHtml(added) : none}</div>`

/** A change is one element, so a narrow window can show all that went before all that came. */
const splitRows = (rows: readonly ChangedRow[]) =>
  Array.from({ length: Math.ceil(rows.length / rowsPerGroup) }, (_, at): Html => {
    const some = rows.slice(at * rowsPerGroup, (at + 1) * rowsPerGroup)
    return { html: `<div class=change>${some.map(pairHtml).join('')}</div>`, rows: some.length }
  })

const rowsIn = {
  unified: { same: sameHtml, change: unifiedRows },
  split: {
    same: (row: Row & { kind: 'same' }) => `<div class=pair>${sameHtml(row)}${sameHtml(row)}</div>`,
    change: splitRows,
  },
}

const htmlOf = (row: Row, look: DiffLook): Html[] => {
  if (row.kind === 'hidden') return [oneRow(foldHtml(row.lines))]
  return row.kind === 'same' ? [oneRow(rowsIn[look].same(row))] : rowsIn[look].change(row.rows)
}

/**
 * The rows of a comparison as safe HTML, a piece for each group of rows.
 * @param changes what the page shows
 * @param hasRoom takes the HTML of a row
 * @returns whether all of them had room
 */
export function* diffPieces(
  changes: Iterable<Row>,
  look: DiffLook,
  hasRoom: (html: string) => boolean = () => true,
): Generator<string, boolean> {
  let group: string[] = []
  let inGroup = 0
  const take = () => {
    const html = group.join('')
    const classes = inGroup < rowsPerGroup ? 'rows' : '"rows many"'
    group = []
    inGroup = 0
    return html === '' ? '' : `<div class=${classes}>${html}</div>`
  }
  for (const row of changes) {
    for (const { html, rows } of htmlOf(row, look)) {
      if (!hasRoom(html)) {
        yield take()
        return false
      }
      group.push(html)
      inGroup += rows
      if (inGroup >= rowsPerGroup) yield take()
    }
  }
  yield take()
  return true
}

import {
  createLargeHtml,
  type Lines,
  markedHtml,
  maxLinesBytes,
  type Token,
  type TokenLines,
} from '../lines.ts'
import type { Budget, Change, CompareWith, Comparison, DiffLook, TextLines } from './line-diff.ts'
import { compareLines } from './line-diff.ts'
import { hunksOf, patchLines, stretchesOf } from './patch.ts'
import { changedWords, type Pair, pairLines, type Span } from './words.ts'

/** Both texts as tokens; without those of a text, its lines have no colours. */
export type Colours = readonly [before?: TokenLines | undefined, after?: TokenLines | undefined]

/** A line without its end. */
type Line = { text: string; tokens: readonly Token[] | undefined; hasEnd: boolean }
type Changed = Line & { number: number; marks: readonly Span[] }

/** What a page shows, from top to bottom. Lines count from 1. */
type ComparedRow =
  | { kind: 'hidden'; lines: number }
  | { kind: 'same'; before: number; after: number; sides: readonly [before: Line, after: Line] }
  | { kind: 'change'; rows: readonly ChangedRow[] }
/** A line on each side, or on one. */
type ChangedRow = { removed?: Changed; added?: Changed }

/** Marking words may take this long as well. */
const mostLooks = 1_000_000

/** A change of more lines is shown without marks, and in pieces. */
const mostPaired = 1000

type Ends = 'shown' | 'hidden'

const withoutEnd = (line: string, ends: Ends) => {
  const text = line.endsWith('\n') ? line.slice(0, -1) : line
  return ends === 'hidden' && text.endsWith('\r') ? text.slice(0, -1) : text
}

/** Shows CR only where some of the changed lines have it and others do not. */
const endsOf = ({ before, after, changes }: Comparison): Ends => {
  let [withReturn, lines] = [0, 0]
  const count = (text: TextLines, start: number, length: number) => {
    for (let at = start; at < start + length; at++) {
      const line = text.at(at)
      if (!line.endsWith('\n')) continue
      lines++
      if (line.endsWith('\r\n')) withReturn++
    }
  }
  for (const change of changes) {
    count(before, change.before, change.removed)
    count(after, change.after, change.added)
  }
  return withReturn > 0 && withReturn < lines ? 'shown' : 'hidden'
}

const lineAt = (text: TextLines, at: number, ends: Ends, tokens: TokenLines | undefined): Line => {
  const line = text.at(at)
  return { text: withoutEnd(line, ends), tokens: tokens?.[at], hasEnd: line.endsWith('\n') }
}

const linesFrom = (text: TextLines, start: number, count: number, ends: Ends, tokens?: TokenLines) =>
  Array.from(
    { length: count },
    (_, at): Changed => ({ number: start + at + 1, marks: [], ...lineAt(text, start + at, ends, tokens) }),
  )

/** Lines without a partner share rows too. */
const between = (removed: readonly Changed[], added: readonly Changed[]) =>
  Array.from({ length: Math.max(removed.length, added.length) }, (_, at): ChangedRow => {
    const [old, recent] = [removed[at], added[at]]
    return { ...(old && { removed: old }), ...(recent && { added: recent }) }
  })

const rowsOfPairs = (
  removed: readonly Changed[],
  added: readonly Changed[],
  pairs: readonly Pair[],
  budget: Budget,
) => {
  const rows: ChangedRow[] = []
  let [at, other] = [0, 0]
  for (const [old, recent] of [...pairs, [removed.length, added.length] as const]) {
    rows.push(...between(removed.slice(at, old), added.slice(other, recent)))
    const [former, newer] = [removed[old], added[recent]]
    if (former && newer) {
      const marks = changedWords(former.text, newer.text, budget)
      rows.push({ removed: { ...former, marks: marks.before }, added: { ...newer, marks: marks.after } })
    }
    at = old + 1
    other = recent + 1
  }
  return rows
}

function* rowsOfChange(
  { before, after }: Comparison,
  change: Change,
  ends: Ends,
  budget: Budget,
  [old, recent]: Colours,
): Generator<ComparedRow> {
  const most = Math.max(change.removed, change.added)
  for (let at = 0; at < most; at += mostPaired) {
    const countOf = (all: number) => Math.max(0, Math.min(mostPaired, all - at))
    const removed = linesFrom(before, change.before + at, countOf(change.removed), ends, old)
    const added = linesFrom(after, change.after + at, countOf(change.added), ends, recent)
    const texts = (lines: readonly Changed[]) => lines.map(({ text }) => text)
    const pairs = pairLines(texts(removed), texts(added), budget)
    yield { kind: 'change', rows: rowsOfPairs(removed, added, pairs, budget) }
  }
}

/** Everything that a page of the comparison shows; nothing if the texts are the same. */
function* rowsOf(comparison: Comparison, colours: Colours): Generator<ComparedRow> {
  const { before, after, changes } = comparison
  const budget = { left: mostLooks }
  if (changes.length === 0) return
  const ends = endsOf(comparison)
  let shown = 0
  for (const hunk of hunksOf(comparison)) {
    if (hunk.before > shown) yield { kind: 'hidden', lines: hunk.before - shown }
    for (const stretch of stretchesOf(hunk)) {
      for (let at = 0; at < stretch.unchanged; at++) {
        const [old, recent] = [stretch.before + at, stretch.after + at]
        const sides = [
          lineAt(before, old, 'hidden', colours[0]),
          lineAt(after, recent, 'hidden', colours[1]),
        ] as const
        yield { kind: 'same', before: old + 1, after: recent + 1, sides }
      }
      if (stretch.change) yield* rowsOfChange(comparison, stretch.change, ends, budget, colours)
    }
    shown = hunk.before + hunk.beforeCount
  }
  if (before.count > shown) yield { kind: 'hidden', lines: before.count - shown }
}

/** A browser lays out this many rows together, and not before they come into sight. */
const rowsPerGroup = 100

const noEnd = ' <small>No line end here</small>'

/** Tokens leave out the CR of a line end. */
const lineHtml = ({ text, tokens = [], hasEnd }: Line, marks: readonly Span[] = []) => {
  const chars = tokens.reduce((sum, { content }) => sum + content.length, 0)
  const all = [...tokens, { content: text.slice(chars), classes: '' }]
  return markedHtml(all, marks) + (hasEnd ? '' : noEnd)
}

// As a character, the sign would make each string twice as large.
const removedHtml = (line: Changed) =>
  `<del data-a=${line.number}><i>&minus;</i>${lineHtml(line, line.marks)}</del>`
const addedHtml = (line: Changed) => `<ins data-b=${line.number}><i>+</i>${lineHtml(line, line.marks)}</ins>`

type Same = ComparedRow & { kind: 'same' }
const sameHtml = ({ before, after, sides }: Same, side: 0 | 1 = 1) =>
  `<div data-a=${before} data-b=${after}>${lineHtml(sides[side])}</div>`

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
  unified: { same: (row: Same) => sameHtml(row), change: unifiedRows },
  split: {
    same: (row: Same) => `<div class=pair>${sameHtml(row, 0)}${sameHtml(row)}</div>`,
    change: splitRows,
  },
}

const htmlOf = (row: ComparedRow, look: DiffLook): Html[] => {
  if (row.kind === 'hidden') return [oneRow(foldHtml(row.lines))]
  return row.kind === 'same' ? [oneRow(rowsIn[look].same(row))] : rowsIn[look].change(row.rows)
}

/** The rows that have room on a page as safe HTML, a piece for each group of rows. @returns whether all of them had */
function* rowPieces(comparison: Comparison, look: DiffLook, colours: Colours): Generator<string, boolean> {
  let group: string[] = []
  let [inGroup, bytes] = [0, 0]
  const take = () => {
    const html = group.join('')
    const classes = inGroup < rowsPerGroup ? 'rows' : '"rows many"'
    group = []
    inGroup = 0
    return html === '' ? '' : `<div class=${classes}>${html}</div>`
  }
  for (const row of rowsOf(comparison, colours)) {
    for (const { html, rows } of htmlOf(row, look)) {
      bytes += Buffer.byteLength(html)
      if (bytes > maxLinesBytes) {
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

/** Compares two texts for a page or a patch. It blocks; only for the child and tests. */
export const renderComparison = (
  before: string,
  { text: after, as }: Omit<CompareWith, 'language'>,
  colours: Colours = [],
): Lines => {
  const comparison = compareLines(before, after)
  const lines = { shown: 0, total: 0, isPartial: false }
  if (!comparison) return { ...lines, html: [], compared: 'too different' }
  const { added, removed } = comparison
  const html = createLargeHtml()
  const pieces = as === 'patch' ? patchLines(comparison) : rowPieces(comparison, as, colours)
  let next = pieces.next()
  for (; !next.done; next = pieces.next()) html.add(next.value)
  return { ...lines, html: html.take(), isPartial: next.value === false, compared: { added, removed } }
}

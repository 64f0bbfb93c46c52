import { hunksOf, stretchesOf } from './hunks.ts'
import type { Change, Comparison } from './line-diff.ts'
import { type Pair, pairLines } from './line-pairs.ts'
import type { Budget } from './sequences.ts'
import type { TextLines } from './text-lines.ts'
import { changedWords, type Span } from './words.ts'

/** A changed line, without its end. */
export type Changed = { number: number; text: string; marks: readonly Span[]; hasEnd: boolean }

/** What a page shows, from top to bottom. Lines count from 1. */
export type Row =
  | { kind: 'hidden'; lines: number }
  | { kind: 'same'; before: number; after: number; text: string; hasEnd: boolean }
  | { kind: 'change'; rows: readonly ChangedRow[] }
/** A line on each side, or on one. */
export type ChangedRow = { removed?: Changed; added?: Changed }

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

const linesFrom = (text: TextLines, start: number, count: number, ends: Ends) =>
  Array.from({ length: count }, (_, at): Changed => {
    const line = text.at(start + at)
    const hasEnd = line.endsWith('\n')
    return { number: start + at + 1, text: withoutEnd(line, ends), marks: [], hasEnd }
  })

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
): Generator<Row> {
  const most = Math.max(change.removed, change.added)
  for (let at = 0; at < most; at += mostPaired) {
    const countOf = (all: number) => Math.max(0, Math.min(mostPaired, all - at))
    const removed = linesFrom(before, change.before + at, countOf(change.removed), ends)
    const added = linesFrom(after, change.after + at, countOf(change.added), ends)
    const texts = (lines: readonly Changed[]) => lines.map(({ text }) => text)
    const pairs = pairLines(texts(removed), texts(added), budget)
    yield { kind: 'change', rows: rowsOfPairs(removed, added, pairs, budget) }
  }
}

/** Everything that a page of the comparison shows; nothing if the texts are the same. */
export function* rowsOf(comparison: Comparison, budget: Budget = { left: mostLooks }): Generator<Row> {
  const { before, changes } = comparison
  if (changes.length === 0) return
  const ends = endsOf(comparison)
  let shown = 0
  for (const hunk of hunksOf(comparison)) {
    if (hunk.before > shown) yield { kind: 'hidden', lines: hunk.before - shown }
    for (const stretch of stretchesOf(hunk)) {
      for (let at = 0; at < stretch.unchanged; at++) {
        const line = before.at(stretch.before + at)
        const numbers = { before: stretch.before + at + 1, after: stretch.after + at + 1 }
        yield { kind: 'same', ...numbers, text: withoutEnd(line, 'hidden'), hasEnd: line.endsWith('\n') }
      }
      if (stretch.change) yield* rowsOfChange(comparison, stretch.change, ends, budget)
    }
    shown = hunk.before + hunk.beforeCount
  }
  if (before.count > shown) yield { kind: 'hidden', lines: before.count - shown }
}

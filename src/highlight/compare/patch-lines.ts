import type { TokensLook } from '../lines.ts'
import type { Budget } from './line-diff.ts'
import { markedText } from './rows.ts'
import { changedWords, pairLines, type Span } from './words.ts'

/** What a line of a diff is: changed, the head of a hunk, the name of the former file or of the new one; else empty. */
export type PatchLine = { kind: 'ins' | 'del' | 'hunk' | 'from' | 'to' | ''; marks: readonly Span[] }

/** Marking words may take this long. */
const mostLooks = 1_000_000

const head = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/
/** Heads of a diff without context: `5,7c8`. */
const bareHead = /^\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?\r?$/

type PatchKind = PatchLine['kind']

/** The names of the files stand right above a hunk. */
const nameKind = (lines: readonly string[], at: number): PatchKind => {
  const isPair = (first: number) =>
    lines[first]?.startsWith('--- ') &&
    lines[first + 1]?.startsWith('+++ ') &&
    head.test(lines[first + 2] ?? '')
  if (isPair(at)) return 'from'
  return isPair(at - 1) ? 'to' : ''
}

/** The lines of hunks, counted as their heads say: in a text outside, `---` may begin a line. */
const kindsInHunks = (lines: readonly string[]) => {
  let [before, after] = [0, 0]
  return lines.map((line, at): PatchKind => {
    const [isHead, old = '1', recent = '1'] = head.exec(line) ?? []
    if (before <= 0 && after <= 0) {
      if (isHead === undefined) return nameKind(lines, at)
      before = Number(old)
      after = Number(recent)
      return 'hunk'
    }
    const sign = line[0]
    if (sign === '\\') return ''
    if (sign !== '+') before--
    if (sign !== '-') after--
    if (sign === '+') return 'ins'
    return sign === '-' ? 'del' : ''
  })
}

/** Without heads, the first sign of a line has to do. */
const kindsBySign = (lines: readonly string[]) => {
  const isBare = lines.some((line) => bareHead.test(line))
  return lines.map((line): PatchKind => {
    if (line.startsWith(isBare ? '>' : '+')) return 'ins'
    if (line.startsWith(isBare ? '<' : '-')) return 'del'
    return isBare && bareHead.test(line) ? 'hunk' : ''
  })
}

/** Where a run of lines of one kind ends. */
const endOf = (kinds: readonly PatchKind[], kind: PatchKind, start: number) => {
  let at = start
  while (at < kinds.length && kinds[at] === kind) at++
  return at
}

/** The sign is no part of the line. A bare diff has a space behind it, which both sides have. */
const shifted = (marks: readonly Span[]) => marks.map(([from, to]): Span => [from + 1, to + 1])

/** What each line of a diff is, and which of its words were changed. */
export const patchLinesOf = (lines: readonly string[], budget: Budget = { left: mostLooks }): PatchLine[] => {
  const kinds = lines.some((line) => head.test(line)) ? kindsInHunks(lines) : kindsBySign(lines)
  const result = kinds.map((kind): PatchLine => ({ kind, marks: [] }))
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] !== 'del') continue
    const middle = endOf(kinds, 'del', at)
    // Between them may be a note that there is no line end, or the `---` of a bare diff.
    const start = kinds[middle] === '' ? middle + 1 : middle
    const end = endOf(kinds, 'ins', start)
    const removed = lines.slice(at, middle).map((line) => line.slice(1))
    const added = lines.slice(start, end).map((line) => line.slice(1))
    for (const [old, recent] of pairLines(removed, added, budget)) {
      const marks = changedWords(removed[old] ?? '', added[recent] ?? '', budget)
      result[at + old] = { kind: 'del', marks: shifted(marks.before) }
      result[start + recent] = { kind: 'ins', marks: shifted(marks.after) }
    }
    at = Math.max(at, end - 1, middle - 1)
  }
  return result
}

/** How the lines of a diff look on the page of a paste: as on a page that compares two. */
export const patchLook = (text: string) => {
  const lines = text.split(/\r?\n/)
  const looks = patchLinesOf(lines)
  return (at: number): TokensLook => {
    const { kind, marks } = looks[at] ?? { kind: '', marks: [] }
    if (kind === '' || kind === 'hunk') return { classes: kind }
    return { classes: kind, html: markedText(lines[at] ?? '', marks) }
  }
}

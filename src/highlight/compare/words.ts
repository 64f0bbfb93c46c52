import { markedHtml, type TokensLook } from '../lines.ts'
import { type Budget, commonRuns } from './line-diff.ts'

/** A part of a line: where it begins and ends. */
export type Span = readonly [from: number, to: number]

/** The changed parts of an old and a new line; empty if the lines have too little in common. */
export type Marks = { before: readonly Span[]; after: readonly Span[] }

const noMarks: Marks = { before: [], after: [] }

/** Words, spaces, and single signs. */
const token = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu

/** Longer lines have one mark, from the first difference to the last. */
const mostChars = 1000

/** What a pair of lines costs beside its tokens. */
const lineCost = 20

/** Below this share of common text, two lines have nothing to do with each other. */
const leastShare = 0.35

export const tokensOf = (line: string): readonly string[] => line.match(token) ?? []

const isHighSurrogate = (unit: number) => unit >= 0xd800 && unit < 0xdc00

/** How many characters two lines begin with together; never half of a pair. */
const commonStart = (before: string, after: string) => {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  return at > 0 && isHighSurrogate(before.charCodeAt(at - 1)) ? at - 1 : at
}

const commonEnd = (before: string, after: string, start: number) => {
  const most = Math.min(before.length, after.length) - start
  let count = 0
  while (
    count < most &&
    before.charCodeAt(before.length - 1 - count) === after.charCodeAt(after.length - 1 - count)
  )
    count++
  const splits = isHighSurrogate(before.charCodeAt(before.length - 1 - count))
  return count > 0 && splits ? count - 1 : count
}

const spanBetween = (line: string, start: number, end: number): readonly Span[] =>
  line.length - end > start ? [[start, line.length - end]] : []

/** One mark on each side: linear, for a line of any length. */
const middleOf = (before: string, after: string): Marks => {
  const start = commonStart(before, after)
  const end = commonEnd(before, after, start)
  if (start + end < leastShare * Math.min(before.length, after.length)) return noMarks
  return { before: spanBetween(before, start, end), after: spanBetween(after, start, end) }
}

/** What lies between the common tokens. Marks with only a space between them become one. */
const spansOf = (tokens: readonly string[], isCommon: readonly boolean[]) => {
  const spans: [number, number][] = []
  let [at, spaceFrom] = [0, -1]
  for (const [index, { length }] of tokens.entries()) {
    const last = spans.at(-1)
    if (!isCommon[index]) {
      if (last && (last[1] === at || last[1] === spaceFrom)) last[1] = at + length
      else spans.push([at, at + length])
    }
    spaceFrom = isCommon[index] && tokens[index]?.trim() === '' ? at : -1
    at += length
  }
  return spans
}

/**
 * What to mark in an old and a new line.
 * @param budget shared by all lines of a comparison; when it is spent, lines have no marks
 */
export const changedWords = (before: string, after: string, budget: Budget): Marks => {
  if (Math.max(before.length, after.length) > mostChars) return middleOf(before, after)
  if (budget.left <= 0) return noMarks
  const [old, recent] = [tokensOf(before), tokensOf(after)]
  budget.left -= lineCost + old.length + recent.length
  const runs = budget.left > 0 ? commonRuns(old, recent, budget) : undefined
  if (!runs) return noMarks
  const [isOld, isRecent] = [old.map(() => false), recent.map(() => false)]
  let common = 0
  for (const run of runs)
    for (let at = 0; at < run.count; at++) {
      isOld[run.before + at] = true
      isRecent[run.after + at] = true
      common += old[run.before + at]?.trim().length ?? 0
    }
  const longer = Math.max(before.trim().length, after.trim().length)
  if (common < leastShare * longer) return noMarks
  return { before: spansOf(old, isOld), after: spansOf(recent, isRecent) }
}

/** A removed and an added line that belong together, counted from the beginning of a change. */
export type Pair = readonly [removed: number, added: number]

/** A table of this size takes a millisecond. */
const mostCells = 1600
const mostPairedChars = 1000

/** A score below this is chance: brackets, or a common word. */
const leastLikeness = 0.4

/** How often each word and sign occurs; spaces do not count. */
const lineWords = (line: string) => {
  const words = new Map<string, number>()
  for (const word of tokensOf(line.slice(0, mostPairedChars)))
    if (word.trim() !== '') words.set(word, (words.get(word) ?? 0) + word.length)
  return words
}

const sizeOf = (words: ReadonlyMap<string, number>) => {
  let size = 0
  for (const count of words.values()) size += count
  return size
}

/** Between 0 and 1: the share of the words of two lines that they have in common. */
const likeness = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) => {
  let common = 0
  for (const [word, count] of before) common += Math.min(count, after.get(word) ?? 0)
  const size = sizeOf(before) + sizeOf(after)
  return size === 0 ? 1 : (2 * common) / size
}

const onlyPair: readonly Pair[] = [[0, 0]]

const inOrder = (removed: number, added: number) =>
  Array.from({ length: Math.min(removed, added) }, (_, at): Pair => [at, at])

/** The best score of the lines from each place on: the usual table for aligning two lists. */
const scoresOf = (likenesses: readonly (readonly number[])[], added: number) => {
  const scores = Array.from({ length: likenesses.length + 1 }, () => new Float64Array(added + 1))
  for (let at = likenesses.length - 1; at >= 0; at--)
    for (let other = added - 1; other >= 0; other--)
      (scores[at] as Float64Array)[other] = Math.max(
        scores[at + 1]?.[other] ?? 0,
        scores[at]?.[other + 1] ?? 0,
        (likenesses[at]?.[other] ?? 0) + (scores[at + 1]?.[other + 1] ?? 0),
      )
  return scores
}

/**
 * Which removed line became which added one: those with the most words in common, in order. A change of too many lines
 * is paired line by line.
 */
export const pairLines = (
  removed: readonly string[],
  added: readonly string[],
  budget: Budget,
): readonly Pair[] => {
  const cells = removed.length * added.length
  if (cells === 1) return onlyPair
  if (cells === 0 || cells > mostCells) return inOrder(removed.length, added.length)
  const [old, recent] = [removed.map(lineWords), added.map(lineWords)]
  for (const words of old) budget.left -= words.size * added.length
  if (budget.left <= 0) return inOrder(removed.length, added.length)
  const likenesses = old.map((words) =>
    recent.map((others) => {
      const found = likeness(words, others)
      return found < leastLikeness ? 0 : found
    }),
  )
  const scores = scoresOf(likenesses, added.length)
  const pairs: Pair[] = []
  for (let at = 0, other = 0; at < removed.length && other < added.length; ) {
    const score = scores[at]?.[other]
    if (score === scores[at + 1]?.[other]) at++
    else if (score === scores[at]?.[other + 1]) other++
    else pairs.push([at++, other++])
  }
  return pairs
}

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
    return { classes: kind, html: markedHtml([{ content: lines[at] ?? '', classes: '' }], marks) }
  }
}

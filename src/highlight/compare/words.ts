import { type Budget, commonRuns } from './sequences.ts'

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

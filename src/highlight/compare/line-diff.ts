/** One column, or two side by side. */
export type DiffLook = 'unified' | 'split'

/** A text to compare another one with, and what to make of it: rows of a page, or a patch without its head. */
export type CompareWith = { text: string; language: string; as: DiffLook | 'patch' }

/** Lines that were added and removed; or that the texts differ too much to be compared. */
export type Compared = { added: number; removed: number } | 'too different'

/** Lines that were replaced: the first on each side, from 0, and how many; one of the numbers may be 0. */
export type Change = { before: number; removed: number; after: number; added: number }

export type Comparison = {
  before: TextLines
  after: TextLines
  changes: readonly Change[]
  /** Lines, for `+12 −3`. */
  added: number
  removed: number
}

/** Takes 0.3 s. 2,000 of 18,000 lines that moved to the other end need 4 million. */
const mostLooks = 5_000_000

/** The lines that the other side has too. All others are changes anyway, and cost the most to compare. */
const sharedLines = (numbers: Int32Array, others: Int32Array, distinct: number) => {
  const isThere = new Uint8Array(distinct)
  for (const number of others) isThere[number] = 1
  const places = numbers.map((_, at) => at).filter((at) => isThere[numbers[at] as number] === 1)
  return { places, numbers: places.map((at) => numbers[at] as number) }
}

/** Collects the gaps between lines that both sides have. @param first line that differs */
const createChanges = (first: number) => {
  const changes: Change[] = []
  let [before, after, added, removed] = [first, first, 0, 0]
  return {
    /** The next line that both sides have, or the end. */
    match: (at: number, other: number) => {
      if (at > before || other > after) {
        const change = { before, removed: at - before, after, added: other - after }
        changes.push(change)
        added += change.added
        removed += change.removed
      }
      before = at + 1
      after = other + 1
    },
    all: () => ({ changes, added, removed }),
  }
}

/** Compares two texts line by line. @returns `undefined` if they differ too much */
export const compareLines = (
  beforeText: string,
  afterText: string,
  budget: Budget = { left: mostLooks },
): Comparison | undefined => {
  const [before, after] = [splitLines(beforeText), splitLines(afterText)]
  const [differing, others] = differingLines(before, after)
  const numbers = numberedLines(differing, others)
  const old = sharedLines(numbers.before, numbers.after, numbers.distinct)
  const recent = sharedLines(numbers.after, numbers.before, numbers.distinct)
  const runs = commonRuns(old.numbers, recent.numbers, budget)
  if (!runs) return undefined
  const { first } = differing
  const { match, all } = createChanges(first)
  for (const run of runs)
    for (let at = 0; at < run.count; at++)
      match(
        first + (old.places[run.before + at] as number),
        first + (recent.places[run.after + at] as number),
      )
  match(first + differing.count, first + others.count)
  return { before, after, ...all() }
}

// Bun finds nothing in the module that the package has for `import`.
declare const require: (name: string) => typeof import('@jest/diff-sequences')
const { default: diffSequences } = require('@jest/diff-sequences')

/** Items that both sides have, in order: the first item on each side, and how many. */
export type Run = { before: number; after: number; count: number }

/** What a comparison may still cost, counted in items looked at: the same texts give up on every machine. */
export type Budget = { left: number }

const spent = Symbol('spent')

/** The longest common subsequence of two sequences. @returns `undefined` if the budget is spent */
export const commonRuns = (
  before: ArrayLike<unknown>,
  after: ArrayLike<unknown>,
  budget: Budget,
): readonly Run[] | undefined => {
  const runs: Run[] = []
  const isCommon = (at: number, other: number) => {
    if (budget.left-- <= 0) throw spent
    return before[at] === after[other]
  }
  try {
    diffSequences(before.length, after.length, isCommon, (count, at, other) => {
      runs.push({ before: at, after: other, count })
    })
    return runs
  } catch (error) {
    if (error === spent) return undefined
    throw error
  }
}

/** A text and where its lines begin: 1 MiB may have a million lines, and as strings they would take 100 MB. */
export type TextLines = {
  text: string
  count: number
  /** A line with its end, if it has one. */
  at: (line: number) => string
  /** Where a line begins; the end of the text for the one after the last. */
  startOf: (line: number) => number
  /** How many lines end at or before this place. */
  endingBefore: (place: number) => number
}

const countEnds = (text: string) => {
  let ends = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends++
  return ends
}

/** The line end at the end of a text starts no new line; an empty text has none. */
export const splitLines = (text: string): TextLines => {
  const ends = countEnds(text)
  const count = text === '' || text.endsWith('\n') ? ends : ends + 1
  const starts = new Int32Array(count + 1)
  for (let line = 1, at = 0; line <= ends; line++) {
    at = text.indexOf('\n', at) + 1
    starts[line] = at
  }
  starts[count] = text.length
  const startOf = (line: number) => starts[line] as number
  const endingBefore = (place: number) => {
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (startOf(middle) <= place) low = middle
      else high = middle - 1
    }
    return low
  }
  return { text, count, startOf, endingBefore, at: (line) => text.slice(starts[line], starts[line + 1]) }
}

/** Whole blocks are compared first: that is fifty times as fast as characters. */
const blockChars = 4096

/** How many characters two texts begin with together. */
const commonStart = (before: string, after: string) => {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at + blockChars <= most && before.slice(at, at + blockChars) === after.slice(at, at + blockChars))
    at += blockChars
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  return at
}

/** How many characters two texts end with together, at most. */
const commonEnd = (before: string, after: string, most: number) => {
  const [last, other] = [before.length, after.length]
  let count = 0
  while (
    count + blockChars <= most &&
    before.slice(last - count - blockChars, last - count) ===
      after.slice(other - count - blockChars, other - count)
  )
    count += blockChars
  while (count < most && before.charCodeAt(last - 1 - count) === after.charCodeAt(other - 1 - count)) count++
  return count
}

/** Lines of a text that are compared: the first, and how many. */
export type Stretch = { lines: TextLines; first: number; count: number }

/** Lines that begin behind a line end of the last `chars` characters. */
const lastLines = ({ text, count, endingBefore }: TextLines, chars: number) =>
  Math.max(0, count - endingBefore(text.length - chars) - 1)

/** The stretches that are left without the lines that both texts begin and end with. */
export const differingLines = (before: TextLines, after: TextLines): readonly [Stretch, Stretch] => {
  const start = commonStart(before.text, after.text)
  const first = Math.min(before.endingBefore(start), after.endingBefore(start))
  const most = Math.min(before.text.length, after.text.length) - before.startOf(first)
  const end = commonEnd(before.text, after.text, most)
  const stretchOf = (lines: TextLines): Stretch => {
    const last = lastLines(lines, end)
    return { lines, first, count: lines.count - last - first }
  }
  return [stretchOf(before), stretchOf(after)]
}

/** The same number for the same line on both sides, from 0. */
export const numberedLines = (before: Stretch, after: Stretch) => {
  const known = new Map<string, number>()
  const numbered = ({ lines, first, count }: Stretch) => {
    const numbers = new Int32Array(count)
    for (let at = 0; at < count; at++) {
      const line = lines.at(first + at)
      const number = known.get(line) ?? known.size
      if (number === known.size) known.set(line, number)
      numbers[at] = number
    }
    return numbers
  }
  return { before: numbered(before), after: numbered(after), distinct: known.size }
}

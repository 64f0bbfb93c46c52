import { median, type Spread, spread } from './stats.ts'

/** What a ratio must be: large for speeds, small for times and memory. */
export type Target = { atLeast: number } | { atMost: number }

/** The two sides of one round. */
export type Pair = { product: number; limit: number }

/** One side's median. @param name what was measured */
export type Side = { name: string; median: number; unit: string }

/** One row of the table. */
export type Result = {
  name: string
  what: string
  /** `at least 0.90` or `at most 1.15`; empty where the figure only explains another one */
  target: string
  /** Product to limit, round by round. */
  ratio: Spread
  isReached: boolean
  product: Side
  limit: Side
  notes: readonly string[]
}

/** Everything of one run, as `--json` writes it. */
export type Report = {
  /** ISO 8601 */
  date: string
  machine: { cpu: string; cores: number; memoryBytes: number; kernel: string }
  versions: { shortcrust: string; commit: string; bun: string; wrk: string; nginx: string }
  seconds: number
  rounds: number
  figures: readonly Result[]
}

export const targetText = (target: Target | undefined) => {
  if (!target) return ''
  return 'atLeast' in target ? `at least ${target.atLeast.toFixed(2)}` : `at most ${target.atMost.toFixed(2)}`
}

export const isReached = (target: Target | undefined, ratio: number) => {
  if (!target) return true
  return 'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost
}

export type Described = {
  name: string
  what: string
  /** None where the figure only explains another one. */
  target?: Target
  unit: string
  /** What stands on either side. */
  sides: readonly [product: string, limit: string]
}

/** @throws when a round has no figure for one of the sides */
export const resultOf = (figure: Described, pairs: readonly Pair[], notes: readonly string[]): Result => {
  const ratio = spread(pairs.map(({ product, limit }) => product / limit))
  const side = (at: 0 | 1, key: keyof Pair) => ({
    name: figure.sides[at],
    median: median(pairs.map((pair) => pair[key])),
    unit: figure.unit,
  })
  return {
    name: figure.name,
    what: figure.what,
    target: targetText(figure.target),
    ratio,
    isReached: isReached(figure.target, ratio.median),
    product: side(0, 'product'),
    limit: side(1, 'limit'),
    notes,
  }
}

import { type Facts, inColumns } from '../measure/report.ts'

/** The middle value, or the mean of the two in the middle. @throws when there is none */
export const median = (values: readonly number[]) => {
  if (values.length === 0 || !values.every(Number.isFinite)) throw new Error(`no median of [${values}]`)
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] as number) + (sorted[Math.ceil(at)] as number)) / 2
}

/** The middle of some numbers and how far they spread. */
export const spread = (values: readonly number[]) => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

/** What a ratio must be: large for speeds, small for times and memory. */
type Target = { atLeast: number } | { atMost: number }
/** The two sides of one round. */
export type Pair = { product: number; baseline: number }

export type Described = {
  name: string
  what: string
  target: Target
  unit: string
  /** What stands on either side. */
  sides: readonly [product: string, baseline: string]
}

const targetText = (target: Target) =>
  'atLeast' in target ? `at least ${target.atLeast.toFixed(2)}` : `at most ${target.atMost.toFixed(2)}`

export const isReached = (target: Target, ratio: number) =>
  'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost

/** ratios of product to baseline, round by round. @throws when a round has no figure for a side */
export const resultOf = ({ name, what, target, unit, sides }: Described, pairs: readonly Pair[]) => {
  const ratio = spread(pairs.map(({ product, baseline }) => product / baseline))
  const sideOf = (name: string, values: readonly number[]) => ({ name, median: median(values), unit })
  return {
    ...{ name, what, target: targetText(target), ratio, isReached: isReached(target, ratio.median) },
    product: sideOf(
      sides[0],
      pairs.map(({ product }) => product),
    ),
    baseline: sideOf(
      sides[1],
      pairs.map(({ baseline }) => baseline),
    ),
  }
}
export type Result = ReturnType<typeof resultOf>

/** Everything of one run, as `--json` writes it. */
export type Report = Facts & {
  versions: { wrk: string }
  seconds: number
  rounds: number
  figures: readonly Result[]
}

/** `52,134 req/s`, `28.4 ms` */
export const sideText = ({ median, unit }: Result['product']) => {
  const digits = median >= 1000 ? 0 : 1
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${median.toLocaleString('en', options)} ${unit}`
}

export const rowOf = ({ ratio, target, isReached, name, product, baseline }: Result) => [
  ...[ratio.median, ratio.min, ratio.max].map((value) => value.toFixed(2)),
  target,
  isReached ? '' : 'missed',
  name,
  sideText(product),
  `${sideText(baseline)} (${baseline.name})`,
]

/** The table for a terminal. */
export const tableText = (results: readonly Result[]) => {
  const heads = ['ratio', 'min', 'max', 'target', '', 'figure', 'product', 'baseline']
  return inColumns([heads, ...results.map(rowOf)], [0, 1, 2, 6])
}

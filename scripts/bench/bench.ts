import type { Described, Pair } from './results.ts'

/** A data folder with many items in it. */
export type Stock = { data: string; links: readonly string[] }

/** What a figure may use while it is measured. */
export type Bench = {
  /** Length of one measurement. */
  seconds: number
  isSmoke: boolean
  /** To be called when the figure is done, the last one first. */
  defer: (close: () => unknown) => void
  /** The full folder, made when first asked for. */
  stock: () => Promise<Stock>
}

/** What was started side by side, ready to be measured. */
export type Contest = {
  round: (isLimitFirst: boolean) => Promise<Pair>
  /** After the last round. @returns what the figure has to say beside its numbers */
  finish?: () => Promise<readonly string[]>
}

export type Figure = Described & {
  /** Only where a round goes on for minutes and cannot begin again. */
  rounds?: 1
  open: (bench: Bench) => Promise<Contest>
}

/** Calls what was deferred in `work` when that is done, the last one first. */
export const withClosers = async <T>(work: (defer: Bench['defer']) => Promise<T>): Promise<T> => {
  const closers: (() => unknown)[] = []
  try {
    return await work((close) => closers.push(close))
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/**
 * Starts both sides anew for each round: where a process happens to lie in memory makes it 6 % faster or slower for all
 * of its life, so rounds with the same processes agree with each other and not with the next run.
 */
export const anewEachRound =
  (open: Figure['open']): Figure['open'] =>
  async (bench) => ({
    round: (isLimitFirst) =>
      withClosers(async (defer) => (await open({ ...bench, defer })).round(isLimitFirst)),
  })

/** Seconds of each half of a measurement; wrk counts whole ones. */
export const halfOf = (seconds: number) => Math.ceil(seconds / 2)

/**
 * A round: one side, twice the other, and the first one again. A machine that becomes slower or faster meanwhile, as one
 * does for seconds that others have a share in, slows both sides alike.
 */
export const alternately =
  (product: () => Promise<number>, limit: () => Promise<number>): Contest['round'] =>
  async (isLimitFirst) => {
    const sides = { product, limit }
    const [outer, inner] = isLimitFirst ? (['limit', 'product'] as const) : (['product', 'limit'] as const)
    const means = { product: 0, limit: 0 }
    for (const side of [outer, inner, inner, outer]) means[side] += (await sides[side]()) / 2
    return means
  }

import type { Described, Pair } from './results.ts'

/** A data folder with many items in it. */
export type Stock = {
  data: string
  links: readonly string[]
  /** Takes out what was created since; no server must run on it. */
  reset: () => void
}

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

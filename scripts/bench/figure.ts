import { type Defer, withClosers } from '../measure/children.ts'
import type { Described, Pair } from './results.ts'

/** A data folder with many items in it. */
export type Stock = { data: string; links: readonly string[] }

/** What a figure may use while it is measured. */
export type Bench = {
  /** Length of one measurement. */
  seconds: number
  isSmoke: boolean
  defer: Defer
  /** The full folder, made when first asked for. */
  stock: () => Promise<Stock>
}

/** What was started side by side, ready to be measured round by round. */
export type Contest = { round: (isBaselineFirst: boolean) => Promise<Pair> }

export type Figure = Described & { open: (bench: Bench) => Promise<Contest> }

/**
 * Starts both sides anew for each round: where a process happens to lie in memory makes it 6 % faster or slower for all
 * of its life, so rounds with the same processes agree with each other and not with the next run.
 */
export const anewEachRound =
  (open: Figure['open']): Figure['open'] =>
  async (bench) => ({
    round: (isBaselineFirst) =>
      withClosers(async (defer) => (await open({ ...bench, defer })).round(isBaselineFirst)),
  })

import type { Facts } from '../measure/machine.ts'
import type { Attack, Limits, Seen } from './attack.ts'

/** What one round showed, stall and memory among the figures. */
export type Round = Seen & {
  /** Longest answer while the server rested, before the attack: what the machine alone makes of it. */
  quietMs: number
}

export type Result = Pick<Attack, 'name' | 'what' | 'senders'> & {
  limits: Limits
  /** Each figure's lowest value of all rounds. */
  best: Readonly<Record<string, number>>
  /** `ok`, or what is over its limit or wrong. */
  verdict: string
  rounds: readonly Round[]
}

/** Everything of one run, as `--json` writes it. */
export type Report = Facts & {
  isShort: boolean
  attacks: readonly Result[]
}

export const isGood = ({ verdict }: Pick<Result, 'verdict'>) => verdict === 'ok'

/**
 * A limit is exceeded when it is exceeded in every round: a busy machine makes a figure worse, but never better. What is
 * wrong in one round is wrong.
 */
export const judge = ({ name, what, senders, limits }: Attack, rounds: readonly Round[]): Result => {
  const names = [...new Set(rounds.flatMap(({ figures }) => Object.keys(figures)))]
  const best = Object.fromEntries(
    names.map((figure) => [figure, Math.min(...rounds.map(({ figures }) => figures[figure] ?? Infinity))]),
  )
  const over = Object.entries(limits).filter(([figure, limit]) => !((best[figure] ?? Infinity) <= limit))
  const wrong = [...new Set(rounds.flatMap((round) => round.wrong))]
  const parts = [...(over.length ? [`over: ${over.map(([figure]) => figure).join(', ')}`] : []), ...wrong]
  return { name, what, senders, limits, best, verdict: parts.join('; ') || 'ok', rounds }
}

// `npm run attack`: what strangers can do to the executable, with limits; docs/attacks.md says how it is measured.
import { parseArgs } from 'node:util'
import * as options from '../measure/options.ts'
import { facts } from '../measure/report.ts'
import type { Attack } from './attack.ts'
import { attacks, shortest } from './list.ts'
import { isGood, judge, type Report, type Result, type Round, tableText } from './report.ts'
import { type Pace, paces, playRound, prepare } from './round.ts'

const usage = '[--json FILE] [--only NAME]... [--short | --shortest]'
const mostRounds = 5

/** @throws {Error} whose message says what is wrong and what is expected */
export const readOptions = (args: readonly string[]) => {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  const known = { json: text, only: { ...text, multiple: true }, short: flag, shortest: flag } as const
  const { values } = parseArgs({ args: [...args], options: known })
  const only = [...(values.only ?? []), ...(values.shortest ? shortest : [])]
  const { json } = values
  options.checkOptions(
    'attack',
    attacks.map(({ name }) => name),
    { json, only },
  )
  return { json, only, isShort: values.short || values.shortest }
}

/** Plays an attack until a round is within all limits, or something is wrong, five times at most. */
export const play = async (attack: Attack, pace: Pace, program?: readonly string[]): Promise<Result> => {
  const prepared = await prepare(attack, program)
  const rounds: Round[] = []
  for (;;) {
    rounds.push(await playRound(attack, prepared, pace, program))
    const result = judge(attack, rounds)
    const isWrong = rounds.some(({ wrong }) => wrong.length > 0)
    if (isGood(result) || isWrong || rounds.length === mostRounds) return result
  }
}

/**
 * @param program what is attacked instead of the executable
 * @returns the exit code: 1 where something is over its limit or wrong, 2 for wrong options
 */
export const runAttacks = async (args: readonly string[], program?: readonly string[]): Promise<number> => {
  const chosen = options.readOrComplain('attack', usage, () => readOptions(args))
  if (!chosen) return 2
  const { only, isShort } = chosen
  const isPlayed = ({ isInShortRun = true }: Attack) => isInShortRun || only.length > 0 || !isShort
  const wanted = attacks.filter((one) => options.isWanted(one.name, only) && isPlayed(one))
  const pace = isShort ? paces.short : paces.long
  const results = await options.playRows('attack', wanted, (one) => play(one, pace, program))
  console.log(tableText(results))
  options.writeJson(chosen, { ...facts(), isShort, attacks: results } satisfies Report)
  const bad = wanted.filter(({ name }) => !results.some((one) => one.name === name && isGood(one)))
  if (bad.length > 0)
    options.complain(
      'attack',
      `${bad.length} of ${wanted.length} attacks failed or are over their limits: ${bad.map(({ name }) => name).join(', ')}`,
    )
  return bad.length > 0 ? 1 : 0
}

if (import.meta.main) await options.runTool(runAttacks)

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { facts } from '../measure/machine.ts'
import { checkOptions, complain, isWanted, showProgress } from '../measure/options.ts'
import type { Attack } from './attack.ts'
import { attacks } from './list.ts'
import { isGood, judge, type Report, type Result, type Round } from './results.ts'
import { type Pace, paces, playRound, prepare } from './round.ts'
import { tableText } from './table.ts'

const usage = 'usage: npm run attack -- [--json FILE] [--only NAME]... [--short]'
const mostRounds = 5

type Options = { json: string | undefined; only: readonly string[]; isShort: boolean }

/** @throws {Error} whose message says what is wrong and what is expected */
export const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'string' },
      only: { type: 'string', multiple: true },
      short: { type: 'boolean' },
    },
  })
  const names = attacks.map(({ name }) => name)
  checkOptions('attack', names, values)
  const { json, only = [], short: isShort = false } = values
  return { json, only, isShort }
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
export const attack = async (args: readonly string[], program?: readonly string[]): Promise<number> => {
  let options: Options
  try {
    options = readOptions(args)
  } catch (error) {
    complain('attack', `${(error as Error).message}\n${usage}`)
    return 2
  }
  const { json, only, isShort } = options
  const isNamed = only.length > 0
  const wanted = attacks.filter(
    ({ name, isInShortRun = true }) => isWanted(name, only) && (isInShortRun || isNamed || !isShort),
  )
  const results: Result[] = []
  for (const [at, one] of wanted.entries()) {
    showProgress(`${at + 1} of ${wanted.length}: ${one.name}`)
    results.push(await play(one, isShort ? paces.short : paces.long, program))
  }
  showProgress('')
  console.log(tableText(results))
  const report: Report = { ...facts(), isShort, attacks: results }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  const bad = results.filter((result) => !isGood(result)).length
  if (bad > 0) complain('attack', `${bad} of ${results.length} attacks are over their limits`)
  return bad > 0 ? 1 : 0
}

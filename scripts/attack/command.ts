import { existsSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../../package.json' with { type: 'json' }
import { commit, machine } from '../bench/machine.ts'
import { isWanted } from '../bench/options.ts'
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
  const { json, only = [], short: isShort = false } = values
  for (const name of only)
    if (!attacks.some((attack) => isWanted(attack.name, [name])))
      throw new Error(`there is no attack "${name}"; there are ${attacks.map((one) => one.name).join(', ')}`)
  if (json !== undefined && !existsSync(dirname(resolve(json))))
    throw new Error(`--json: the folder of ${json} does not exist; make it first`)
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

const wipeLine = process.stderr.isTTY ? '\r\x1b[K' : ''
const progress = (text: string) => {
  if (wipeLine) process.stderr.write(wipeLine + text)
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
    console.error(`attack: ${(error as Error).message}\n${usage}`)
    return 2
  }
  const { json, only, isShort } = options
  const isNamed = only.length > 0
  const wanted = attacks.filter(
    ({ name, isInShortRun = true }) => isWanted(name, only) && (isInShortRun || isNamed || !isShort),
  )
  const results: Result[] = []
  for (const [at, one] of wanted.entries()) {
    progress(`${at + 1} of ${wanted.length}: ${one.name}`)
    results.push(await play(one, isShort ? paces.short : paces.long, program))
  }
  progress('')
  console.log(tableText(results))
  const report: Report = {
    date: new Date().toISOString(),
    machine: machine(),
    versions: { shortcrust: version, commit: commit(), bun: Bun.version },
    isShort,
    attacks: results,
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 2)}\n`)
  const bad = results.filter((result) => !isGood(result)).length
  if (bad > 0) console.error(`attack: ${bad} of ${results.length} attacks are over their limits`)
  return bad > 0 ? 1 : 0
}

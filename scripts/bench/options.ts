import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'

export type Options = {
  /** Where the JSON goes. */
  json: string | undefined
  /** Names of figures, or what stands before the slash of several; empty means all. */
  only: readonly string[]
  /** Length of each measurement. */
  seconds: number
  rounds: number
  /** Everything once and with small numbers, to see that it works. */
  isSmoke: boolean
}

export const usage =
  'usage: npm run bench -- [--json FILE] [--only NAME]... [--seconds N] [--rounds N] [--smoke]'

/** Fewer say nothing about how far the figures spread. */
const leastRounds = 5
const defaultSeconds = 5

export const isWanted = (name: string, only: readonly string[]) =>
  only.length === 0 || only.includes(name) || only.includes(name.split('/')[0] as string)

const wholeNumber = (flag: string, raw: string | undefined, fallback: number, least: number) => {
  if (raw === undefined) return fallback
  const isNumber = /^\d{1,4}$/.test(raw) && Number(raw) >= least
  if (!isNumber) throw new Error(`--${flag} takes a whole number from ${least} to 9999, not "${raw}"`)
  return Number(raw)
}

/** @throws {Error} whose message says what is wrong and what is expected */
export const readOptions = (args: readonly string[], names: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'string' },
      only: { type: 'string', multiple: true },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      smoke: { type: 'boolean' },
    },
  })
  const { json, only = [], smoke: isSmoke = false } = values
  for (const name of only)
    if (!names.some((known) => isWanted(known, [name])))
      throw new Error(`there is no figure "${name}"; there are ${names.join(', ')}`)
  if (json !== undefined && !existsSync(dirname(resolve(json))))
    throw new Error(`--json: the folder of ${json} does not exist; make it first`)
  return {
    json,
    only,
    seconds: wholeNumber('seconds', values.seconds, isSmoke ? 1 : defaultSeconds, 1),
    rounds: wholeNumber('rounds', values.rounds, isSmoke ? 1 : leastRounds, isSmoke ? 1 : leastRounds),
    isSmoke,
  }
}

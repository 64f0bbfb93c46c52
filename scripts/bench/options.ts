import { parseArgs } from 'node:util'
import { checkOptions } from '../measure/options.ts'

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
  checkOptions('figure', names, values)
  const { json, only = [], smoke: isSmoke = false } = values
  return {
    json,
    only,
    seconds: wholeNumber('seconds', values.seconds, isSmoke ? 1 : defaultSeconds, 1),
    rounds: wholeNumber('rounds', values.rounds, isSmoke ? 1 : leastRounds, isSmoke ? 1 : leastRounds),
    isSmoke,
  }
}

/** Program and the package of the distribution that brings it. */
const programs = { wrk: 'wrk', taskset: 'util-linux' }

/** What to type when a program is missing. */
export const missingPrograms = (find: (program: string) => string | null = Bun.which) => {
  const missing = Object.entries(programs).filter(([name]) => find(name) === null)
  if (missing.length === 0) return undefined
  const [names, packages] = [missing.map(([name]) => name), missing.map(([, from]) => from)]
  return `${names.join(' and ')} missing; install with: apt-get install ${packages.join(' ')}`
}

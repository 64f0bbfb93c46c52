import { parseArgs } from 'node:util'
import { checkOptions, isWanted } from '../measure/options.ts'
import type { State } from './state.ts'

export const usage = 'usage: npm run look -- [--only NAME]...   NAME is a state or a page, as in the index'

/** The states that the command line asks for, all of them where it names none. @throws {Error} for a name that is none */
export const wantedStates = (args: readonly string[], states: readonly State[]): readonly State[] => {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string', multiple: true } } })
  const names = states.map(({ name }) => name)
  checkOptions('state', names, values)
  return states.filter(({ name }) => isWanted(name, values.only ?? []))
}

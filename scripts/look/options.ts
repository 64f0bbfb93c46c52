import { parseArgs } from 'node:util'
import type { State } from './state.ts'

export const usage = 'usage: npm run look -- [--only NAME]...   NAME is a state or a page, as in the index'

const isWanted = ({ name }: State, only: string) => name === only || name.startsWith(`${only}/`)

/** The states that the command line asks for, all of them where it names none. @throws {Error} for a name that is none */
export const wantedStates = (args: readonly string[], states: readonly State[]): readonly State[] => {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string', multiple: true } } })
  const { only = [] } = values
  for (const name of only)
    if (!states.some((state) => isWanted(state, name)))
      throw new Error(
        `there is no state "${name}"; there are ${states.map((state) => state.name).join(', ')}`,
      )
  if (only.length === 0) return states
  return states.filter((state) => only.some((name) => isWanted(state, name)))
}

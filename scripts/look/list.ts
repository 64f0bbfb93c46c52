import { parseArgs } from 'node:util'
import { checkOptions, isWanted } from '../measure/options.ts'
import type { State } from './state.ts'
import { editStates, ownStates } from './states/changing.ts'
import { diffStates } from './states/comparing.ts'
import { homeStates, itemStates, linkStates } from './states/creating.ts'
import { keylessStates } from './states/keyless.ts'
import { logStates } from './states/logs.ts'
import { maskStates } from './states/masking.ts'
import { namedStates } from './states/named.ts'
import { ownerStates } from './states/owner.ts'
import { deletionStates, docsStates, errorStates, limitedStates, pasteStates } from './states/reading.ts'
import { viewStates } from './states/views.ts'

/** Every state of every page, in the order of the album. A new page or a new state is one entry here. */
export const states: readonly State[] = [
  ...[...homeStates, ...linkStates, ...itemStates],
  ...keylessStates,
  ...[...editStates, ...ownStates],
  ...[...pasteStates, ...viewStates, ...logStates, ...limitedStates],
  ...[...deletionStates, ...errorStates, ...docsStates],
  ...diffStates,
  ...maskStates,
  ...ownerStates,
  ...namedStates,
]

/** The states that the command line asks for, all of them where it names none. @throws {Error} for a name that is none */
export const wantedStates = (args: readonly string[]): readonly State[] => {
  const { values } = parseArgs({ args: [...args], options: { only: { type: 'string', multiple: true } } })
  checkOptions(
    'state',
    states.map(({ name }) => name),
    values,
  )
  return states.filter(({ name }) => isWanted(name, values.only ?? []))
}

import type { State } from './state.ts'
import { editStates, ownStates } from './states/changing.ts'
import { diffStates } from './states/comparing.ts'
import { homeStates, itemStates, linkStates, maskStates } from './states/creating.ts'
import { keylessStates } from './states/keyless.ts'
import { logStates } from './states/logs.ts'
import { namedStates } from './states/named.ts'
import { ownerStates } from './states/owner.ts'
import {
  deletionStates,
  docsStates,
  errorStates,
  limitedStates,
  pasteStates,
  viewStates,
} from './states/reading.ts'

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

import type { State } from './state.ts'
import { homeStates } from './states/home.ts'
import { itemStates } from './states/items.ts'
import { linkStates } from './states/links.ts'
import { deletionStates, docsStates, errorStates, limitedStates } from './states/others.ts'
import { pasteStates } from './states/pastes.ts'

/** Every state of every page, in the order of the album. A new page or a new state is one entry here. */
export const states: readonly State[] = [
  ...homeStates,
  ...linkStates,
  ...itemStates,
  ...pasteStates,
  ...limitedStates,
  ...deletionStates,
  ...errorStates,
  ...docsStates,
]

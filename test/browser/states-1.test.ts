import { describe } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { lookAtStates } from '../support/seen/every-state.ts'

describe.skipIf(!requireChromium())('every state: 1 of 4', () => lookAtStates(1))

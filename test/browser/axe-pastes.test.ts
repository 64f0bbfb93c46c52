import { describe } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { axeLooksAtStates } from '../support/seen/axe-states.ts'

describe.skipIf(!requireChromium())('every state: pastes', () => axeLooksAtStates('pastes'))

// Runs before the first paint, so that a page never flashes in the wrong colours.
import { applyTheme, storedTheme } from './theme-choice.ts'

applyTheme(storedTheme())

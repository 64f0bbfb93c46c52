// Runs before the first paint, so pages neither flash in the wrong colours nor shift when scripts start.
import { read } from './storage.ts'
import { applyTheme, storedTheme } from './theme-choice.ts'

const { classList } = document.documentElement

classList.add('js')
applyTheme(storedTheme())
classList.toggle('has-key', read('key') !== undefined)

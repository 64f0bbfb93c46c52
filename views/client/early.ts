// Runs before the first paint, so that no page flashes in the wrong colours or moves when its scripts are there.
import { read } from './storage.ts'
import { applyTheme, storedTheme } from './theme-choice.ts'

const { classList, dataset } = document.documentElement

classList.add('js')
applyTheme(storedTheme())
dataset.tab = /^\?(link|items)\b/.exec(location.search)?.[1] ?? 'paste'
classList.toggle('has-key', read('key') !== undefined)

// Runs before the first paint, so pages neither flash in the wrong colours nor shift when scripts start.
import { madeHere } from './made.ts'
import { nameRange, parseRange } from './ranges.ts'
import { read } from './storage.ts'
import { applyTheme, storedTheme } from './theme-choice.ts'

const { classList, dataset } = document.documentElement
const wrap = read('wrap')

classList.add('js')
applyTheme(storedTheme())
nameRange(parseRange(location.hash))
if (wrap !== undefined) dataset.wrap = wrap
classList.toggle('has-key', read('key') !== undefined)
classList.toggle('can-share', 'share' in navigator)
classList.toggle('is-made', madeHere() !== undefined)

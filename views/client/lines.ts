import { elements } from './dom.ts'
import { loadFor } from './loading.ts'
import { nameRange, parseRange, type Range, rangeHash } from './ranges.ts'

export const firstMarked = () => parseRange(location.hash)?.first

export const lineOf = (number: number) => document.getElementById(`L${number}`)

/** Opens the stack trace that hides a line. */
const unfold = (line: HTMLElement | null) => {
  const fold = line?.closest('details')
  if (fold) fold.open = true
}

/** While loading, Chromium may scroll back to the top, because no element has the name of a range. */
const whenLoaded = (act: () => void) => {
  if (document.readyState === 'complete') return act()
  addEventListener('load', act, { once: true })
}

let isLoaded = false

/** Says that other lines are marked. What can be done with them comes with the first ones: most visits mark none. */
const tellMarked = async (shown: Range | undefined) => {
  const chip = document.querySelector<HTMLElement>('#marked')
  if (!chip) return
  if (!isLoaded && document.querySelector('.marked')) {
    isLoaded = true
    await loadFor(chip).catch(() => {
      isLoaded = false
    })
  }
  document.dispatchEvent(new CustomEvent('shortcrust:marked', { detail: shown }))
}

/** Marks the lines in the address. `:target` marks a single line without JavaScript. */
const markRange = (): Range | undefined => {
  for (const marked of elements('.marked')) marked.classList.remove('marked')
  const range = parseRange(location.hash)
  if (range) unfold(lineOf(range.first))
  let shown: Range | undefined
  for (let at = range?.first ?? 0; range && at <= range.last; at++) {
    const marked = lineOf(at)
    if (!marked) break
    marked.classList.add('marked')
    shown = { first: range.first, last: at }
  }
  nameRange(shown)
  void tellMarked(shown)
  return range
}

const showRange = () => {
  const { first, last } = markRange() ?? {}
  if (first !== undefined && first !== last)
    whenLoaded(() => lineOf(first)?.scrollIntoView({ block: 'center' }))
}

/** The line whose number is under the mouse. */
const numberAt = (code: HTMLElement, { target, clientX }: MouseEvent) => {
  const line = target instanceof Element ? target.closest('li') : null
  if (!line) return undefined
  const numbersWidth = Number.parseFloat(getComputedStyle(line, '::before').width)
  return clientX - code.getBoundingClientRect().left > numbersWidth ? undefined : Number(line.id.slice(1))
}

/** A click on a line number links to the line; shift-click extends the link to a range. */
export const enableLineLinks = (code: HTMLElement) => {
  // Takes no focus: the Shift of the next click would frame the whole text, as if it was reached by keyboard.
  code.addEventListener('mousedown', (event) => {
    if (numberAt(code, event) !== undefined) event.preventDefault()
  })
  code.addEventListener('click', (event) => {
    const number = numberAt(code, event)
    if (number === undefined) return
    const start = firstMarked()
    const isRange = event.shiftKey && start !== undefined && start !== number
    const ends = isRange ? [start, number].sort((a, b) => a - b) : [number, number]
    history.replaceState(null, '', rangeHash({ first: ends[0] as number, last: ends[1] as number }))
    markRange()
  })
  addEventListener('hashchange', showRange)
  showRange()
}

import { elements } from './dom.ts'

export type Range = { first: number; last: number }

const rangeFrom = (from: string | undefined, to = from): Range | undefined => {
  const ends = [Number(from), Number(to)].sort((a, b) => a - b)
  return from === undefined ? undefined : { first: ends[0] as number, last: ends[1] as number }
}

const parseRange = (hash: string) => {
  const [, from, to] = /^#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? []
  return rangeFrom(from, to)
}

/** What a person types: `120` or `120-140`. */
export const toRange = (text: string) => {
  const [, from, to] = /^\s*(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?\s*$/.exec(text) ?? []
  return rangeFrom(from, to)
}

export const rangeHash = ({ first, last }: Range) => `#L${first}${first === last ? '' : `-L${last}`}`

export const lineOf = (number: number) => document.getElementById(`L${number}`)

/** Until it is loaded, Chromium may put a page back to its top: it knows no element by the name of a range. */
const whenLoaded = (act: () => void) => {
  if (document.readyState === 'complete') return act()
  addEventListener('load', act, { once: true })
}

/** Marks the lines of the address; a single one is marked by `:target`, also without JavaScript. */
const markRange = (): Range | undefined => {
  for (const marked of elements('.marked')) marked.classList.remove('marked')
  const range = parseRange(location.hash)
  if (!range) return undefined
  for (let at = range.first; at <= range.last; at++) {
    const marked = lineOf(at)
    if (!marked) break
    marked.classList.add('marked')
  }
  return range
}

const showRange = () => {
  const { first, last } = markRange() ?? {}
  if (first !== undefined && first !== last)
    whenLoaded(() => lineOf(first)?.scrollIntoView({ block: 'center' }))
}

/** A click on a line number links to the line, a shift-click to the range from the last one. */
export const enableLineLinks = (code: HTMLElement) => {
  code.addEventListener('click', (event) => {
    const clicked = event.target instanceof Element ? event.target.closest('li') : null
    if (!clicked) return
    const numbersWidth = Number.parseFloat(getComputedStyle(clicked).paddingLeft)
    if (event.clientX - code.getBoundingClientRect().left > numbersWidth) return
    const number = Number(clicked.id.slice(1))
    const start = parseRange(location.hash)?.first
    const isRange = event.shiftKey && start !== undefined && start !== number
    if (isRange) getSelection()?.removeAllRanges()
    const ends = isRange ? [start, number].sort((a, b) => a - b) : [number, number]
    const hash = rangeHash({ first: ends[0] as number, last: ends[1] as number })
    history.replaceState(null, '', hash)
    markRange()
  })
  addEventListener('hashchange', showRange)
  showRange()
}

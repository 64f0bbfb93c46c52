// Loaded by the page of a log: goes from one error to the next.
import { announce, element, elements } from './dom.ts'
import { goTo } from './go-to-line.ts'

const numberOf = (line: Element) => Number(line.id.slice(1))

/** The lines to go to, in their order; not those that belong to a line before. */
const found = () => {
  const { level = 'le' } = element('#next-error').dataset
  return elements(`.${level}:not(.lc)`)
}

/** The line that is marked, from where to go on. */
const current = () => Number(/^#L(\d{1,7})/.exec(location.hash)?.[1] ?? 0)

/** @param by 1 for the next one, -1 for the one before; after the last one comes the first */
const go = (by: 1 | -1) => {
  const lines = found()
  const from = current()
  const at =
    by > 0
      ? lines.findIndex((line) => numberOf(line) > from)
      : lines.findLastIndex((line) => numberOf(line) < from)
  const next = at >= 0 ? at : by > 0 ? 0 : lines.length - 1
  const line = lines[next]
  if (!line) return
  goTo({ first: numberOf(line), last: numberOf(line) })
  announce(`${next + 1} of ${lines.length}: line ${numberOf(line)}`)
}

// On the document: a page that is followed gets new buttons.
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest('#next-error, #last-error') : null
  if (!button) return
  event.preventDefault()
  go(button.id === 'next-error' ? 1 : -1)
})

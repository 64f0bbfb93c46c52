import { announce, element } from './dom.ts'
import { firstMarked, lineOf } from './lines.ts'
import { type Range, rangeHash, toRange } from './ranges.ts'

const marked = ({ first, last }: Range) =>
  first === last ? `Line ${first} is marked` : `Lines ${first} to ${last} are marked`

/** Scrolls and continues there by keyboard: focus alone does not scroll. */
export const goTo = (range: Range) => {
  const line = lineOf(range.first)
  if (!line) return announce(`There is no line ${range.first} on this page`)
  location.hash = rangeHash(range)
  line.tabIndex = -1
  line.focus({ preventScroll: true })
  line.scrollIntoView({ block: 'center' })
  announce(marked(range))
}

/** The dialog for a line or a range, where the page has one. Escape restores the focus. */
export const enableGoToLine = () => {
  const dialog = document.querySelector<HTMLDialogElement>('#go-to-line')
  if (!dialog) return
  const field = element<HTMLInputElement>('input', dialog)
  let asked: Range | undefined
  element('form', dialog).addEventListener('submit', ({ submitter }) => {
    asked = submitter?.matches('.primary') ? toRange(field.value) : undefined
  })
  // Only now, because closing restores the focus.
  dialog.addEventListener('close', () => {
    if (asked) goTo(asked)
    asked = undefined
    field.value = ''
  })
  element('#go').addEventListener('click', () => {
    // A finger has no Shift, and the keys for numbers have no dash: the range begins at the line that was tapped.
    const first = matchMedia('(pointer: coarse)').matches ? firstMarked() : undefined
    if (first !== undefined) field.value = `${first}-`
    dialog.showModal()
  })
}

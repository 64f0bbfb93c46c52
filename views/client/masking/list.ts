import { element } from '../dom.ts'
import type { Listed } from './messages.ts'

/** More rows would make the page slow; all of them together can still be taken back. */
const mostRows = 500

const list = element('#mask-list')
const rows = new Map<string, HTMLElement>()

const created = (placeholder: string, onToggle: (placeholder: string) => void) => {
  const content = element<HTMLTemplateElement>('#mask-row').content.cloneNode(true) as DocumentFragment
  const row = element('li', content)
  element('code', row).textContent = placeholder
  element('button', row).addEventListener('click', () => onToggle(placeholder))
  rows.set(placeholder, row)
  return row
}

const fill = (row: HTMLElement, { placeholder, isLeft, about }: Listed) => {
  row.classList.toggle('is-left', isLeft)
  element('span', row).textContent = isLeft ? `${about}, taken back` : about
  const button = element('button', row)
  button.textContent = isLeft ? 'Mask again' : 'Take back'
  button.ariaLabel = `${button.textContent} ${placeholder}, ${about}`
}

const values = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'value' : 'values'}`

/** Shows what is masked. Rows stay the same elements, so the button that was pressed keeps the focus. */
export const showList = (listed: readonly Listed[], onToggle: (placeholder: string) => void) => {
  const masked = listed.filter(({ isLeft }) => !isLeft).length
  list.hidden = listed.length === 0
  element('#mask-title').textContent = `${values(masked)} masked`
  element('#mask-all').textContent = masked > 0 ? 'Take all back' : 'Mask all again'
  const shown = listed.slice(0, mostRows)
  const wanted = new Set(shown.map(({ placeholder }) => placeholder))
  for (const [placeholder, row] of rows)
    if (!wanted.has(placeholder)) {
      row.remove()
      rows.delete(placeholder)
    }
  for (const one of shown) {
    const row = rows.get(one.placeholder)
    fill(row ?? created(one.placeholder, onToggle), one)
    if (!row) element('ul', list).append(rows.get(one.placeholder) as HTMLElement)
  }
  const rest = listed.length - shown.length
  element('#mask-more').textContent = rest > 0 ? `and ${values(rest)} more` : ''
}

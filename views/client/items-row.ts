import { showAges } from './age.ts'
import { Refusal } from './api.ts'
import { announce, element } from './dom.ts'
import { forgetItem } from './items-local.ts'
import type { Row } from './items-pages.ts'

/** `1 visit`, `1,000 visits` */
export const countOf = (count: number, word: string) =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

const setTime = (time: HTMLTimeElement, iso: string) => {
  time.dateTime = iso
  time.textContent = new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

const showFacts = (item: HTMLElement, { kind, about, uses, left, createdAt, changedAt, expiresAt }: Row) => {
  element('.item-kind', item).textContent = about
  if (uses !== undefined)
    element('.item-uses', item).textContent = countOf(uses, kind === 'paste' ? 'read' : 'visit')
  if (left !== undefined) element('.item-left', item).textContent = `${left.toLocaleString('en')} left`
  if (expiresAt) setTime(element<HTMLTimeElement>('.expires', item), expiresAt)
  else element('.item-expiry', item).replaceChildren()
  setTime(element<HTMLTimeElement>('.created-at', item), changedAt ?? createdAt)
  if (!changedAt) element('.word', element('.item-age', item)).remove()
  showAges(item)
}

/** Moves the focus when an item is gone: to the next one, else the one before, else the heading. */
const focusBeside = (item: HTMLElement) => {
  const beside = item.nextElementSibling ?? item.previousElementSibling
  const target = beside?.querySelector<HTMLElement>('.ask') ?? element<HTMLElement>('#my-items-title')
  item.remove()
  target.focus()
}

/** @returns true if the item is gone. @throws {Refusal} */
const erase = async ({ name, url, erase: send }: Row) => {
  try {
    await send()
    announce(`Deleted “${name}”`)
  } catch (error) {
    // It was deleted elsewhere, so its row goes too.
    if (!(error instanceof Refusal) || (error.status !== 404 && error.status !== 410)) throw error
    forgetItem((item) => item.url === url)
    announce(`“${name}” was deleted already`)
  }
  document.dispatchEvent(new CustomEvent('shortcrust:deleted', { detail: { url } }))
}

const enableDeletion = (item: HTMLElement, row: Row, onGone: () => void) => {
  const actions = element('.item-actions', item)
  const ask = element('.ask', actions)
  const sure = element('.item-sure', item)
  const [confirm, cancel] = [element<HTMLButtonElement>('.danger', sure), element('.cancel', sure)]
  const error = element('.field-error', item)

  const show = (isAsking: boolean) => {
    actions.hidden = isAsking
    sure.hidden = !isAsking
    ;(isAsking ? confirm : ask).focus()
  }

  ask.addEventListener('click', () => {
    error.textContent = ''
    show(true)
  })
  cancel.addEventListener('click', () => show(false))
  sure.addEventListener('keydown', (event) => {
    // Holding a key down must not confirm.
    if (event.repeat) event.preventDefault()
    if (event.key === 'Escape') show(false)
  })
  confirm.addEventListener('click', async () => {
    confirm.disabled = true
    try {
      await erase(row)
      focusBeside(item)
      onGone()
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem
      error.textContent = problem.message
      show(false)
    } finally {
      confirm.disabled = false
    }
  })
}

/** A row of the list. @param onGone called after the item was deleted and its row removed */
export const rowOf = (row: Row, onGone: () => void): HTMLElement => {
  const content = element<HTMLTemplateElement>('#item').content.cloneNode(true) as DocumentFragment
  const item = element('li', content)
  const { name, url } = row
  const link = element<HTMLAnchorElement>('a', item)
  link.textContent = name
  link.title = name
  link.href = url
  const copy = element('[data-copy]', item)
  copy.dataset.copy = url
  copy.ariaLabel = `Copy the link of “${name}”`
  const edit = element<HTMLAnchorElement>('.edit-item', item)
  edit.href = `./?${row.kind === 'link' ? 'link&' : ''}edit=${url.split('/').at(-1)}`
  edit.ariaLabel = `Edit “${name}”`
  if (row.left !== undefined) edit.remove()
  element('.ask', item).ariaLabel = `Delete “${name}”`
  element('.item-sure', item).ariaLabel = `Delete “${name}”?`
  showFacts(item, row)
  enableDeletion(item, row, onGone)
  return item
}

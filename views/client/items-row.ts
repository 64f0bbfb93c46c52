import { deleteItem, Refusal, request } from './api.ts'
import { announce, element, elements } from './dom.ts'
import { forgetItem } from './items-local.ts'
import { read } from './storage.ts'

/** Moves the focus when an item is gone: to the next one, else the one before, else the heading. */
const focusBeside = (item: HTMLElement) => {
  const beside = item.nextElementSibling ?? item.previousElementSibling
  const target = beside?.querySelector<HTMLElement>('summary') ?? element<HTMLElement>('#my-items-title')
  item.remove()
  target.focus()
}

/** What a row says of its item. */
const itemOf = (row: HTMLElement) => {
  const link = element<HTMLAnchorElement>('.item-name', row)
  const { path = '', deletion } = row.dataset
  return { path, deletion, name: link.textContent ?? '', url: link.getAttribute('href') ?? '' }
}

/** By its key, or by its deletion address. @throws {Refusal} */
const send = async ({ path, deletion }: ReturnType<typeof itemOf>) => {
  if (deletion !== undefined) {
    await deleteItem(deletion)
    return forgetItem(({ deletionUrl }) => deletionUrl === deletion)
  }
  await request(path, { method: 'DELETE', headers: { key: read('key') ?? '' } })
  // The local list may contain it too; its deletion key starts with the id.
  forgetItem(({ deletionUrl }) => deletionUrl.includes(`=${path.split('/').at(-1)}`))
}

/** @returns once the item is gone. @throws {Refusal} */
const erase = async (row: HTMLElement) => {
  const item = itemOf(row)
  const { name, url } = item
  try {
    await send(item)
    announce(`Deleted “${name}”`)
  } catch (error) {
    // It was deleted elsewhere, so its row goes too.
    if (!(error instanceof Refusal) || (error.status !== 404 && error.status !== 410)) throw error
    forgetItem((item) => item.url === url)
    announce(`“${name}” was already deleted`)
  }
  document.dispatchEvent(new CustomEvent('shortcrust:deleted', { detail: { url } }))
}

const enableDeletion = (item: HTMLElement, onGone: () => void) => {
  const actions = element('.item-actions', item)
  const menu = element<HTMLDetailsElement>('.menu', actions)
  const sure = element('.item-sure', item)
  const [confirm, cancel] = [element<HTMLButtonElement>('.danger', sure), element('.cancel', sure)]
  const error = element('.field-error', item)

  const show = (isAsking: boolean) => {
    actions.hidden = isAsking
    sure.hidden = !isAsking
    menu.open = false
    ;(isAsking ? confirm : element('summary', menu)).focus()
  }

  menu.addEventListener('toggle', () => element('.popup', menu).scrollIntoView({ block: 'nearest' }))
  element('.ask', menu).addEventListener('click', () => {
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
      await erase(item)
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

/** Gives a row its buttons. @param onGone called after the item was deleted and its row removed */
export const addActions = (row: HTMLElement, onGone: () => void) => {
  const { name, url } = itemOf(row)
  row.append(element<HTMLTemplateElement>('#item-actions').content.cloneNode(true))
  const copy = element('[data-copy]', row)
  copy.dataset.copy = url
  copy.ariaLabel = `Copy the link of “${name}”`
  element('summary', row).ariaLabel = `More for “${name}”`
  const [, before = '', part, id = ''] = /^(.*)\/([ps])\/([^/]*)$/.exec(url) ?? []
  const isLink = part === 's'
  const [raw, preview, edit] = ['of-paste', 'of-link', 'edit-item'].map((name) =>
    element<HTMLAnchorElement>(`.${name}`, row),
  ) as [HTMLAnchorElement, HTMLAnchorElement, HTMLAnchorElement]
  raw.href = `${before}/p/raw/${id}`
  preview.href = `${url}+`
  edit.href = `./?${isLink ? 'link&' : ''}edit=${id}`
  // What burns is read by its page alone, and cannot be changed.
  const isBurning = row.dataset.burning !== undefined
  raw.hidden = isLink || isBurning
  preview.hidden = !isLink
  edit.hidden = isBurning
  element('.item-sure', row).ariaLabel = `Delete “${name}”?`
  enableDeletion(row, onGone)
}

/** Goes from row to row, and copies the link of the row with the focus. Tab still stops at each control. */
export const enableRowKeys = (panel: HTMLElement) => {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, c: 0 }
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    const by = steps[key]
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing
    if (by === undefined || isOther || !panel.offsetParent || !(target instanceof Element)) return
    // An open menu has rows of its own.
    if (target.closest('dialog, select, .menu[open]')) return
    const rows = elements('.item-list > li', panel)
    const at = rows.findIndex((row) => row.contains(target))
    if (by === 0) return at < 0 ? undefined : element('[data-copy]', rows[at]).click()
    const inView = () => (by > 0 ? rows.find((row) => row.getBoundingClientRect().top >= 0) : undefined)
    const row = at < 0 ? inView() : rows[at + by]
    if (!row) return
    event.preventDefault()
    element('.item-name', row).focus()
  })
}

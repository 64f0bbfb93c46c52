import { deleteItem, Refusal, request } from './api.ts'
import { announce, element } from './dom.ts'
import { forgetItem } from './items-local.ts'
import { read } from './storage.ts'

/** Moves the focus when an item is gone: to the next one, else the one before, else the heading. */
const focusBeside = (item: HTMLElement) => {
  const beside = item.nextElementSibling ?? item.previousElementSibling
  const target = beside?.querySelector<HTMLElement>('.ask') ?? element<HTMLElement>('#my-items-title')
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
    announce(`“${name}” was deleted already`)
  }
  document.dispatchEvent(new CustomEvent('shortcrust:deleted', { detail: { url } }))
}

const enableDeletion = (item: HTMLElement, onGone: () => void) => {
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
  const edit = element<HTMLAnchorElement>('.edit-item', row)
  edit.href = `./?${/\/s\/[^/]*$/.test(url) ? 'link&' : ''}edit=${url.split('/').at(-1)}`
  edit.ariaLabel = `Edit “${name}”`
  if (element('.item-left', row).textContent) edit.remove()
  element('.ask', row).ariaLabel = `Delete “${name}”`
  element('.item-sure', row).ariaLabel = `Delete “${name}”?`
  enableDeletion(row, onGone)
}

import { countOf } from '../../src/format.ts'
import { Refusal, request } from './api.ts'
import { announce, element, elements } from './dom.ts'
import { enableFinding } from './finding.ts'
import { createItemList, serverPage, type Wanted } from './item-list.ts'

const { list, show, showState } = createItemList()
const form = element<HTMLFormElement>('#finding')
const dialog = element<HTMLDialogElement>('#confirm')

const selected = () => elements<HTMLInputElement>('input:checked', list)

/** An item to delete: where its requests go, and how people know it. */
const itemOf = (box: HTMLInputElement) => {
  const row = box.closest('li') as HTMLElement
  const { path = '', owner } = row.dataset
  return { path, name: `${element('.item-name', row).textContent} (${owner}, ${path.split('/').at(-1)})` }
}

const counted = (count: number) => countOf(count, 'item')

const countSelected = () => {
  const count = selected().length
  const button = element<HTMLButtonElement>('#delete-selected')
  button.disabled = count === 0
  button.textContent = count === 0 ? 'Delete selected' : `Delete ${counted(count)}…`
  element<HTMLButtonElement>('#select-none').disabled = count === 0
}

const wantedNow = (): Wanted => {
  const values = new FormData(form)
  const value = (name: string) => String(values.get(name) ?? '').trim()
  return {
    kind: value('kind') === 'links' ? 'link' : 'paste',
    ...{ q: value('q'), sort: value('sort'), owner: value('owner') || '*' },
  }
}

const load = async (key: string) => {
  const wanted = wantedNow()
  await show(wanted, () => serverPage(wanted, key))
  countSelected()
}

/** Deletes one by one. @returns what could not be deleted, with the reason */
const erase = async (key: string, items: readonly ReturnType<typeof itemOf>[]) => {
  const failed: string[] = []
  for (const [at, { name, path }] of items.entries()) {
    announce(`Deleting ${at + 1} of ${items.length}`)
    try {
      await request(path, { method: 'DELETE', headers: { key } })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // Somebody else was faster.
      if (error.status !== 404 && error.status !== 410) failed.push(`${name}: ${error.message}`)
    }
  }
  return failed
}

const enableDeletion = (key: string, onDeleted: () => void) => {
  const confirm = element<HTMLButtonElement>('#confirm-delete')
  element('#delete-selected').addEventListener('click', () => {
    const chosen = selected().map(itemOf)
    element('#confirm-title').textContent = `Delete ${counted(chosen.length)}?`
    confirm.textContent = `Delete ${counted(chosen.length)}`
    const names = chosen.map(({ name }) => {
      const item = document.createElement('li')
      item.textContent = name
      return item
    })
    element('#confirm-names').replaceChildren(...names)
    dialog.showModal()
    element('#confirm-cancel').focus()
  })
  element('#confirm-cancel').addEventListener('click', () => dialog.close())
  confirm.addEventListener('click', async () => {
    const chosen = selected().map(itemOf)
    dialog.close()
    const failed = await erase(key, chosen)
    await load(key)
    if (failed.length > 0) showState('', `Not deleted: ${failed.join(' ')}`)
    announce(`Deleted ${counted(chosen.length - failed.length)}`)
    element('#everything-title').focus()
    onDeleted()
  })
}

/** Lists everything. @param onDeleted called after items were deleted */
export const enableList = (key: string, onDeleted: () => void) => {
  enableFinding(form, () => void load(key))
  list.addEventListener('change', countSelected)
  element('#select-none').addEventListener('click', () => {
    for (const box of selected()) box.checked = false
    countSelected()
    element('#everything-title').focus()
  })
  enableDeletion(key, onDeleted)
  void load(key)
}

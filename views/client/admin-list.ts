import { sizeText } from '../../src/format.ts'
import { relativeTime } from './age.ts'
import { Refusal, request } from './api.ts'
import { announce, element } from './dom.ts'
import { enableFinding } from './finding.ts'

type Item = {
  id: string
  owner: string
  createdAt: string
  expiresAt?: string
  title?: string
  bytes?: number
  reads?: number
  pasteUrl?: string
  url?: string
  visits?: number
  shortendUrl?: string
}
type Plural = 'pastes' | 'links'

/** An item that is shown, and where its requests go. */
type Shown = { name: string; path: string }

const list = element<HTMLUListElement>('#admin-list')
const more = element<HTMLButtonElement>('#more')
const form = element<HTMLFormElement>('#finding')
const dialog = element<HTMLDialogElement>('#confirm')

/** The selected items, by the box that selects each. */
const shown = new Map<HTMLInputElement, Shown>()
const selected = () => [...shown].filter(([box]) => box.checked)

const counted = (count: number, word = 'item') =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

const countSelected = () => {
  const count = selected().length
  const button = element<HTMLButtonElement>('#delete-selected')
  button.disabled = count === 0
  button.textContent = count === 0 ? 'Delete selected' : `Delete ${counted(count)}…`
  element<HTMLButtonElement>('#select-none').disabled = count === 0
}

const ageOf = (iso: string) => relativeTime(Date.parse(iso) - Date.now())

const factsOf = ({ owner, createdAt, expiresAt, bytes, reads, visits }: Item) =>
  [
    owner,
    ageOf(createdAt),
    bytes === undefined ? '' : sizeText(bytes),
    reads === undefined ? counted(visits ?? 0, 'visit') : counted(reads, 'read'),
    expiresAt === undefined ? '' : `expires ${ageOf(expiresAt)}`,
  ]
    .filter(Boolean)
    .join(' · ')

const rowOf = (plural: Plural, item: Item) => {
  const content = element<HTMLTemplateElement>('#admin-item').content.cloneNode(true) as DocumentFragment
  const [box, link] = [element<HTMLInputElement>('input', content), element<HTMLAnchorElement>('a', content)]
  const isPaste = plural === 'pastes'
  const hidden = 'A short link with a limit of visits'
  const name = isPaste ? item.title || 'Untitled paste' : (item.url ?? hidden)
  link.textContent = name
  link.title = name
  link.href = isPaste ? (item.pasteUrl ?? '') : `${item.shortendUrl}+`
  box.ariaLabel = `Select “${name}” of ${item.owner}`
  box.addEventListener('change', countSelected)
  shown.set(box, { name: `${name} (${item.owner}, ${item.id})`, path: `${plural}/${item.id}` })
  element('.admin-facts', content).textContent = factsOf(item)
  return content
}

/** Grows with each new list; answers for older lists are dropped. */
let generation = 0
let after: string | undefined

const showState = (state: string, error = '') => {
  element('#list-state').textContent = state
  element('#list-error').textContent = error
}

const queryOf = (values: FormData) => {
  const value = (name: string) => String(values.get(name) ?? '').trim()
  const plural = value('kind') as Plural
  const sort = value('sort') === 'uses' ? (plural === 'pastes' ? 'reads' : 'visits') : value('sort')
  const query = new URLSearchParams({
    owner: value('owner') || '*',
    limit: '50',
    ...(value('q') && { q: value('q') }),
    ...(sort && { sort }),
    ...(after !== undefined && { after }),
  })
  return { plural, path: `${plural}?${query}` }
}

/** Adds the next page. */
const append = async (key: string) => {
  const mine = generation
  const { plural, path } = queryOf(new FormData(form))
  showState('Loading…')
  try {
    const answer = await request(path, { headers: { key } })
    if (mine !== generation) return
    list.append(...answer[plural].map((item: Item) => rowOf(plural, item)))
    after = answer.after ?? undefined
    more.hidden = after === undefined
    showState(list.childElementCount === 0 ? 'There is nothing that fits.' : '')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (mine === generation) showState('', error.message)
  }
}

const load = (key: string) => {
  generation++
  after = undefined
  more.hidden = true
  shown.clear()
  list.replaceChildren()
  countSelected()
  return append(key)
}

/** Deletes one by one. @returns what could not be deleted, with the reason */
const erase = async (key: string, items: readonly Shown[]) => {
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
    const chosen = selected()
    element('#confirm-title').textContent = `Delete ${counted(chosen.length)}?`
    confirm.textContent = `Delete ${counted(chosen.length)}`
    const names = chosen.map(([, { name }]) => {
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
    const chosen = selected().map(([, item]) => item)
    dialog.close()
    const failed = await erase(key, chosen)
    await load(key)
    if (failed.length > 0) showState('', `Not deleted: ${failed.join('; ')}`)
    announce(`Deleted ${counted(chosen.length - failed.length)}`)
    element('#everything-title').focus()
    onDeleted()
  })
}

/** Lists everything. @param onDeleted called after items were deleted */
export const enableList = (key: string, onDeleted: () => void) => {
  enableFinding(form, () => void load(key))
  more.addEventListener('click', async () => {
    const before = list.childElementCount
    await append(key)
    element<HTMLInputElement>(`li:nth-child(${before + 1}) input`, list).focus()
  })
  element('#select-none').addEventListener('click', () => {
    for (const [box] of selected()) box.checked = false
    countSelected()
    element('#everything-title').focus()
  })
  enableDeletion(key, onDeleted)
  void load(key)
}

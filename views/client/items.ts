import { keyFacts, Refusal } from './api.ts'
import { element, elements } from './dom.ts'
import { exportItems, type Item, importItems, keepItem } from './items-local.ts'
import { type ItemPage, localPage, ownPage } from './items-pages.ts'
import { rowOf } from './items-row.ts'
import { read } from './storage.ts'

const panel = element('#items')
const list = element('.item-list', panel)
const more = element<HTMLButtonElement>('#more-items')

let kind: Item['kind'] = 'paste'
/** Loads the next page, or retries a failed one. */
let next: (() => Promise<ItemPage>) | undefined
/** Grows with each new list; responses for older lists are dropped. */
let generation = 0
let isStale = true

const showState = (state: string, error = '') => {
  element('#items-state').textContent = state
  element('#items-error').textContent = error
}

const words = { paste: 'pastes', link: 'short links' }

const showEmptiness = () => showState(list.childElementCount === 0 && !next ? `No ${words[kind]} yet.` : '')

/** Adds a page to the list. @returns its first row */
const append = async (load: () => Promise<ItemPage>): Promise<HTMLElement | undefined> => {
  const mine = generation
  more.hidden = true
  showState('Loading…')
  try {
    const page = await load()
    if (mine !== generation) return undefined
    const rows = page.rows.map((row) => rowOf(row, showEmptiness))
    list.append(...rows)
    next = page.next
    more.textContent = 'Show more'
    showEmptiness()
    return rows[0]
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (mine !== generation) return undefined
    next = load
    more.textContent = 'Try again'
    showState('', error.message)
    return undefined
  } finally {
    if (mine === generation) more.hidden = next === undefined
  }
}

const load = () => {
  isStale = false
  generation++
  next = undefined
  list.replaceChildren()
  const key = read('key')
  void append(() => (key === undefined ? localPage(kind) : ownPage(kind, key)))
  if (key !== undefined)
    void keyFacts(key).then((facts) => {
      element('#to-admin').hidden = !facts?.admin
    })
}

/** Reloads the list, now or when it becomes visible. */
export const refreshItems = () => {
  isStale = true
  if (panel.offsetParent) load()
}

/** Adds a new item to the list of this browser. */
export const remember = (item: Item) => {
  keepItem(item)
  refreshItems()
}

const enableSwitch = () => {
  const buttons = elements<HTMLButtonElement>('.switch button', panel)
  for (const button of buttons)
    button.addEventListener('click', () => {
      kind = button.dataset.kind as Item['kind']
      for (const other of buttons) other.ariaPressed = String(other === button)
      load()
    })
}

export const enableItems = () => {
  element('#export').addEventListener('click', exportItems)
  const input = element<HTMLInputElement>('#import')
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file) await importItems(file)
    input.value = ''
    refreshItems()
  })
  enableSwitch()
  more.addEventListener('click', async () => {
    if (!next) return
    const first = await append(next)
    first?.querySelector('a')?.focus()
  })
  // Loads nothing before the user opens the tab of the list.
  new IntersectionObserver(() => {
    if (isStale && panel.offsetParent) load()
  }).observe(panel)
}

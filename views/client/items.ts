// My items, loaded when it is opened.
import { keyFacts, Refusal } from './api.ts'
import { element, elements, isUser } from './dom.ts'
import { enableFinding } from './finding.ts'
import { exportItems, importItems } from './items-local.ts'
import { type ItemPage, localPage, ownPage, type Wanted } from './items-pages.ts'
import { countOf, rowOf } from './items-row.ts'
import { addressOf, chooseKind, fillFromAddress, form, wantedNow } from './items-wanted.ts'
import { read } from './storage.ts'

const panel = element('#items')
const list = element('.item-list', panel)
const more = element<HTMLButtonElement>('#more-items')

/** What the list shows, or will show once it is loaded. */
let wanted: Wanted | undefined
/** Loads the next page, or retries a failed one. */
let next: (() => Promise<ItemPage>) | undefined
/** Grows with each new list; responses for older lists are dropped. */
let generation = 0
let isStale = true
let isComplete = true

const showState = (state: string, error = '') => {
  element('#items-state').textContent = state
  element('#items-error').textContent = error
}

const words = { paste: 'paste', link: 'short link' }

/** Says how many rows there are. Screen readers read it, since the place is a live region. */
const showCount = ({ kind, q }: Wanted) => {
  const count = list.childElementCount
  const reading = isComplete ? '' : ' The server still reads texts; there may be more.'
  const none = q ? `Nothing found for “${q}”.` : `No ${words[kind]}s yet.`
  const some = `${next ? 'The first ' : ''}${countOf(count, words[kind])}${q ? ' found' : ''}.`
  showState(count === 0 && next ? '' : (count === 0 ? none : some) + reading)
}

const showPage = (page: ItemPage, of: Wanted, isFirst: boolean) => {
  const rows = page.rows.map((row) => rowOf(row, () => showCount(of)))
  if (isFirst) list.replaceChildren(...rows)
  else list.append(...rows)
  next = page.next
  isComplete = page.isComplete !== false
  more.textContent = 'Show more'
  showCount(of)
  return rows[0]
}

/** Adds a page to the list, or replaces the list by a first one. @returns its first row */
const append = async (
  load: () => Promise<ItemPage>,
  of: Wanted,
  isFirst: boolean,
): Promise<HTMLElement | undefined> => {
  const mine = generation
  next = undefined
  list.ariaBusy = 'true'
  more.textContent = 'Loading…'
  if (element('#items-state').textContent === '') showState('Loading…')
  try {
    const page = await load()
    return mine === generation ? showPage(page, of, isFirst) : undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (mine !== generation) return undefined
    if (isFirst) list.replaceChildren()
    next = load
    more.textContent = 'Try again'
    // An error names the field of the API.
    showState('', error.message.replace('"q"', 'The search'))
    return undefined
  } finally {
    if (mine === generation) {
      list.ariaBusy = 'false'
      more.hidden = next === undefined
      element('#items-foot').hidden = false
    }
  }
}

/** Links to the page of the owner, for an admin key. */
const showAdmin = async (key: string) => {
  const facts = await keyFacts(key)
  element('#to-admin').hidden = !facts?.admin
}

const load = () => {
  const asked = wantedNow()
  const key = read('key') ?? (isUser() ? '' : undefined)
  if (isStale && key) void showAdmin(key)
  isStale = false
  generation++
  wanted = asked
  void append(() => (key === undefined ? localPage(asked) : ownPage(asked, key)), asked, true)
}

/** Loads what was chosen, and keeps it in the address. */
const find = () => {
  const chosen = wantedNow()
  history.replaceState(null, '', addressOf(chosen))
  if (!wanted || addressOf(chosen) !== addressOf(wanted)) load()
}

/** Reloads the list, now or when it becomes visible. */
const refresh = () => {
  isStale = true
  if (panel.offsetParent) load()
}

/** Shows the list that the address names. */
const showItems = () => {
  if (!panel.offsetParent) return
  fillFromAddress()
  if (isStale || !wanted || addressOf(wantedNow()) !== addressOf(wanted)) load()
}

const enableImport = () => {
  const input = element<HTMLInputElement>('#import')
  input.addEventListener('change', async () => {
    const [file] = input.files ?? []
    if (file) await importItems(file)
    input.value = ''
    refresh()
  })
}

element('#export').addEventListener('click', exportItems)
enableImport()
enableFinding(form, find)
for (const button of elements<HTMLButtonElement>('.switch button', panel))
  button.addEventListener('click', () => {
    chooseKind(button.dataset.kind as Wanted['kind'])
    find()
  })
more.addEventListener('click', async () => {
  if (!next || !wanted) return
  const first = await append(next, wanted, list.childElementCount === 0)
  first?.querySelector('a')?.focus()
})
document.addEventListener('shortcrust:items', refresh)
document.addEventListener('shortcrust:items-opened', showItems)

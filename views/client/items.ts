// My items, loaded when it is opened.
import { keyFacts } from './api.ts'
import { element, elements, isUser } from './dom.ts'
import { enableFinding } from './finding.ts'
import { createItemList, serverPage, type Wanted } from './item-list.ts'
import { exportItems, importItems, localPage } from './items-local.ts'
import { addActions } from './items-row.ts'
import { addressOf, chooseKind, fillFromAddress, form, wantedNow } from './items-wanted.ts'
import { read } from './storage.ts'

const panel = element('#items')
const { show, showCount } = createItemList((row) => addActions(row, () => showCount()))

/** What the list shows, or will show once it is loaded. */
let wanted: Wanted | undefined
let isStale = true

/** Links to the page of the owner, for an admin key. */
const showAdmin = async (key: string) => {
  const facts = await keyFacts(key)
  element('#to-admin').hidden = !facts?.admin
}

const load = async () => {
  const asked = wantedNow()
  const key = read('key') ?? (isUser() ? '' : undefined)
  if (isStale && key) void showAdmin(key)
  isStale = false
  wanted = asked
  await show(asked, () => (key === undefined ? localPage(asked) : serverPage(asked, key)))
  element('#items-foot').hidden = false
}

/** Loads what was chosen, and keeps it in the address. */
const find = () => {
  const chosen = wantedNow()
  history.replaceState(null, '', addressOf(chosen))
  if (!wanted || addressOf(chosen) !== addressOf(wanted)) void load()
}

/** Reloads the list, now or when it becomes visible. */
const refresh = () => {
  isStale = true
  if (panel.offsetParent) void load()
}

/** Shows the list that the address names. */
const showItems = () => {
  if (!panel.offsetParent) return
  fillFromAddress()
  if (isStale || !wanted || addressOf(wantedNow()) !== addressOf(wanted)) void load()
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
document.addEventListener('shortcrust:items', refresh)
document.addEventListener('shortcrust:items-opened', showItems)

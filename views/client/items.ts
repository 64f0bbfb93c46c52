// My items, loaded when it is opened.
import { countText } from '../../src/format.ts'
import { keyFacts } from './api.ts'
import { element, elements, isUser } from './dom.ts'
import { enableFinding } from './finding.ts'
import { createItemList, serverPage, type Totals, type Wanted } from './item-list.ts'
import { exportItems, importItems, loadItems, localPage } from './items-local.ts'
import { addActions, enableRowKeys } from './items-row.ts'
import { addressOf, chooseKind, fillFromAddress, form, wantedNow } from './items-wanted.ts'
import { enableKeepKey } from './keep-key.ts'
import { read } from './storage.ts'

const panel = element('#items')
const buttons = elements<HTMLButtonElement>('.switch button', panel)
/** Shown once nothing is listed, or the kept key is not valid. */
const keepForm = element('#keep-key')
keepForm.hidden = true

/** Says how many there are of each kind; without any, what to do. */
const showTotals = (totals: Totals, isEmpty: boolean) => {
  const { kind } = wantedNow()
  const isNothing = totals.paste + totals.link === 0
  for (const button of buttons) {
    const count = totals[button.dataset.kind as Wanted['kind']]
    element('.count', button).textContent = isNothing ? '' : countText(count)
  }
  panel.classList.toggle('empty', isEmpty)
  keepForm.hidden = !isEmpty || isUser() || read('key') !== undefined
  const none = kind === 'paste' ? 'No pastes yet' : 'No short links yet'
  element('.nothing-yet h2').textContent = isNothing ? 'Nothing here yet' : none
  for (const link of elements('.nothing-yet [data-kind]')) link.hidden = link.dataset.kind !== kind
  for (const part of elements('#export, .items-browser .of-key')) part.hidden = loadItems().length === 0
}

const { show, countDeleted } = createItemList({
  dress: (row) => addActions(row, () => countDeleted()),
  onCount: showTotals,
  onUnknownKey: () => {
    keepForm.hidden = false
  },
})

/** What the list shows, or will show once it is loaded. */
let wanted: Wanted | undefined
let isStale = true

/** Names the key, and links to the page of the owner for an admin key. */
const showKey = async (key: string) => {
  element('#items-key').textContent = read('key-name') ?? 'kept in this browser'
  const facts = await keyFacts(key)
  if (facts && read('key') === key) element('#items-key').textContent = facts.name
  element('#to-admin').hidden = !facts?.admin
}

const load = async () => {
  const asked = wantedNow()
  const key = read('key') ?? (isUser() ? '' : undefined)
  if (isStale && key) void showKey(key)
  isStale = false
  wanted = asked
  chooseKind(asked.kind)
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
enableKeepKey()
enableFinding(form, find)
enableRowKeys(panel)
for (const button of buttons)
  button.addEventListener('click', () => {
    chooseKind(button.dataset.kind as Wanted['kind'])
    find()
  })
document.addEventListener('shortcrust:items', refresh)
document.addEventListener('shortcrust:items-opened', showItems)

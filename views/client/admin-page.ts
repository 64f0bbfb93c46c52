import { type Stats, showStats } from './admin-figures.ts'
import { enableList } from './admin-list.ts'
import { Refusal, request } from './api.ts'
import { element } from './dom.ts'
import { enableKeepKey } from './keep-key.ts'
import { read } from './storage.ts'

const state = element('#admin-state')
const key = read('key')

/** Asks for another key. */
const refused = (why: string) => {
  state.textContent = why
  element('#admin-key').hidden = false
}

const ask = (path: string, key: string) => request(path, { headers: { key } })

/** @returns true if the kept key is an admin key, and the figures are shown. @throws {Refusal} */
const loadStats = async (key: string) => {
  const { admin } = await ask('key', key)
  if (admin) showStats((await ask('stats', key)) as Stats)
  else refused('The key that this browser keeps is not an admin key.')
  return admin === true
}

/** Shows everything to an admin key. */
const open = async (key: string) => {
  if (!(await loadStats(key))) return
  state.hidden = true
  element('#admin-content').hidden = false
  enableList(key, () => void loadStats(key).catch(() => {}))
}

enableKeepKey(true)
document.addEventListener('shortcrust:key', () => location.reload())

if (key === undefined) refused('This page needs an admin key.')
else
  open(key).catch((error) => {
    if (!(error instanceof Refusal)) throw error
    refused(error.message)
  })

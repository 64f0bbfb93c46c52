import { announce, element } from './dom.ts'
import { loadFor } from './loading.ts'

const panel = element('#items')

const load = async () => {
  await loadFor(panel)
  panel.hidden = false
}

let loading: ReturnType<typeof load> | undefined

/** Shows My items. Its script and styles are loaded once, and only here, because most visits do not need them. */
export const openItems = async () => {
  loading ??= load()
  try {
    await loading
  } catch {
    loading = undefined
    return announce('My items cannot be loaded. Reload the page.')
  }
  document.dispatchEvent(new Event('shortcrust:items-opened'))
}

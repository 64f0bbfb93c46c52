import { announce, element } from './dom.ts'

const panel = element('#items')

const loaded = (file: HTMLScriptElement | HTMLLinkElement) =>
  new Promise((resolve, reject) => {
    file.onload = resolve
    file.onerror = reject
    document.head.append(file)
  })

const load = async () => {
  const { script = '', style = '' } = panel.dataset
  await Promise.all([
    loaded(Object.assign(document.createElement('script'), { type: 'module', src: script })),
    loaded(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style })),
  ])
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

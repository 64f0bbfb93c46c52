// For every page: theme, shortcuts, menus, and copy buttons.
import { copy } from './copy.ts'
import { announce, element } from './dom.ts'
import { read } from './storage.ts'
import { nextTheme, storedTheme } from './theme-choice.ts'

const enableThemeButton = () => {
  const button = element('#theme')
  const label = (theme: string) => {
    button.title = `Theme: ${theme} (t)`
    button.setAttribute('aria-label', `Theme: ${theme}`)
    button.dataset.choice = theme
  }
  label(storedTheme())
  button.addEventListener('click', () => {
    const theme = nextTheme()
    label(theme)
    announce(`Theme: ${theme}`)
  })
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select')

/** A shortcut clicks or focuses the element that declares it. Without such an element it does nothing. */
const enableShortcuts = () => {
  const overlay = element<HTMLDialogElement>('#shortcuts')
  const toggle = () => (overlay.open ? overlay.close() : overlay.showModal())
  element('#help').addEventListener('click', toggle)
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return
    if (key.length > 1 || (document.querySelector('dialog[open]') && !(overlay.open && key === '?'))) return
    const pressed = document.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(key)}"]`)
    if (!pressed) return
    event.preventDefault()
    if (pressed.matches('input')) pressed.focus()
    else pressed.click()
  })
}

/** Opens one menu at a time; Escape and a click elsewhere close it. */
const enableMenus = () => {
  const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('.menu[open]')
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    for (const menu of openMenus()) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}

/** `<button data-copy="…">` copies its value; works for later buttons too. */
const enableCopyButtons = () =>
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null
    if (button) void copy(button.dataset.copy ?? '')
  })

/** Shows "Edit" if the kept key made the item of this page. */
const enableEdit = async () => {
  const [edit, key] = [document.querySelector<HTMLElement>('[data-own]'), read('key')]
  if (!edit || !key) return
  const { ok } = await fetch(edit.dataset.own ?? '', { method: 'HEAD', headers: { key } })
  if (ok) edit.removeAttribute('data-own')
}

enableThemeButton()
enableShortcuts()
enableMenus()
enableCopyButtons()
enableEdit().catch(() => {})

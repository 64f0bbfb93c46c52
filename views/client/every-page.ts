// For every page: theme, shortcuts, menus, and copy buttons.
import { copy } from './copy.ts'
import { announce, element, elements } from './dom.ts'
import { enableMenus, openPart } from './menus.ts'
import { read } from './storage.ts'
import { chooseTheme, nextTheme, storedTheme, type Theme } from './theme-choice.ts'

/** One button that goes to the next theme, or one for each. */
const enableThemes = () => {
  const control = element('#theme')
  const buttons = elements<HTMLButtonElement>('button', control)
  const label = (theme: Theme) => {
    control.title = `Theme: ${theme} (t)`
    control.setAttribute('aria-label', `Theme: ${theme}`)
    control.dataset.choice = theme
    for (const button of buttons) button.ariaPressed = String(button.value === theme)
  }
  label(storedTheme())
  control.addEventListener('click', ({ target }) => {
    const pressed = buttons.find((button) => button === target)
    const theme = pressed ? (pressed.value as Theme) : nextTheme()
    chooseTheme(theme)
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
    else if (pressed.matches('.menu summary')) openPart(pressed)
    else pressed.click()
  })
}

/** `<button data-copy="…">` copies its value; works for later buttons too. */
const enableCopyButtons = () =>
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-copy]') : null
    if (button) void copy(button.dataset.copy ?? '')
  })

/** Shows what is for the maker if the kept key made the item of this page. */
const showOwn = async () => {
  const [edit, key] = [document.querySelector<HTMLElement>('[data-own]'), read('key')]
  if (!edit || !key) return
  const { ok } = await fetch(edit.dataset.own ?? '', { method: 'HEAD', headers: { key } })
  document.documentElement.classList.toggle('is-own', ok)
}

enableThemes()
enableShortcuts()
enableMenus()
enableCopyButtons()
showOwn().catch(() => {})

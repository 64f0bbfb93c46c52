import { announce, element } from './dom.ts'
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

/** Keys and what they do, beside those of every page. */
export type Shortcuts = Readonly<Record<string, () => void>>

const enableShortcuts = (shortcuts: Shortcuts) => {
  const overlay = element<HTMLDialogElement>('#shortcuts')
  const all: Shortcuts = {
    '?': () => (overlay.open ? overlay.close() : overlay.showModal()),
    t: () => element('#theme').click(),
    n: () => element('.place-paste').click(),
    ...shortcuts,
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const action = Object.hasOwn(all, event.key) ? all[event.key] : undefined
    if (!action || (overlay.open && event.key !== '?')) return
    event.preventDefault()
    action()
  })
  element('#help').addEventListener('click', () => overlay.showModal())
}

/** Only one menu is open at a time; Escape and a click elsewhere close it. */
const enableMenus = () => {
  const close = (menu: HTMLDetailsElement) => {
    menu.open = false
  }
  const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('.menu[open]')
  document.addEventListener('click', ({ target }) => {
    for (const menu of openMenus()) if (!(target instanceof Node && menu.contains(target))) close(menu)
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    for (const menu of openMenus()) {
      close(menu)
      menu.querySelector('summary')?.focus()
    }
  })
}

/** What every page does. */
export const enhance = (shortcuts: Shortcuts = {}) => {
  enableThemeButton()
  enableShortcuts(shortcuts)
  enableMenus()
}

import { announce, element, elements, showEnhancements } from './dom.ts'
import { nextTheme, storedTheme } from './theme-choice.ts'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

const relativeTime = (seconds: number) => {
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.trunc(seconds / length), unit)
}

/** How long ago, with the moment itself on hover. */
export const showAges = (within: ParentNode = document) => {
  for (const time of elements<HTMLTimeElement>('time:not(.instant)', within)) {
    time.title = time.textContent ?? ''
    time.textContent = relativeTime((Date.parse(time.dateTime) - Date.now()) / 1000)
  }
}

const enableThemeButton = () => {
  const button = element('#theme')
  const label = (theme: string) => {
    button.textContent = `Theme: ${theme}`
  }
  label(storedTheme())
  button.addEventListener('click', () => label(nextTheme()))
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('input, textarea, select')

/** Keys and what they do, beside those of every page. */
export type Shortcuts = Readonly<Record<string, () => void>>

const enableShortcuts = (shortcuts: Shortcuts) => {
  const overlay = element<HTMLDialogElement>('#shortcuts')
  const all: Shortcuts = {
    '?': () => (overlay.open ? overlay.close() : overlay.showModal()),
    t: () => {
      element('#theme').click()
      announce(element('#theme').textContent ?? '')
    },
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

/** What every page does. */
export const enhance = (shortcuts: Shortcuts = {}) => {
  showEnhancements()
  showAges()
  enableThemeButton()
  enableShortcuts(shortcuts)
}

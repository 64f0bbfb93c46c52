import { elements } from './dom.ts'

const openMenus = () => elements<HTMLDetailsElement>('.menu[open]')

/** What is unfolded in it folds too. The focus goes to its button if it was in the menu. */
const closeMenu = (menu: HTMLDetailsElement) => {
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
  for (const open of [menu, ...elements<HTMLDetailsElement>('details[open]', menu)]) open.open = false
}

const reachableIn = (menu: Element) =>
  elements('.popup :is(a, button, summary)', menu).filter((row) => row.checkVisibility())

/** Opens what a key names, with its menu, or closes it. */
export const openPart = (summary: HTMLElement) => {
  const [part, menu] = [summary.closest('details'), summary.closest<HTMLDetailsElement>('.menu')]
  if (!part || !menu) return
  if (menu.open && part.open) return closeMenu(menu)
  menu.open = true
  part.open = true
  const first = part === menu ? reachableIn(menu)[0] : summary
  first?.focus()
}

const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/** Goes to another row, from a row or from the button. */
const move = (event: KeyboardEvent, menu: Element) => {
  const { key, target } = event
  const by = steps[key]
  if (by === undefined || !(target instanceof Element) || !menu.contains(target)) return
  if (target.matches('input, select')) return
  event.preventDefault()
  const rows = reachableIn(menu)
  const at = rows.indexOf(target as HTMLElement)
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus()
}

/** One menu is open at a time. A row closes it, as Escape and a click elsewhere do; what unfolds and the theme do not. */
export const enableMenus = () => {
  // Before the row acts, which may move the focus: it comes back to the button.
  document.addEventListener(
    'click',
    ({ target }) => {
      if (!(target instanceof Element)) return
      for (const menu of openMenus())
        if (!menu.contains(target) || target.closest(':is(a, button).entry')) closeMenu(menu)
    },
    true,
  )
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return
    for (const menu of openMenus())
      if (event.key === 'Escape') closeMenu(menu)
      else move(event, menu)
  })
}

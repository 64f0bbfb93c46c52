import { element, elements } from './dom.ts'

const tabTitles = { paste: 'New paste', link: 'Short link', items: 'My items' }
export type Tab = keyof typeof tabTitles

export const currentTab = () => document.documentElement.dataset.tab as Tab

/** ` · ` and the name of the site. */
const siteName = document.title.slice(tabTitles[currentTab()].length)

/** The first field to fill in on each tab. */
const firstFields: Partial<Record<Tab, string>> = { paste: '#field-text', link: '#field-url' }

const tabOf = (search: string): Tab => (/^\?(link|items)\b/.exec(search)?.[1] ?? 'paste') as Tab

const showTab = (tab: Tab) => {
  document.documentElement.dataset.tab = tab
  document.title = tabTitles[tab] + siteName
  for (const name of Object.keys(tabTitles)) {
    const link = element(`.place-${name}`)
    if (name === tab) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

/** On a touch screen, focusing a field would open the keyboard over the page, and no file can be dropped. */
export const hasKeyboard = () => matchMedia('(hover: hover)').matches

/** Turns the navigation into tabs, which keep what was typed. @param shown called at each change */
export const enableTabs = (shown: (tab: Tab) => void) => {
  const open = (tab: Tab) => {
    showTab(tab)
    shown(tab)
    const first = firstFields[tab]
    if (first && hasKeyboard()) element(first).focus()
  }
  for (const link of elements<HTMLAnchorElement>('.places a:not(.place-docs)'))
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      history.pushState(null, '', link.href)
      open(tabOf(new URL(link.href).search))
    })
  addEventListener('popstate', () => open(tabOf(location.search)))
  const isNothingWrong = elements('[aria-invalid], #result:not([hidden])').length === 0
  if (isNothingWrong) open(currentTab())
}

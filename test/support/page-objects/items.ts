import type { Page } from 'playwright-core'

/** The list on the tab "My items". */
export const itemsPage = (page: Page) => {
  const panel = page.locator('#items')
  const rows = panel.locator('.item-list > li')
  const button = (name: string) => panel.getByRole('button', { name, exact: true })
  return {
    open: () => page.goto('/?items'),
    search: panel.getByRole('searchbox'),
    sort: panel.getByLabel('Sort by'),
    panel,
    rows,
    row: (name: string) => rows.filter({ hasText: name }),
    names: () => panel.locator('.item-name').allInnerTexts(),
    /** Waits for a list of so many items. */
    untilCount: (count: number) =>
      (count === 0
        ? panel.locator('#items-state', { hasText: /^No / })
        : panel.locator(`.item-list > li:nth-child(${count}):last-child`)
      ).waitFor(),
    showLinks: () => button('Short links').click(),
    showPastes: () => button('Pastes').click(),
    more: button('Show more'),
    again: button('Try again'),
    copyButton: (name: string) => button(`Copy the link of “${name}”`),
    deleteButton: (name: string) => button(`Delete “${name}”`),
    confirm: button('Delete'),
    cancel: button('Cancel'),
    source: panel.locator('.items-source:visible'),
    state: panel.locator('#items-state'),
    error: panel.locator('#items-error'),
    exportButton: button('Export list'),
    importFile: panel.locator('#import'),
    /** The accessible name of what has the focus, or its text. */
    focused: (): Promise<string> =>
      page.evaluate(`document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()`),
    /** As if the user had let the browser keep a key. */
    keepKey: (key: string) => page.evaluate(`localStorage.setItem('shortcrust:key', ${JSON.stringify(key)})`),
    /** As if this browser had created items. */
    keepItems: (items: readonly object[]) =>
      page.evaluate(`localStorage.setItem('shortcrust:items', ${JSON.stringify(JSON.stringify(items))})`),
  }
}

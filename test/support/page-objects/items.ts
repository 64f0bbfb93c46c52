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
        ? panel.locator('.nothing-yet')
        : panel.locator(`.item-list > li:nth-child(${count}):last-child`)
      ).waitFor(),
    showLinks: () => panel.locator('[data-kind=link][aria-pressed]').click(),
    showPastes: () => panel.locator('[data-kind=paste][aria-pressed]').click(),
    /** How many there are, as the buttons of the kinds say it. */
    totals: () => panel.locator('.switch .count').allInnerTexts(),
    nothing: panel.locator('.nothing-yet'),
    more: panel.getByRole('button', { name: /^Show / }),
    again: button('Try again'),
    copyButton: (name: string) => button(`Copy the link of “${name}”`),
    menu: (name: string) => panel.getByLabel(`More for “${name}”`, { exact: true }),
    /** Chooses "Delete…" for an item, which asks in its row. */
    askToDelete: async (name: string) => {
      await panel.getByLabel(`More for “${name}”`, { exact: true }).click()
      await button('Delete…').click()
    },
    confirm: button('Delete'),
    cancel: button('Cancel'),
    source: panel.locator('.items-source:visible'),
    state: panel.locator('#items-state'),
    error: panel.locator('#items-error'),
    exportButton: button('Export the list'),
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

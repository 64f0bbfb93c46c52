import type { Page } from 'playwright-core'

/** The page that changes an item. */
export const editPage = (page: Page) => {
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const versions = page.locator('.version-list button')
  const text = page.locator('#field-text')
  return {
    /** Opens the page of a paste or a short link, and waits until it has loaded the item. */
    open: async (name: string, kind: 'paste' | 'link' = 'paste') => {
      await page.goto(`/?${kind === 'link' ? 'link&' : ''}edit=${name}`)
      await page.locator('.edit.loaded').waitFor()
    },
    text,
    field: (name: string) => page.locator(`[name=${name}]`),
    fieldError: (name: string) => page.locator(`#error-${name}`),
    /** Asks for the item with the typed key. */
    openItem: button('Open'),
    save: button('Save'),
    cancel: page.getByRole('link', { name: 'Cancel', exact: true }),
    alert: page.locator('.send [role=alert]'),
    heading: page.locator('#edit-title'),
    versions,
    version: (number: number) => versions.filter({ hasText: `Version ${number}` }),
    shown: page.locator('#diff'),
    facts: page.locator('#version-facts'),
    compareWith: (name: string) => page.getByLabel('Compare with').selectOption(name),
    sideBySide: button('Side by side'),
    savePatch: button('Save as a patch'),
    bringBack: button('Bring back'),
    close: button('Close'),
    compareNewest: button('Compare with the newest'),
    erase: button('Erase earlier versions'),
    sure: page.locator('#sure'),
    /** As if the user had let the browser keep a key. */
    keepKey: async (key: string) => {
      await page.goto('/healthz')
      await page.evaluate(`localStorage.setItem('shortcrust:key', ${JSON.stringify(key)})`)
    },
  }
}

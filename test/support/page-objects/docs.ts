import type { Page } from 'playwright-core'

/** The page that describes the API. */
export const docsPage = (page: Page) => ({
  filter: page.getByRole('searchbox', { name: 'Filter operations' }).or(page.locator('#filter')),
  matches: page.locator('#matches'),
  /** What an operation says when it is open. */
  operation: (id: string) => page.locator(`article#${id}`),
  line: (method: string, path: string) =>
    page.locator('.operation > summary', { hasText: `${method} ${path}` }),
  opened: page.locator('.operation[open]'),
  /** The lines of the operations that the filter leaves. */
  shown: page.locator('.operation > summary:visible'),
  sectionTitles: page.locator('.docs section h2:visible'),
  links: page.locator('.contents li:visible'),
  language: (name: string) =>
    page
      .locator('#languages div', { has: page.getByText(name, { exact: true }) })
      .locator('dd')
      .first(),
})

import type { Page } from 'playwright-core'

/** What is below the text of a paste: what looks secret, and what was masked. */
export const maskPanel = (page: Page) => {
  const rows = page.locator('#mask-list li')
  const row = (placeholder: string) => rows.filter({ has: page.locator('code', { hasText: placeholder }) })
  const title = page.locator('#mask-title')
  const press = (placeholder: string, name: string) =>
    row(placeholder)
      .getByRole('button', { name: `${name} ${placeholder}` })
      .click()
  const found = page.locator('#mask-found')

  return {
    found,
    words: page.locator('#mask-words'),
    said: page.locator('#mask-said'),
    button: page.getByRole('button', { name: 'Mask', exact: true }),
    title,
    rows,
    row,
    /** Masks everything, and waits until it is listed. */
    maskAll: async () => {
      await found.getByRole('button', { name: 'Mask', exact: true }).click()
      await title.waitFor()
    },
    takeBack: async (placeholder: string) => {
      await press(placeholder, 'Undo')
      await row(placeholder).getByText('not masked').waitFor()
    },
    maskAgain: async (placeholder: string) => {
      await press(placeholder, 'Mask again')
      await row(placeholder).getByText('Undo').waitFor()
    },
    all: (name: 'Undo all' | 'Mask all again') => page.getByRole('button', { name }),
  }
}

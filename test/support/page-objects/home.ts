import type { Page } from 'playwright-core'
import { testKey } from '../process.ts'

export type Kind = 'paste' | 'link'
export type Fields = Readonly<Record<string, string>>

export const examplePaste = {
  text: 'one\n\n\ttwo  \n',
  title: 'A “title” & more',
  description: 'Said shortly',
  language: 'typescript',
  key: testKey,
}
export const exampleLink = { url: 'https://example.org/a?b=c#d', key: testKey }

/** The page that creates. */
export const homePage = (page: Page) => {
  const form = (kind: Kind) => page.locator(`#${kind}-form`)
  const field = (kind: Kind, name: string) => form(kind).locator(`[name=${name}]`)
  const result = page.locator('#result')
  const items = page.locator('#items')

  const fill = async (kind: Kind, fields: Fields) => {
    for (const [name, value] of Object.entries(fields)) await field(kind, name).fill(value)
  }
  const submitButton = (kind: Kind) => form(kind).locator('button[type=submit]')

  return {
    open: () => page.goto('/'),
    field,
    fill,
    submitButton,
    /** What stands in the fields with these names. */
    typed: async (kind: Kind, names: readonly string[]): Promise<Fields> =>
      Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await field(kind, name).inputValue()])),
      ),
    create: async (kind: Kind, fields: Fields) => {
      await fill(kind, fields)
      await submitButton(kind).click()
    },
    keepBox: (kind: Kind) => form(kind).getByLabel('Keep the key in this browser'),
    error: (kind: Kind) => form(kind).locator('[role=alert]:not([hidden])'),
    result,
    /** The addresses of what was created, by name: `url`, `raw`, `deletion`. */
    addresses: async (): Promise<Readonly<Record<string, string>>> => {
      await result.waitFor()
      const rows = await result.locator('.address:not([hidden])').all()
      return Object.fromEntries(
        await Promise.all(
          rows.map(async (row) => [
            (await row.getAttribute('class'))?.replace('address ', ''),
            await row.locator('a').innerText(),
          ]),
        ),
      )
    },
    copyButton: (name: string) => result.locator(`.${name}`).getByRole('button', { name: 'Copy' }),
    isQrCodeDrawn: async () => {
      await result.getByAltText('QR code of the address to share').waitFor()
      return page.evaluate<boolean>(`document.querySelector('.qr').decode().then(() => true, () => false)`)
    },
    items: {
      rows: items.locator('li'),
      row: (name: string) => items.locator('li', { hasText: name }),
      exportButton: items.getByRole('button', { name: 'Export list' }),
      importFile: items.locator('#import'),
    },
    status: page.locator('#status'),
  }
}

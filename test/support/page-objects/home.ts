import type { Locator, Page } from 'playwright-core'
import { testKey } from '../process.ts'
import { untilTrue } from '../until.ts'
import { chooseLanguage } from './picker.ts'

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

/** Fields that a link has under another name, for one form holds both kinds. */
const linkNames: Fields = { alias: 'linkAlias', expiresIn: 'linkExpiresIn' }
const hidden = new Set(['alias', 'description', 'maxReads', 'maxVisits'])

/** Resolves when a reader sees the whole element: it is in the window, and nothing lies over it. */
export const comesIntoSight = (locator: Locator) =>
  untilTrue(() =>
    locator.evaluate((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect()
      const seen = (y: number) =>
        element.contains(element.ownerDocument.elementFromPoint((left + right) / 2, y))
      return seen(top + 2) && seen(bottom - 2)
    }),
  )

/** The page that creates. */
export const homePage = (page: Page) => {
  const field = (kind: Kind, name: string) =>
    page.locator(`#create [name=${kind === 'link' ? (linkNames[name] ?? name) : name}]`)
  const part = (kind: Kind) => page.locator(`#${kind}-form`)
  const result = page.locator('#result')
  /** On the page of a paste that was just created. */
  const made = page.locator('.made')
  const items = page.locator('#items')
  const tab = (name: string) => page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name })

  /** Brings a part into view, and its options where one of them is asked for. */
  const show = async (kind: Kind, names: readonly string[] = []) => {
    const button = page.locator(`button[value=${kind}]`)
    if (await made.isVisible()) await page.locator('.brand').click()
    if (!(await button.isVisible())) await tab(kind === 'link' ? 'Short link' : 'New paste').click()
    if (!names.some((name) => hidden.has(name) && !(kind === 'link' && name === 'alias'))) return
    const options = part(kind).locator('.options')
    if ((await options.getAttribute('open')) === null) await options.locator('summary').click()
  }

  const fill = async (kind: Kind, fields: Fields) => {
    await show(kind, Object.keys(fields))
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'language') {
        await chooseLanguage(page, value)
        continue
      }
      const input = field(kind, name)
      if (name === 'key' && !(await input.isVisible()))
        await page.getByRole('button', { name: 'Change' }).click()
      const element = await input.evaluate(({ localName }) => localName)
      if (element === 'select') await input.selectOption(value)
      else if ((await input.getAttribute('type')) === 'checkbox') await input.check()
      // A browser takes half a minute to type a megabyte.
      else if (value.length > 100_000)
        await input.evaluate((at, text) => Object.assign(at, { value: text }), value)
      else await input.fill(value)
    }
  }
  const error = (kind: Kind) =>
    page.locator(
      `#${kind}-form :is([role=alert]:not([hidden]), .field-error:not(:empty)), .key .field-error:not(:empty)`,
    )
  const submitButton = (kind: Kind) => page.locator(`button[value=${kind}]`)

  return {
    open: () => page.goto('/'),
    /** Where a part of the page is. */
    path: (kind: Kind | 'items') => (kind === 'paste' ? '/' : `/?${kind}`),
    /** Resolves when what was sent was answered, well or not, and the answer is read to its end. */
    answered: async (kind: Kind) => {
      await result.locator('input').or(made).or(error(kind)).first().waitFor()
      // Only then does a browser bring the field with `autofocus` into view.
      await page.waitForLoadState()
      const first = page.locator('[autofocus]')
      if ((await first.count()) > 0) await first.and(page.locator(':focus')).waitFor()
    },
    show,
    tab,
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
    keepBox: page.getByLabel('Keep the key in this browser'),
    keptKey: page.locator('.key-kept'),
    /** What is wrong, as it stands beside its field, or beside the button where it is about none. */
    error,
    /** What is wrong with a field. */
    fieldError: (name: string) => page.locator(`#error-${name}`),
    result,
    /** The language that was found, in words. */
    found: result.locator('.found'),
    made,
    /** The addresses of what was created: the one to share, and the one that deletes it. */
    addresses: async () => {
      await result.locator('input').or(made).first().waitFor()
      if (await result.isVisible()) {
        const url = await result.locator('input').inputValue()
        return { url, deletion: (await result.locator('.deletion a').getAttribute('href')) ?? '' }
      }
      const deletion = `JSON.parse(sessionStorage.getItem('shortcrust:made')).deletionUrl`
      return { url: page.url(), deletion: await page.evaluate<string>(deletion) }
    },
    /** Unfolds it first: only then does a browser load it. */
    isQrCodeDrawn: async () => {
      const code = page.getByAltText('QR code of the address')
      await code.waitFor({ state: 'attached' })
      return code.evaluate((image) => {
        for (let at = image.closest('details'); at; at = at.parentElement?.closest('details') ?? null)
          at.open = true
        return (image as unknown as { decode: () => Promise<void> }).decode().then(
          () => true,
          () => false,
        )
      })
    },
    items: {
      rows: items.locator('li'),
      row: (name: string) => items.locator('li', { hasText: name }),
      exportButton: items.getByRole('button', { name: 'Export the list' }),
      importFile: items.locator('#import'),
      listButton: page.getByRole('button', { name: 'List my items' }),
      /** Without JavaScript: asks for what a key made, and waits for the page. */
      list: async (key: string, words = '') => {
        await page.goto('/?items')
        await page.locator('#field-key').fill(key)
        await page.locator('#field-q').fill(words)
        const loaded = page.waitForEvent('load')
        await page.locator('button[value=items]:visible').last().click()
        await loaded
      },
    },
    status: page.locator('#status'),
  }
}

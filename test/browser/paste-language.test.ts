import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { commonLanguages } from '../../src/highlight/languages/language-search.ts'
import { languages } from '../../src/highlight/languages/languages.ts'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { pastePage } from '../support/page-objects/paste.ts'
import { languagePicker } from '../support/page-objects/picker.ts'

/** A list that was cut off on its way. */
const broken = {
  contentType: 'application/json; charset=utf-8',
  headers: { ETag: '"a"', Vary: 'Accept-Encoding' },
  body: '[["abap"',
}

describe.skipIf(!requireChromium())('the language menu of a paste', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openMenu = async (options = {}, before: (page: Page) => Promise<unknown> = async () => {}) => {
    const { pasteUrl } = await suite.client().paste({ text: 'SELECT 1\n', language: 'zig' })
    const page = await suite.open(options)
    await before(page)
    await page.goto(suite.local(pasteUrl))
    await pastePage(page).openPart('language')
    return { page, picker: languagePicker(page) }
  }

  test('opens on the language that is shown, with all of them below the common ones', async () => {
    const { page, picker } = await openMenu()
    await picker.options.getByText('Zig').last().waitFor()
    await picker.options.nth(languages.length).waitFor()
    expect(await picker.input.inputValue()).toBe('Zig')
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('field-lang')
    expect((await picker.offered()).slice(-languages.length)).toEqual(languages.map(({ name }) => name))
  })

  test.each([
    ['golang', 'go'],
    ['abap', 'abap'],
  ])('asks for the paste as %s as soon as it is chosen', async (word, id) => {
    const { page, picker } = await openMenu()
    await picker.options.nth(languages.length).waitFor()
    await picker.input.fill(word)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/p/*?lang=${id}`)
  })

  test('shuts by Escape, first the list and then the menu', async () => {
    const { page, picker } = await openMenu()
    await picker.list.waitFor()
    await page.keyboard.press('Escape')
    expect(await picker.list.isVisible()).toBe(false)
    expect(await picker.input.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await picker.input.isVisible()).toBe(false)
    expect(await page.evaluate<string>('document.activeElement.localName')).toBe('summary')
  })

  test('stays inside a window of 320 px', async () => {
    const { picker } = await openMenu({ viewport: { width: 320, height: 480 } })
    await picker.options.nth(languages.length).waitFor()
    for (const one of [picker.list, picker.input]) {
      const box = await one.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320)
      expect((box?.y ?? 0) + (box?.height ?? 999)).toBeLessThanOrEqual(480)
    }
  })

  test('says so when the list cannot be loaded, offers the common ones, and tries again', async () => {
    let isBroken = true
    const { page, picker } = await openMenu({}, (page) =>
      page.route('**/languages-*', (route) => (isBroken ? route.fulfill(broken) : route.continue())),
    )
    await page.locator('#status').getByText('Only the common ones are offered').waitFor()
    expect((await picker.offered()).length).toBeLessThan(60)
    isBroken = false
    await page.locator('#language > summary').click()
    await page.locator('#language > summary').click()
    await picker.options.nth(languages.length).waitFor()
  })

  test('without JavaScript is a short list, and a field for every other', async () => {
    const { page, picker } = await openMenu({ javaScriptEnabled: false })
    expect(await picker.select.locator('option').count()).toBe(commonLanguages.length + 1)
    expect(await picker.select.inputValue()).toBe('zig')
    await page.getByLabel('Another language').fill('golang')
    await page.getByRole('button', { name: 'Apply' }).last().click()
    await page.waitForURL('**/p/*?lang=golang')
  })
})

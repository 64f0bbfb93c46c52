import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { languages } from '../../src/highlight/languages/languages.ts'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { violationsOf } from '../support/page-objects/axe.ts'
import { comesIntoSight, examplePaste, homePage } from '../support/page-objects/home.ts'
import { languagePicker } from '../support/page-objects/picker.ts'

describe.skipIf(!requireChromium())('the language picker', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPicker = async (options: BrowserContextOptions = {}) => {
    const page = await suite.open(options)
    await page.goto('/')
    const picker = languagePicker(page)
    const { input, select } = picker
    await input.scrollIntoViewIfNeeded()
    const shown = async () => [await input.inputValue(), await select.inputValue()]
    const isExpanded = async () => (await input.getAttribute('aria-expanded')) === 'true'
    return { page, picker, input, shown, isExpanded, press: (key: string) => input.press(key) }
  }

  test('is empty, says that it detects, and opens by a click on all languages below the common ones', async () => {
    const { picker, input, shown, isExpanded } = await openPicker()
    expect(await shown()).toEqual(['', ''])
    expect(await input.getAttribute('placeholder')).toBe('Detect automatically')
    expect(await isExpanded()).toBe(false)
    await input.click()
    expect(await isExpanded()).toBe(true)
    const offered = await picker.offered()
    expect(offered.slice(0, 4)).toEqual(['Detect automatically', 'Plain text', 'Shell', 'Python'])
    expect(offered.slice(-languages.length)).toEqual(languages.map(({ name }) => name))
  })

  test('lets somebody scroll to the last language and choose it with the mouse', async () => {
    const { picker, input, shown, isExpanded } = await openPicker()
    await input.click()
    await picker.options.last().click()
    expect(await shown()).toEqual(['Zig', 'zig'])
    expect(await isExpanded()).toBe(false)
  })

  test.each([
    ['js', 'javascript'],
    ['.rs', 'rust'],
  ])('offers for %s first what Enter takes: %s', async (word, id) => {
    const { picker, input, shown, press } = await openPicker()
    await input.pressSequentially(word)
    const [first = ''] = await picker.offered()
    await press('Enter')
    expect(await shown()).toEqual([first, id])
    expect(await picker.error.isVisible()).toBe(false)
  })

  test.each(['', 'auto', 'Auto '])('takes “%s” and Enter for finding the language', async (word) => {
    const { input, shown, press } = await openPicker()
    await input.fill('rust')
    await press('Enter')
    expect(await shown()).toEqual(['Rust', 'rust'])
    await input.fill(word)
    await press('Enter')
    expect(await shown()).toEqual(['', ''])
  })

  test('is used by the keyboard as the pattern of WAI-ARIA says', async () => {
    const { page, picker, input, shown, isExpanded, press } = await openPicker()
    await input.focus()
    expect(await isExpanded()).toBe(false)
    const steps: [key: string, active: string | undefined][] = [
      ['ArrowDown', 'Detect automatically'],
      ['ArrowUp', 'Zig'],
      ['ArrowDown', 'Detect automatically'],
      ['End', 'Zig'],
      ['Home', 'Detect automatically'],
      ['ArrowDown', 'Plain text'],
      ['Escape', undefined],
      ['Alt+ArrowDown', undefined],
    ]
    for (const [key, active] of steps) {
      await press(key)
      expect(await picker.active(), key).toBe(active)
      expect(await isExpanded(), key).toBe(key !== 'Escape')
    }
    await press('ArrowDown')
    await press('ArrowDown')
    await press('Tab')
    expect(await shown()).toEqual(['Plain text', 'text'])
    expect(await isExpanded()).toBe(false)
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('expiresIn')
  })

  test('goes back by Escape to what was chosen, and shuts with the focus', async () => {
    const { page, input, shown, isExpanded, press } = await openPicker()
    await input.fill('python')
    await press('Enter')
    await input.fill('rus')
    await press('Escape')
    expect(await shown()).toEqual(['Python', 'python'])
    await input.click()
    await page.locator('[name=title]').focus()
    expect(await isExpanded()).toBe(false)
    expect(await shown()).toEqual(['Python', 'python'])
    await input.fill('')
    await press('Tab')
    expect(await shown()).toEqual(['', ''])
  })

  test('replaces the language by what is typed next: after a click, a choice, Tab and Escape', async () => {
    const { page, picker, input, shown, press } = await openPicker()
    await input.fill('python')
    await press('Enter')
    await page.locator('[name=title]').focus()
    expect(await shown()).toEqual(['Python', 'python'])
    await input.click()
    await page.keyboard.type('rust')
    expect([await input.inputValue(), (await picker.offered())[0]]).toEqual(['rust', 'Rust'])
    await press('Enter')
    await page.keyboard.type('go')
    expect(await input.inputValue()).toBe('go')
    await press('Enter')
    await page.locator('[name=title]').focus()
    await page.keyboard.press('Tab')
    await page.keyboard.type('nim')
    expect(await input.inputValue()).toBe('nim')
    await press('Escape')
    expect(await shown()).toEqual(['Go', 'go'])
    await page.keyboard.type('zig')
    await press('Enter')
    expect(await shown()).toEqual(['Zig', 'zig'])
  })

  test.each([
    ['a click in a low window', { viewport: { width: 1280, height: 400 } }],
    ['a tap, above the keyboard of a phone', { viewport: { width: 360, height: 400 }, hasTouch: true }],
  ])(
    'says after %s at once that nothing matches, with the nearest, and takes it back at the next letter',
    async (_, options: BrowserContextOptions) => {
      const { page, picker, input, isExpanded } = await openPicker(options)
      await input.evaluate((field) => field.scrollIntoView({ block: 'end' }))
      await (options.hasTouch ? input.tap() : input.click())
      await page.keyboard.type('pythn')
      expect(await isExpanded()).toBe(false)
      expect(await picker.error.innerText()).toBe('No language is called “pythn”. Use Python')
      expect(await input.getAttribute('aria-invalid')).toBe('true')
      await comesIntoSight(picker.error)
      await page.keyboard.press('Backspace')
      expect([await picker.error.isVisible(), await isExpanded()]).toEqual([false, true])
    },
  )

  test('refuses what names no language, beside the field, and offers the nearest', async () => {
    const { page, picker, input, shown, press } = await openPicker()
    await homePage(page).fill('paste', { text: 'a', key: examplePaste.key })
    const requests: string[] = []
    // A script that looks for secrets may come meanwhile.
    page.on('request', (request) => {
      if (!request.url().includes('/assets/')) requests.push(request.url())
    })
    await input.fill('pythn')
    await press('Tab')
    expect(await picker.error.innerText()).toBe('No language is called “pythn”. Use Python')
    await page.locator('button[value=paste]').click()
    expect(requests).toEqual([])
    expect(await page.evaluate<boolean>(`document.activeElement.id === 'field-language'`)).toBe(true)
    expect(await violationsOf(page)).toEqual([])
    await picker.error.getByRole('button').click()
    expect(await shown()).toEqual(['Python', 'python'])
    expect(await picker.error.isVisible()).toBe(false)
  })

  test('takes a word that was typed whole when the form is sent without leaving the field', async () => {
    const { page, input } = await openPicker()
    await homePage(page).fill('paste', { text: 'a', key: examplePaste.key })
    await input.fill('golang')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await page.evaluate(`document.querySelector('#create').requestSubmit()`)
    expect((await sent).postDataJSON().language).toBe('go')
    await page.locator('.made').waitFor()
  })

  test('shows what was chosen last on top, also after a reload', async () => {
    const { page, picker, input, press } = await openPicker()
    for (const word of ['zig', 'go', 'nim', 'zig', 'ada', 'elm']) {
      await input.fill(word)
      await press('Enter')
    }
    await page.reload()
    await input.click()
    expect((await picker.offered()).slice(1, 5)).toEqual(['Elm', 'Ada', 'Zig', 'Nim'])
  })

  test.each([
    ['a phone', { width: 320, height: 480 }],
    ['what a keyboard leaves of a phone', { width: 320, height: 260 }],
    ['a tablet', { width: 768, height: 500 }],
    ['a desk', { width: 1280, height: 800 }],
  ])('keeps its list inside the window of %s', async (_, viewport) => {
    const { page, picker, input } = await openPicker({ viewport, hasTouch: true })
    for (const block of ['start', 'center', 'end']) {
      await page.evaluate(`document.querySelector('.picker input').scrollIntoView({ block: '${block}' })`)
      await input.click()
      const box = await picker.list.boundingBox()
      const field = await input.boundingBox()
      if (!box || !field) throw new Error('the list is not shown')
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width)
      expect(box.y).toBeGreaterThanOrEqual(0)
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height)
      expect(box.height).toBeGreaterThan(60)
      expect(box.y + box.height <= field.y || box.y >= field.y + field.height).toBe(true)
      await page.keyboard.press('Escape')
    }
    const size = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.picker input')).fontSize`,
    )
    if (viewport.width < 500) expect(size).toBe('16px')
  })

  test.each(['light', 'dark'] as const)(
    'is without fault for axe when it is open in %s',
    async (colorScheme) => {
      const { page, input } = await openPicker({ colorScheme })
      await input.click()
      await input.press('ArrowDown')
      expect(await violationsOf(page)).toEqual([])
    },
  )

  test('without JavaScript is a plain select that has all of them', async () => {
    const page = await suite.open({ javaScriptEnabled: false })
    await page.goto('/')
    const picker = languagePicker(page)
    expect(await picker.input.isVisible()).toBe(false)
    expect(await picker.select.locator('option').allInnerTexts()).toEqual([
      'Detect automatically',
      ...languages.map(({ name }) => name),
    ])
  })
})

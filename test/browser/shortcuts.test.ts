import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { examplePaste, type PasteBody } from '../support/client.ts'
import { focused, readClipboard, tabStops } from '../support/page-objects/keyboard.ts'
import { pastePage } from '../support/page-objects/paste.ts'

/** Whether a line reaches out of the window. Lines are laid out with the first frame. */
const isWide = (page: Page) =>
  page.evaluate<boolean>(
    `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(code.scrollWidth > code.clientWidth))))`,
  )

describe.skipIf(!requireChromium())("the controls of a paste's page", () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPaste = async (fields: PasteBody = {}, options: BrowserContextOptions = {}, query = '') => {
    const page = await suite.open(options)
    const { pasteUrl } = await suite.client().paste(fields)
    await page.goto(suite.local(pasteUrl) + query)
    return { page, paste: pastePage(page) }
  }

  test('c copies', async () => {
    const { page, paste } = await openPaste()
    await page.keyboard.press('c')
    await paste.status.getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe(examplePaste.text)
  })

  test('r opens the raw text', async () => {
    const { page } = await openPaste()
    await page.keyboard.press('r')
    await page.waitForURL(/\/p\/raw\/\w+$/)
    expect(await page.evaluate<string>('document.contentType')).toBe('text/plain')
  })

  const names = [
    ['An example', 'An-example.ts'],
    ['main.ts', 'main.ts'],
    ['../../etc/pass:wd', 'etc-pass-wd.ts'],
  ]
  test.each(names)('d downloads %j as %s', async (title, name) => {
    const { page } = await openPaste({ title })
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('d')])
    expect(download.suggestedFilename()).toBe(name)
    expect(await Bun.file(await download.path()).text()).toBe(examplePaste.text)
  })

  test('w wraps long lines, and the browser remembers it', async () => {
    const { page, paste } = await openPaste({ text: 'word '.repeat(500) })
    const wrapped = (state: boolean) =>
      page.locator(`#wrap[aria-pressed="${state}"]`).waitFor({ state: 'attached' })
    const widths = [await isWide(page)]
    await page.keyboard.press('w')
    await wrapped(true)
    widths.push(await isWide(page))
    await page.reload()
    await wrapped(true)
    widths.push(await isWide(page))
    await paste.wrapButton.click()
    await wrapped(false)
    await page.reload()
    await wrapped(false)
    widths.push(await isWide(page))
    expect(widths).toEqual([true, false, false, true])
  })

  test.each([
    ['text', 1280, false],
    ['markdown', 1280, false],
    ['javascript', 1280, true],
    ['text', 360, false],
    ['javascript', 360, false],
    ['diff', 360, true],
    ['log', 360, true],
  ])('w wins over how %s is wrapped at %i px, and for good', async (language, width, wasWide) => {
    const viewport = { width, height: 700 }
    const { page } = await openPaste({ text: 'word '.repeat(500), language }, { viewport }, '?view=text')
    const seen = async () => [await isWide(page), await page.evaluate("wrap.getAttribute('aria-pressed')")]
    expect(await seen()).toEqual([wasWide, String(!wasWide)])
    await page.keyboard.press('w')
    expect(await seen()).toEqual([!wasWide, String(wasWide)])
    await page.reload()
    expect(await seen()).toEqual([!wasWide, String(wasWide)])
  })

  test('t goes from the theme of the system to light, dark and back, before anything is painted', async () => {
    const { page, paste } = await openPaste({}, { colorScheme: 'dark' })
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (!document.body) return
      globalThis.themeAtBody = document.documentElement.dataset.theme ?? 'auto'
      observer.disconnect()
    }).observe(document, { childList: true, subtree: true })`)
    const seen: [string, string][] = []
    for (const theme of ['auto', 'light', 'dark', 'auto']) {
      await page.reload()
      expect(await paste.themeButton.getAttribute('aria-label')).toBe(`Theme: ${theme}`)
      seen.push([await page.evaluate<string>('themeAtBody'), await paste.background()])
      await page.keyboard.press('t')
    }
    const [auto, light, dark, again] = seen
    expect(seen.map(([theme]) => theme)).toEqual(['auto', 'light', 'dark', 'auto'])
    expect([dark?.[1], again?.[1]]).toEqual([auto?.[1], auto?.[1]])
    expect(light?.[1]).not.toBe(dark?.[1])
  })

  test('? shows every shortcut, holds the others back meanwhile, and hides them again', async () => {
    const { page, paste } = await openPaste()
    await page.keyboard.press('?')
    await paste.overlay.waitFor()
    expect(await paste.overlay.locator('kbd').allInnerTexts()).toEqual([...'clrdwgqe', ...'mnt?'])
    await page.keyboard.press('w')
    expect(await paste.wrapButton.getAttribute('aria-pressed')).toBe('false')
    for (const key of ['?', 'Escape', 'Enter']) {
      await page.keyboard.press(key)
      await paste.overlay.waitFor({ state: 'hidden' })
      await page.keyboard.press('?')
      await paste.overlay.waitFor()
    }
  })

  test('letters that are typed, and those with Control, are no shortcuts', async () => {
    const { page, paste } = await openPaste()
    await paste.openPart('language')
    await page.getByRole('combobox', { name: 'View as' }).fill('')
    await page.keyboard.type('crdwt?')
    expect(await page.getByRole('combobox', { name: 'View as' }).inputValue()).toBe('crdwt?')
    await paste.code.focus()
    await page.keyboard.press('Control+r')
    expect(await paste.overlay.isVisible()).toBe(false)
    expect(await paste.wrapButton.getAttribute('aria-pressed')).toBe('false')
    expect(page.url()).not.toContain('raw')
  })

  test('are all reached by the Tab key, which is not trapped', async () => {
    const { page } = await openPaste()
    const stops = await tabStops(page)
    expect(stops).toEqual(['Shortcrust', ...['copy', 'copy-link', 'raw', 'wrap', 'More', 'code']])
  })

  test('m opens More, arrows go through its rows, and Escape gives the focus back to its button', async () => {
    const { page, paste } = await openPaste()
    const go = async (key: string) => {
      await page.keyboard.press(key)
      return focused(page)
    }
    expect(await go('m')).toBe('download')
    expect([await go('ArrowDown'), await go('ArrowDown'), await go('ArrowUp')]).toEqual([
      'go',
      'LanguageTypeScript',
      'go',
    ])
    expect([await go('End'), await go('ArrowDown'), await go('Home')]).toEqual(['help', 'help', 'download'])
    expect(await go('Escape')).toBe('More')
    const row = page.locator('#download')
    expect(await row.isVisible()).toBe(false)
    expect([await go('ArrowDown'), await go('Enter')]).toEqual(['More', 'More'])
    await row.waitFor()
    await page.keyboard.press('w')
    await row.waitFor({ state: 'hidden' })
    expect(await paste.wrapButton.getAttribute('aria-pressed')).toBe('true')
  })

  test('q shows the QR code with the address below it, and hides it', async () => {
    const { page } = await openPaste()
    await page.keyboard.press('q')
    await page.getByAltText('QR code').waitFor()
    expect(await page.locator('#qr .address').innerText()).toBe(page.url())
    await page.keyboard.press('q')
    await page.getByAltText('QR code').waitFor({ state: 'hidden' })
  })

  test('are all in More without JavaScript, where one part is unfolded at a time', async () => {
    const { page, paste } = await openPaste({}, { javaScriptEnabled: false })
    await paste.openPart('qr')
    await page.locator('#compare > summary').click()
    await page.getByLabel('Compare with').waitFor()
    expect(await page.getByAltText('QR code').isVisible()).toBe(false)
    const rows = await page.locator('.more .entry:visible .word').allInnerTexts()
    expect(rows).toEqual(['Download', 'Language', 'Compare with…', 'QR code', 'Edit as a new paste'])
  })

  test.each([
    [
      '/',
      [
        ...['field-text', 'file', 'field-title', 'field-language', 'field-expiresIn', 'burn'],
        ...['More options', 'create'],
      ],
    ],
    ['/?link', ['field-url', 'field-linkAlias', 'field-linkExpiresIn', 'More options', 'create']],
  ])('of %s are reached by the Tab key, which leaves the text after Esc', async (path, own) => {
    const page = await suite.open()
    await page.goto(path)
    // From the field that has the focus at the start to the end, and then from the top.
    expect(await tabStops(page)).toEqual(own.slice(1))
    const bar = ['Shortcrust', 'New paste', 'Short link', 'My items', 'API', 'theme', 'help']
    expect(await tabStops(page)).toEqual([...bar, 'field-key', 'keep', ...own])
  })

  test('of an empty list are reached by the Tab key', async () => {
    const page = await suite.open()
    await page.goto('/?items')
    await page.locator('#import').waitFor()
    const own = ['Pastes', 'Short links', 'New paste', 'kept-key', 'Keep key', 'import']
    expect((await tabStops(page)).slice(-own.length)).toEqual(own)
  })
})

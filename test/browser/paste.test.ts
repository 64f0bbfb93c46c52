import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import type { PasteBody } from '../support/client.ts'
import { readClipboard } from '../support/page-objects/keyboard.ts'
import { pastePage } from '../support/page-objects/paste.ts'
import { untilMade } from '../support/until.ts'

const hosts = [['127.0.0.1'], ['nas']] as const
const numbered = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join('')

type Visit = BrowserContextOptions & { host?: string; after?: string }

describe.skipIf(!requireChromium())("a paste's page", () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPaste = async (fields: PasteBody = {}, { after = '', ...options }: Visit = {}) => {
    const page = await suite.open(options)
    const { pasteUrl } = await suite.client().paste(fields)
    const path = suite.local(pasteUrl)
    await page.goto(path + after)
    return { page, paste: pastePage(page), path }
  }

  describe.each(hosts)('at http://%s', (host) => {
    test('copies the text to the letter', async () => {
      const text = '\tone  \r\n\n<b> & "two"\n\n'
      const { page, paste } = await openPaste({ text, language: 'html' }, { host })
      await paste.copyButton.click()
      await paste.status.getByText('Copied').waitFor()
      expect(await readClipboard(page)).toBe(text)
    })

    test('copies a selection to the letter, without line numbers', async () => {
      const text = '\tone\n\n\n  two\n\n'
      const { page, paste } = await openPaste({ text }, { host })
      await paste.selectAll()
      await page.keyboard.press('Control+C')
      expect(await readClipboard(page)).toBe(text)
    })
  })

  test.each(['a\nb\n', '\n\na\n\n\n b\t\n', numbered(250)])(
    'has no line number in its text: selecting %j selects only that',
    async (text) => {
      const { paste } = await openPaste({ text, language: 'text' }, { javaScriptEnabled: false })
      // Chromium leaves out the very last line end of any selection.
      expect(await paste.selectAll()).toBe(text.slice(0, -1))
    },
  )

  test('shows how long ago it was made, and the moment on hover', async () => {
    const { paste } = await openPaste()
    expect(await paste.age.innerText()).toMatch(/^(?:now|\d+ seconds? ago)\s*, \d+ \w+ \d{4}/)
    expect(await paste.age.getAttribute('title')).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/)
  })

  test('without JavaScript shows the moment it was made', async () => {
    const { paste } = await openPaste({}, { javaScriptEnabled: false })
    expect(await paste.age.innerText()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/)
  })

  test('is read in another language on request, and says what an unknown one is nearest to', async () => {
    const text = 'SELECT 1 -- one\n'
    const { page, paste, path } = await openPaste({ text, language: 'text' })
    expect(await paste.code.locator('span').count()).toBe(0)
    await untilMade(`${suite.server().url}${path}?lang=sql`)
    await paste.openPart('language')
    await page.getByRole('combobox', { name: 'View as' }).fill('sql')
    await page.keyboard.press('Enter')
    await paste.code.locator('span').first().waitFor()
    expect(page.url()).toEndWith(`${path}?lang=sql`)
    expect(await paste.facts.innerText()).toContain('SQL')
    expect(await paste.code.textContent()).toBe(text)
    expect((await page.goto(`${path}?lang=pythn`))?.status()).toBe(200)
    expect(await paste.code.textContent()).toBe(text)
    await page.locator('#unknown-language').getByRole('link', { name: 'python' }).click()
    await page.waitForURL('**/*?lang=python')
    expect(await paste.facts.innerText()).toContain('Python')
  })

  test('is printed without what only a screen needs', async () => {
    const { page, paste } = await openPaste()
    expect(await page.locator('.actions').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('h1').isVisible()).toBe(true)
    for (const selector of ['.brand', '.actions'])
      expect(await page.locator(selector).isVisible()).toBe(false)
    expect(await paste.line(1).isVisible()).toBe(true)
  })
})

import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { exampleLink, examplePaste, homePage } from '../support/page-objects/home.ts'
import { readClipboard, tabTo } from '../support/page-objects/keyboard.ts'
import { testKey } from '../support/process.ts'

const noScript = { javaScriptEnabled: false }
type Way = BrowserContextOptions & { host?: string }
const ways: [string, Way][] = [
  ['with JavaScript', {}],
  ['at an insecure origin', { host: 'nas' }],
  ['without JavaScript', noScript],
]
const hasScript = ({ javaScriptEnabled = true }: Way) => javaScriptEnabled

describe.skipIf(!requireChromium())('the page that creates', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openHome = async (way: Way = {}) => {
    const page = await suite.open(way)
    const home = homePage(page)
    await home.open()
    return { page, home }
  }

  describe.each(ways)('%s', (_, way) => {
    test('names the language that it found, if none was chosen', async () => {
      const { home } = await openHome(way)
      const { language: _, ...fields } = {
        ...examplePaste,
        title: '',
        text: '{"name": "a", "private": true}',
      }
      expect(await home.field('paste', 'language').inputValue()).toBe('')
      await home.create('paste', fields)
      await home.answered('paste')
      expect(await home.found.innerText()).toBe('Detected language: JSON.')
    })

    test('makes a paste of the very text that was typed, and every address works', async () => {
      const { page, home } = await openHome(way)
      await home.create('paste', examplePaste)
      const { url = '', raw = '', deletion = '', ...others } = await home.addresses()
      expect(others).toEqual({})
      expect(await home.isQrCodeDrawn()).toBe(true)
      const { host } = new URL(page.url())
      for (const address of [url, raw, deletion]) expect(address).toStartWith(`http://${host}/`)
      await page.goto(raw)
      expect(await page.locator('pre').textContent()).toBe(examplePaste.text)
      await page.goto(url)
      expect(await page.locator('h1').textContent()).toBe(examplePaste.title)
      await page.goto(deletion)
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByRole('heading', { name: 'Deleted' }).waitFor()
      expect((await page.goto(url))?.status()).toBe(410)
    })

    test('gives a lifetime that was chosen, and the page says until when', async () => {
      const { page, home } = await openHome(way)
      await home.field('paste', 'expiresIn').selectOption('after 1 week')
      await home.create('paste', examplePaste)
      const { url = '' } = await home.addresses()
      await page.goto(url)
      const expiry = page.locator('.facts time.left')
      const days = (Date.parse((await expiry.getAttribute('datetime')) ?? '') - Date.now()) / 86_400_000
      expect(days).toBeWithin(6.99, 7)
      expect(await expiry.textContent()).toMatch(/\d+ \w+ \d{4}, \d\d:\d\d UTC$/)
    })

    test('makes a short link, and every address works', async () => {
      const { page, home } = await openHome(way)
      await home.create('link', exampleLink)
      const { url = '', deletion = '', ...others } = await home.addresses()
      expect(others).toEqual({})
      expect(await home.isQrCodeDrawn()).toBe(true)
      await page.goto(`${url}+`)
      expect(await page.locator('.target').innerText()).toBe(exampleLink.url)
      await page.goto(deletion)
      expect(await page.locator('.target').innerText()).toEndWith(exampleLink.url)
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByRole('heading', { name: 'Deleted' }).waitFor()
      expect((await page.goto(`${url}+`))?.status()).toBe(410)
    })
  })

  test.each(ways.filter(([, way]) => hasScript(way)))('%s every address can be copied', async (_, way) => {
    const { page, home } = await openHome(way)
    await home.create('paste', examplePaste)
    for (const [name, address] of Object.entries(await home.addresses())) {
      await home.copyButton(name).click()
      await home.status.getByText('Copied').waitFor()
      expect(await readClipboard(page)).toBe(address)
      await page.bringToFront()
    }
  })

  test('without JavaScript no button is shown that needs it', async () => {
    const { page, home } = await openHome(noScript)
    await home.create('paste', examplePaste)
    await home.result.waitFor()
    const buttons = await page.locator('button:visible, summary:visible, input[type=file]:visible').all()
    expect(await Promise.all(buttons.map((button) => button.innerText()))).toEqual([
      'New paste',
      'More options',
      'Create paste',
    ])
  })

  test('asks for the key once, keeps it only if it is told to, and shows a kept one by its name', async () => {
    const { page, home } = await openHome()
    const storage = () => page.evaluate<string>('JSON.stringify(localStorage)')
    const keyAfterReload = async () => {
      await page.reload()
      return home.field('paste', 'key').inputValue()
    }
    await home.create('paste', examplePaste)
    await home.result.waitFor()
    expect(await storage()).not.toContain(testKey)
    expect(await keyAfterReload()).toBe('')
    await home.fill('paste', { key: testKey })
    await home.keepBox.check()
    await home.keptKey.getByText('environment').waitFor()
    expect(await home.field('paste', 'key').isVisible()).toBe(false)
    expect(await keyAfterReload()).toBe(testKey)
    expect(await home.keptKey.innerText()).toContain('environment')
    await home.tab('Short link').click()
    expect(await home.keptKey.innerText()).toContain('environment')
    await page.getByRole('button', { name: 'Change' }).click()
    await home.keepBox.uncheck()
    expect(await storage()).not.toContain(testKey)
    expect(await keyAfterReload()).toBe('')
  })

  test.each(ways)('%s the key is in no page the server sends', async (_, way) => {
    const { page, home } = await openHome(way)
    const pages: Promise<string>[] = []
    page.on('response', (response) => {
      const isPage = response.headers()['content-type']?.startsWith('text/html')
      if (isPage) pages.push(response.text())
    })
    const refused = { ...examplePaste, alias: 'not a name' }
    for (const fields of [examplePaste, refused]) {
      await home.open()
      await home.create('paste', fields)
      await (fields === refused ? home.error('paste') : home.result).waitFor()
    }
    const sent = await Promise.all(pages)
    expect(sent.length).toBeGreaterThanOrEqual(hasScript(way) ? 2 : 4)
    for (const html of sent) expect(html).not.toContain(testKey)
  })

  test('a paste is created and deleted by the keyboard alone', async () => {
    const { page, home } = await openHome()
    // The text has the focus from the start.
    await page.keyboard.insertText('typed')
    for (const [name, value] of [
      ['title', 'By hand'],
      ['key', testKey],
    ] as const) {
      await tabTo(page, `[name=${name}]`)
      await page.keyboard.insertText(value)
    }
    await page.keyboard.press('Control+Enter')
    const { url = '' } = await home.addresses()
    await tabTo(page, '.deletion a')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Delete this paste?' }).waitFor()
    await tabTo(page, '.danger')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Deleted' }).waitFor()
    expect((await suite.client().get(url)).status).toBe(410)
  })
})

import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { exampleLink, examplePaste, homePage } from '../support/page-objects/home.ts'
import { focused, readClipboard, tabTo } from '../support/page-objects/keyboard.ts'
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
      const said = hasScript(way) ? home.made.page().locator('.facts') : home.found
      expect(await said.innerText()).toContain('JSON')
    })

    test('makes a paste of the very text that was typed, and every address works', async () => {
      const { page, home } = await openHome(way)
      await home.create('paste', examplePaste)
      const { url, deletion } = await home.addresses()
      expect(await home.isQrCodeDrawn()).toBe(true)
      const { host } = new URL(page.url())
      for (const address of [url, deletion]) expect(address).toStartWith(`http://${host}/`)
      await page.goto(url.replace('/p/', '/p/raw/'))
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
      const { url, deletion } = await home.addresses()
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

  describe.each(ways.filter(([, way]) => hasScript(way)))('%s', (_, way) => {
    const sends = ['Ctrl+Enter', 'a click'] as const
    test.each(sends)(
      'the address of a new paste is on the clipboard after %s, and its page is shown',
      async (send) => {
        const { page, home } = await openHome(way)
        await home.fill('paste', examplePaste)
        if (send === 'a click') await home.submitButton('paste').click()
        else await home.field('paste', 'text').press('Control+Enter')
        await home.made.getByText('Created, and the link is copied:').waitFor()
        expect(await page.locator('h1').innerText()).toBe(examplePaste.title)
        expect(await home.made.locator('.made-address').innerText()).toBe(page.url())
        expect(await readClipboard(page)).toBe(page.url())
      },
    )

    test('the address of what is not opened is copied beside the form: a short link, and a paste that burns', async () => {
      const { page, home } = await openHome(way)
      for (const [kind, fields] of [
        ['link', exampleLink],
        ['paste', { ...examplePaste, burn: 'yes' }],
      ] as const) {
        await home.create(kind, fields)
        await home.result.getByText('created, and the link is copied').waitFor()
        expect(
          await home.result.getByRole('button', { name: 'Copy link' }).and(page.locator(':focus')).count(),
        ).toBe(1)
        expect(await readClipboard(page)).toBe((await home.addresses()).url)
        await page.bringToFront()
      }
      const answer = await suite.client().get(new URL((await home.addresses()).url).pathname)
      expect(answer.status).toBe(200)
    })
  })

  test('Enter copies the address of a new paste where the browser refused to', async () => {
    const { page, home } = await openHome({ host: 'nas' })
    await page.evaluate('document.execCommand = () => false')
    await home.create('paste', examplePaste)
    await home.made.getByText('Created:').waitFor()
    expect(await focused(page)).toBe('copy-link')
    await page.keyboard.press('Enter')
    await home.status.getByText('Link copied').waitFor()
    expect(await readClipboard(page)).toBe(page.url())
  })

  test('a new paste is undone at once, by its maker alone, until the tab closes', async () => {
    const { page, home } = await openHome()
    await home.create('paste', examplePaste)
    const { url, deletion } = await home.addresses()
    await page.reload()
    await home.made.getByText('Undo…').click()
    await home.made.getByRole('button', { name: 'Copy deletion link' }).click()
    await home.status.getByText('The deletion link was copied').waitFor()
    expect(await readClipboard(page)).toBe(deletion)
    await page.bringToFront()
    const stranger = await suite.open()
    await stranger.goto(suite.local(url))
    await stranger.locator('#code').waitFor()
    expect(await stranger.locator('.made').isVisible()).toBe(false)
    await home.made.getByRole('button', { name: 'Delete it' }).click()
    await page.waitForURL(/\/$/)
    expect((await suite.client().get(url)).status).toBe(410)
    expect(
      await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })'),
    ).not.toContain(deletion)
  })

  test('a new paste keeps its deletion link in sight where the browser hands nothing over', async () => {
    const { page, home } = await openHome()
    await page.evaluate(`Storage.prototype.setItem = () => { throw new Error('full') }`)
    await home.create('paste', examplePaste)
    await home.result.getByText('Paste created').waitFor()
    expect((await home.addresses()).deletion).toContain('/paste/delete?')
  })

  test('without JavaScript no button is shown that needs it', async () => {
    const { page, home } = await openHome(noScript)
    await home.create('paste', examplePaste)
    await home.result.waitFor()
    const buttons = await page.locator('button:visible, summary:visible, input[type=file]:visible').all()
    expect(await Promise.all(buttons.map((button) => button.innerText()))).toEqual([
      'QR code',
      'Delete…',
      'New paste',
      'More options',
      'Create paste',
    ])
  })

  test('asks for the key once, keeps it only if it is told to, and shows a kept one by its name', async () => {
    const { page, home } = await openHome()
    const storage = () => page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')
    const keyAfterReload = async () => {
      await page.goto('/')
      return home.field('paste', 'key').inputValue()
    }
    await home.create('paste', examplePaste)
    await home.addresses()
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
      await home.answered('paste')
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
    await tabTo(page, '.made summary')
    await page.keyboard.press('Enter')
    await tabTo(page, '.danger')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/$/)
    expect((await suite.client().get(url)).status).toBe(410)
  })
})

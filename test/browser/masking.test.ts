import { describe, expect, test } from 'bun:test'
import { createValues } from '../../scripts/mask/secrets.ts'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { editPage } from '../support/page-objects/edit.ts'
import { drop, file } from '../support/page-objects/files.ts'
import { homePage } from '../support/page-objects/home.ts'
import { maskPanel } from '../support/page-objects/masking.ts'
import { testKey } from '../support/process.ts'

const token = `ghp_${createValues(4).of('alnum', 36)}`
const text = `TOKEN=${token}\nfrom 10.20.4.17\nand 10.20.4.17, 10.20.4.18\n`
const masked = 'TOKEN=<github-token-1>\nfrom <ip-1>\nand <ip-1>, <ip-2>\n'

describe.skipIf(!requireChromium())('masking in the form', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openHome = async (host?: string) => {
    const page = await suite.open({ ...(host !== undefined && { host }) })
    const home = homePage(page)
    await home.open()
    const typed = async () => (await home.typed('paste', ['text'])).text
    return { page, home, panel: maskPanel(page), typed }
  }

  test('names what looks secret by kind and line, for screen readers too', async () => {
    const { home, panel } = await openHome()
    await home.fill('paste', { text })
    await panel.found.waitFor()
    const words =
      'This looks secret: 1 GitHub token (line 1). And personal: 2 private addresses (lines 2 and 3).'
    expect(await panel.words.innerText()).toBe(words)
    expect(await panel.said.innerText()).toBe(`${words} Mask replaces it.`)
    // Another text is looked at first.
    await home.fill('paste', { text: 'nothing' })
    await panel.found.waitFor({ state: 'hidden' })
    expect(await panel.said.innerText()).toBe('')
    // Once the text is gone, so is the warning.
    await home.fill('paste', { text })
    await panel.found.waitFor()
    await home.fill('paste', { text: '' })
    expect(await panel.found.isVisible()).toBe(false)
    expect(await panel.said.innerText()).toBe('')
  })

  test('loads nothing for it before there is a text', async () => {
    const { page, home } = await openHome()
    const isLoaded = () => page.locator('script[src*=masking]').count()
    await home.fill('paste', { title: 'words' })
    expect([await isLoaded(), page.workers().length]).toEqual([0, 0])
    await Promise.all([page.waitForEvent('worker'), home.fill('paste', { text: 'a' })])
    expect(await isLoaded()).toBe(1)
  })

  test.each(['127.0.0.1', 'nas'])(
    'replaces it at http://%s, lists it, and the server gets nothing else',
    async (host) => {
      const { page, home, panel, typed } = await openHome(host)
      await home.fill('paste', { text, key: testKey })
      await panel.maskAll()
      expect(await typed()).toBe(masked)
      expect(await panel.title.innerText()).toBe('3 values masked')
      expect(await panel.rows.allInnerTexts()).toEqual(
        [
          '<github-token-1> GitHub token, line 1',
          '<ip-1> private address, lines 2 and 3',
          '<ip-2> private address, line 3',
        ].map((words) => expect.stringMatching(new RegExp(words.replace(' ', '\\s+')))),
      )
      const [request] = await Promise.all([
        page.waitForRequest('**/paste'),
        home.submitButton('paste').click(),
      ])
      expect(request.postDataJSON().text).toBe(masked)
      await home.answered('paste')
      expect(await panel.rows.count()).toBe(0)
    },
  )

  test('takes back one value and masks it again, with the keyboard alone, and the focus stays', async () => {
    const { page, home, panel, typed } = await openHome()
    await home.fill('paste', { text })
    await panel.found.waitFor()
    await home.field('paste', 'text').focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panel.title.and(page.locator(':focus')).waitFor()
    // "Undo all", then the first and the second row.
    for (let press = 0; press < 3; press++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await panel.row('<ip-1>').getByText('not masked').waitFor()
    expect(await typed()).toBe(masked.replaceAll('<ip-1>', '10.20.4.17'))
    expect(await panel.title.innerText()).toBe('2 values masked')
    expect(await panel.found.isVisible()).toBe(false)
    expect(await page.locator(':focus').innerText()).toBe('Mask again')
    await page.keyboard.press('Enter')
    await panel.row('<ip-1>').getByText('Undo').waitFor()
    expect(await typed()).toBe(masked)
  })

  test('takes everything back, with what was typed since', async () => {
    const { page, home, panel, typed } = await openHome()
    await home.fill('paste', { text })
    await panel.maskAll()
    await home.field('paste', 'text').press('Control+End')
    await page.keyboard.type('and a word')
    await panel.all('Undo all').click()
    await panel.all('Mask all again').waitFor()
    expect(await typed()).toBe(`${text}and a word`)
    await panel.all('Mask all again').click()
    await panel.all('Undo all').waitFor()
    expect(await typed()).toBe(`${masked}and a word`)
  })

  test('masks what is typed later with placeholders of its own', async () => {
    const { page, home, panel, typed } = await openHome()
    await home.fill('paste', { text })
    await panel.maskAll()
    await home.field('paste', 'text').press('Control+End')
    await page.keyboard.type('10.20.4.99 and 10.20.4.18')
    await panel.found.getByText('lines 4').or(panel.found.getByText('line 4')).waitFor()
    await panel.button.click()
    await panel.row('<ip-3>').waitFor()
    expect(await typed()).toBe(`${masked}<ip-3> and <ip-2>`)
  })

  test('looks at a file that is dropped', async () => {
    const { page, panel, typed } = await openHome()
    await drop(page, file('shop.env', text))
    await panel.maskAll()
    expect(await typed()).toBe(masked)
  })

  test('is there on the page that changes a paste, too', async () => {
    const { pasteUrl = '' } = await suite.client().paste({ text })
    const page = await suite.open()
    const [edit, panel] = [editPage(page), maskPanel(page)]
    await edit.keepKey(testKey)
    await edit.open(pasteUrl.slice(-10))
    await panel.maskAll()
    await edit.save.click()
    await page.waitForURL('**/p/*')
    const raw = await suite.client().get(pasteUrl.replace('/p/', '/p/raw/'))
    expect(await raw.text()).toBe(masked)
  })

  test('looks at 1 MiB in a thread of its own', async () => {
    const { page, home, panel, typed } = await openHome()
    const long = `${'nothing to see in this line\n'.repeat(37_000)}from 10.20.4.17`
    await home.field('paste', 'text').evaluate((at, value) => {
      Object.assign(at, { value })
      at.dispatchEvent(new Event('input', { bubbles: true }))
    }, long)
    await panel.found.getByText('line 37001').waitFor()
    expect(page.workers()).toHaveLength(1)
    await panel.maskAll()
    expect((await typed())?.slice(-15)).toBe('ine\nfrom <ip-1>')
  })
})

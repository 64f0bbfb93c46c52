import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { drop, file } from '../support/page-objects/files.ts'
import { homePage } from '../support/page-objects/home.ts'
import { testKey } from '../support/process.ts'
import { xssPayloads } from '../support/xss.ts'

/** A field of one line drops line ends. */
const inField = (text: string) => text.replace(/[\r\n]/g, '')

/** Waits until the page has said exactly this. */
const announced = (message: string) => `new Promise((resolve) => {
  const status = document.getElementById('status')
  const look = () => status.textContent === ${JSON.stringify(message)} && resolve()
  new MutationObserver(look).observe(status, { childList: true })
  look()
})`

describe.skipIf(!requireChromium())('a file', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openHome = async () => {
    const page = await suite.open()
    const home = homePage(page)
    await home.open()
    return { page, home }
  }
  const filled = ['text', 'title', 'language']
  const fill = {
    dropped: (page: Page, given: ReturnType<typeof file>) => drop(page, given),
    chosen: (page: Page, given: ReturnType<typeof file>) => page.locator('#file').setInputFiles(given),
  }

  test.each(['dropped', 'chosen'] as const)('%s fills in text, title and language', async (way) => {
    const { page, home } = await openHome()
    await fill[way](page, file('Makefile', 'all:\n\techo 1\n'))
    await home.status.getByText('Filled in from Makefile').waitFor()
    expect(await home.typed('paste', filled)).toEqual({
      text: 'all:\n\techo 1\n',
      title: 'Makefile',
      language: 'make',
    })
    // What came from the last file goes with it.
    await fill[way](page, file('notes.unknown', 'words'))
    await home.status.getByText('Filled in from notes.unknown').waitFor()
    expect(await home.typed('paste', filled)).toEqual({ text: 'words', title: 'notes.unknown', language: '' })
  })

  test('dropped leaves what was typed or chosen before', async () => {
    const { page, home } = await openHome()
    await home.fill('paste', { title: 'Mine' })
    await drop(page, file('a.py', 'print(1)'))
    await home.status.getByText('Filled in from a.py').waitFor()
    expect(await home.typed('paste', filled)).toEqual({ text: 'print(1)', title: 'Mine', language: 'python' })
  })

  test('dropped while another tab is shown brings the text back', async () => {
    const { page, home } = await openHome()
    await home.tab('Short link').click()
    await drop(page, file('a.py', 'print(1)'))
    await home.status.getByText('Filled in from a.py').waitFor()
    expect(await home.field('paste', 'text').isVisible()).toBe(true)
    expect(new URL(page.url()).search).toBe('')
  })

  test.each([
    ['with a NUL', Buffer.from('a\0b'), 'is not text'],
    ['that is no UTF-8', Buffer.from([0xff, 0xfe, 0x41]), 'is not text'],
    ['larger than a paste may be', Buffer.alloc(2 * 1024 ** 2, 'a'), 'is larger than 1 MiB'],
  ])('%s is refused with its name and size, and nothing is sent or lost', async (_, bytes, says) => {
    const { page, home } = await openHome()
    await home.fill('paste', { text: 'mine', title: 'Mine' })
    const requests: string[] = []
    // A script that looks for secrets may come meanwhile.
    page.on('request', (request) => {
      if (!request.url().includes('/assets/')) requests.push(request.url())
    })
    await page.locator('#file').setInputFiles({ name: 'a.bin', mimeType: 'text/plain', buffer: bytes })
    await home.error('paste').getByText(says).waitFor()
    expect(await home.error('paste').innerText()).toMatch(/^a\.bin \(\d+ (bytes|MiB)\) /)
    expect(await home.typed('paste', ['text', 'title'])).toEqual({ text: 'mine', title: 'Mine' })
    expect(requests).toEqual([])
  })

  /** All of them, in as few titles as take them. */
  const titles: string[] = []
  for (const payload of xssPayloads) {
    const joined = (titles.at(-1) ?? '') + payload
    if (titles.length > 0 && Buffer.byteLength(joined) <= 1024) titles[titles.length - 1] = joined
    else titles.push(payload)
  }

  test('with a hostile name runs nothing, in the form and in the list of what was created', async () => {
    const { page, home } = await openHome()
    for (const name of xssPayloads) {
      await home.fill('paste', { title: '' })
      await drop(page, file(name, 'text'))
      await page.evaluate(announced(`Filled in from ${name}`))
      expect(await home.field('paste', 'title').inputValue()).toBe(inField(name))
    }
    for (const name of titles) {
      await home.fill('paste', { title: '' })
      await drop(page, file(name, 'text'))
      await page.evaluate(announced(`Filled in from ${name}`))
      await home.create('paste', { key: testKey })
      await home.addresses()
      expect(await page.locator('h1').innerText()).toContain(inField(name).trim().slice(0, 20))
      await home.open()
    }
    await home.tab('My items').click()
    await home.items.rows.nth(titles.length - 1).waitFor()
    const listed = await home.items.rows.getByRole('link').allTextContents()
    expect(listed.sort()).toEqual(titles.map(inField).sort())
  })
})

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { requireChromium } from './support/browser.ts'
import { browserSuite } from './support/browser-suite.ts'
import { drop, file } from './support/page-objects/files.ts'
import { homePage } from './support/page-objects/home.ts'
import { testKey } from './support/process.ts'
import { xssPayloads } from './support/xss.ts'

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
    await home.status.getByText('Makefile was filled in').waitFor()
    expect(await home.typed('paste', filled)).toEqual({
      text: 'all:\n\techo 1\n',
      title: 'Makefile',
      language: 'make',
    })
    await fill[way](page, file('notes.unknown', 'words'))
    await home.status.getByText('notes.unknown was filled in').waitFor()
    expect((await home.typed('paste', filled)).text).toBe('words')
  })

  test('dropped leaves a title that was typed before', async () => {
    const { page, home } = await openHome()
    await home.fill('paste', { title: 'Mine' })
    await drop(page, file('a.py', 'print(1)'))
    await home.status.getByText('a.py was filled in').waitFor()
    expect(await home.typed('paste', filled)).toEqual({ text: 'print(1)', title: 'Mine', language: 'python' })
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
      await page.evaluate(announced(`${name} was filled in`))
      expect(await home.field('paste', 'title').inputValue()).toBe(inField(name))
    }
    for (const [at, name] of titles.entries()) {
      await home.fill('paste', { title: '' })
      await drop(page, file(name, 'text'))
      await page.evaluate(announced(`${name} was filled in`))
      await home.create('paste', { key: testKey })
      await home.items.rows.nth(at).waitFor()
    }
    const listed = await home.items.rows.getByRole('link').allTextContents()
    expect(listed.sort()).toEqual(titles.map(inField).sort())
  })
})

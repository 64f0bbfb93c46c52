import { describe, expect, test } from 'bun:test'
import { requireChromium } from './support/browser.ts'
import { browserSuite } from './support/browser-suite.ts'
import { file } from './support/page-objects/files.ts'
import { exampleLink, examplePaste, homePage } from './support/page-objects/home.ts'
import { readClipboard } from './support/page-objects/keyboard.ts'

describe.skipIf(!requireChromium())('the list of what was created', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openHome = async (options = {}) => {
    const page = await suite.open(options)
    const home = homePage(page)
    await home.open()
    return { page, home }
  }
  /** A browser that created a paste and a link. */
  const openWithItems = async () => {
    const { page, home } = await openHome()
    await home.create('paste', examplePaste)
    await home.items.row(examplePaste.title).waitFor()
    const { url: pasteUrl = '' } = await home.addresses()
    await home.create('link', exampleLink)
    await home.items.row(exampleLink.url).waitFor()
    return { page, home, pasteUrl }
  }
  test('lists what this browser created, newest first, also after a reload', async () => {
    const { page, home } = await openWithItems()
    for (const _ of ['before', 'after']) {
      const links = await home.items.rows.locator('a').allInnerTexts()
      expect(links).toEqual([exampleLink.url, examplePaste.title])
      await page.reload()
    }
    const other = await openHome()
    expect(await other.home.items.rows.count()).toBe(0)
  })

  test('opens and copies an item', async () => {
    const { page, home, pasteUrl } = await openWithItems()
    const row = home.items.row(examplePaste.title)
    await row.getByRole('button', { name: 'Copy' }).click()
    await home.status.getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe(pasteUrl)
    await row.getByRole('link').click()
    await page.waitForURL(pasteUrl)
  })

  test('deletes an item with the second click, and not with the first', async () => {
    const { home, pasteUrl } = await openWithItems()
    const status = async () => (await suite.client().get(pasteUrl)).status
    const row = home.items.row(examplePaste.title)
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.getByRole('button', { name: 'Really delete?' }).waitFor()
    expect(await status()).toBe(200)
    await row.getByRole('button', { name: 'Really delete?' }).click()
    await row.waitFor({ state: 'detached' })
    expect(await status()).toBe(410)
    expect(await home.items.rows.count()).toBe(1)
  })

  test('drops an item from the list that was deleted elsewhere', async () => {
    const { page, home } = await openWithItems()
    const { deletion = '' } = await home.addresses()
    await fetch(deletion, { method: 'DELETE' })
    const row = home.items.row(exampleLink.url)
    await row.getByRole('button', { name: 'Delete' }).click()
    await row.getByRole('button', { name: 'Really delete?' }).click()
    await row.waitFor({ state: 'detached' })
    await page.reload()
    expect(await home.items.rows.count()).toBe(1)
  })

  test('exports a list that another browser imports, each item once', async () => {
    const { page, home, pasteUrl } = await openWithItems()
    const [download] = await Promise.all([page.waitForEvent('download'), home.items.exportButton.click()])
    expect(download.suggestedFilename()).toBe('shortcrust-items.json')
    const exported = await download.path()
    const other = await openHome()
    for (const _ of ['once', 'twice']) {
      await other.home.items.importFile.setInputFiles(exported)
      await other.home.status.getByText('2 items imported').waitFor()
      expect(await other.home.items.rows.count()).toBe(2)
      await other.page.reload()
    }
    await other.home.items.row(examplePaste.title).getByRole('link').click()
    await other.page.waitForURL(pasteUrl)
  })

  const item = {
    kind: 'paste',
    name: '',
    url: 'http://x/p/a',
    deletionUrl: 'http://x/p/d',
    createdAt: '2024-01-01',
  }
  const rubbish = [
    '',
    'null',
    '{}',
    '[1]',
    '[null]',
    '[{"kind":"paste"}]',
    '\0',
    JSON.stringify([item, { ...item, url: 'javascript:__xss(1)' }]),
    JSON.stringify([{ ...item, deletionUrl: 'data:,' }]),
    JSON.stringify([{ ...item, createdAt: 'never' }]),
  ]
  test('refuses rubbish as a list, and keeps the list it has', async () => {
    const { page, home } = await openWithItems()
    for (const text of rubbish) {
      await home.items.importFile.setInputFiles(file('list.json', text))
      await home.status.getByText('This file is no list that was exported here').waitFor()
      expect(await home.items.rows.count()).toBe(2)
      await page.reload()
    }
    expect(await home.items.rows.count()).toBe(2)
  })
})

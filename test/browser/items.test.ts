import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { violationsOf } from '../support/page-objects/axe.ts'
import { file } from '../support/page-objects/files.ts'
import { exampleLink, examplePaste, homePage } from '../support/page-objects/home.ts'
import { itemsPage } from '../support/page-objects/items.ts'
import { readClipboard } from '../support/page-objects/keyboard.ts'
import { testKey } from '../support/process.ts'

describe.skipIf(!requireChromium())("the browser's own list", () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openItems = async (options = {}) => {
    const page = await suite.open(options)
    const items = itemsPage(page)
    await items.open()
    return { page, items }
  }
  /** A browser that created a paste and a link. */
  const openWithItems = async () => {
    const page = await suite.open()
    const home = homePage(page)
    await home.open()
    await home.create('paste', examplePaste)
    const { url = '', deletion = '' } = await home.addresses()
    await home.create('link', exampleLink)
    await home.result.getByText('Short link created').waitFor()
    const items = itemsPage(page)
    await home.tab('My items').click()
    await items.untilCount(1)
    return { page, home, items, url, deletion }
  }

  test('says the next step where there is nothing yet, and hides what would find, sort or export nothing', async () => {
    const { page, items } = await openItems()
    await items.nothing.getByText('Nothing here yet').waitFor()
    expect(await items.nothing.innerText()).toContain('What you create in this browser appears here.')
    for (const hidden of [items.search, items.sort, items.exportButton, items.source, items.more])
      expect(await hidden.isVisible()).toBe(false)
    expect(await items.totals()).toEqual(['', ''])
    await items.showLinks()
    await items.nothing.getByRole('link', { name: 'New short link' }).waitFor()
    await items.showPastes()
    await items.nothing.getByRole('link', { name: 'New paste' }).click()
    await page.waitForURL(/\/$/)
  })

  test('takes a key where none is kept, says what is wrong with it, and lists what it made', async () => {
    const { page, items } = await openItems()
    await suite.client().paste({ title: 'by the key' })
    const field = page.getByLabel('Have an API key?')
    await field.fill('sc_wrong')
    await field.press('Enter')
    await items.panel.getByText('not valid').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill(testKey)
    await field.press('Enter')
    await items.row('by the key').first().waitFor()
    expect(await items.source.innerText()).toContain('Everything made with the key')
    await homePage(page).tab('New paste').click()
    expect(await homePage(page).keptKey.isVisible()).toBe(true)
    await page.reload()
    expect(await homePage(page).keptKey.isVisible()).toBe(true)
  })

  test('offers to keep the key after a success with one that is not kept', async () => {
    const page = await suite.open()
    const home = homePage(page)
    await home.open()
    await home.create('paste', examplePaste)
    const offer = page.getByText('Keep this key in this browser?')
    await offer.getByRole('button', { name: 'Keep' }).click()
    await offer.waitFor({ state: 'hidden' })
    await home.open()
    expect(await home.keptKey.isVisible()).toBe(true)
    await home.create('paste', { text: 'another' })
    await home.addresses()
    expect(await offer.isVisible()).toBe(false)
  })

  test('names a paste without a title by its first line, but not one that burns', async () => {
    const page = await suite.open()
    const home = homePage(page)
    await home.open()
    for (const [text, more] of [
      ['\n  first line\nsecond', {}],
      ['a secret', { burn: 'yes' }],
    ] as const) {
      await home.create('paste', { ...examplePaste, ...more, text, title: '' })
      await home.addresses()
    }
    expect(await home.result.locator('.name').innerText()).toBe('Untitled paste')
    await home.tab('My items').click()
    await itemsPage(page).untilCount(2)
    expect(await itemsPage(page).names()).toEqual(['Untitled paste', 'first line'])
  })

  test('has what this browser created, by kind, also after a reload, and no other browser has it', async () => {
    const { page, items } = await openWithItems()
    for (const _ of ['before', 'after']) {
      await items.showPastes()
      await items.untilCount(1)
      expect(await items.names()).toEqual([examplePaste.title])
      expect(await items.totals()).toEqual(['1', '1'])
      await items.showLinks()
      await items.row('example.org/a?b=c#d').waitFor()
      const names = [expect.stringMatching(/^\/s\/\w{7}$/)] as never
      expect(await items.names()).toEqual(names)
      await page.reload()
      await items.untilCount(1)
      expect(await items.names()).toEqual(names)
    }
    const other = await openItems()
    await other.items.untilCount(0)
  })

  test('opens and copies an item', async () => {
    const { page, items, url } = await openWithItems()
    await items.copyButton(examplePaste.title).click()
    await page.locator('#status').getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe(url)
    await items.row(examplePaste.title).getByRole('link').click()
    await page.waitForURL(url)
  })

  test('goes from row to row by arrows, opens one by Enter and copies its link by c, and Tab stops as before', async () => {
    const { page, items } = await openItems()
    const url = `${suite.server().url}/?from=`
    await items.keepItems(
      ['a', 'b', 'c'].map((name) => ({ ...item, name, url: url + name, deletionUrl: `http://x/${name}` })),
    )
    await page.reload()
    await items.untilCount(3)
    const press = async (key: string) => {
      await page.keyboard.press(key)
      return items.focused()
    }
    expect([await press('ArrowDown'), await press('ArrowDown')]).toEqual(['a', 'b'])
    expect([await press('Tab'), await press('Tab'), await press('Tab')]).toEqual([
      'Copy the link of “b”',
      'More for “b”',
      'c',
    ])
    // No row is above the first or below the last.
    expect([await press('ArrowDown'), await press('ArrowUp'), await press('ArrowUp')]).toEqual([
      'c',
      'b',
      'a',
    ])
    expect([await press('ArrowUp'), await press('/'), await press('ArrowDown')]).toEqual([
      'a',
      'Search my items',
      'a',
    ])
    await press('Tab')
    expect(await press('ArrowDown')).toBe('b')
    await page.keyboard.press('c')
    await page.locator('#status').getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe(`${url}b`)
    await items.menu('b').press('Enter')
    expect(await press('ArrowDown')).toBe('Raw text')
    await press('Escape')
    await page.keyboard.press('?')
    expect(await page.locator('#shortcuts kbd:visible').allInnerTexts()).toEqual([
      ...['/', '↑ ↓', 'Enter', 'c'],
      ...['n', 't', '?'],
    ])
    await page.keyboard.press('?')
    await press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/from=a$/)
    await page.keyboard.press('Escape')
    await page.goto('/')
    await page.locator('#field-title').focus()
    await page.keyboard.press('Tab')
    await page.locator('#help').click()
    expect(await page.locator('#shortcuts kbd:visible').allInnerTexts()).toEqual(['n', 't', '?'])
  })

  test('drops an item that was deleted elsewhere', async () => {
    const { page, items, deletion } = await openWithItems()
    await fetch(deletion, { method: 'DELETE' })
    await items.askToDelete(examplePaste.title)
    await items.confirm.click()
    await page.locator('#status').getByText('was already deleted').waitFor()
    await page.reload()
    await items.untilCount(0)
  })

  test('exports a list that another browser imports, each item once', async () => {
    const { page, items, url } = await openWithItems()
    const [download] = await Promise.all([page.waitForEvent('download'), items.exportButton.click()])
    expect(download.suggestedFilename()).toBe('shortcrust-items.json')
    const exported = await download.path()
    const other = await openItems()
    for (const _ of ['once', 'twice']) {
      await other.items.importFile.setInputFiles(exported)
      await other.page.locator('#status').getByText('2 items imported').waitFor()
      await other.items.untilCount(1)
      await other.page.reload()
    }
    await other.items.row(examplePaste.title).getByRole('link').click()
    await other.page.waitForURL(url)
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
    const { page, items } = await openWithItems()
    for (const text of rubbish) {
      await items.importFile.setInputFiles(file('list.json', text))
      await page.locator('#status').getByText('This file is not an exported Shortcrust list').waitFor()
      await items.untilCount(1)
      await page.reload()
    }
  })

  test('shows fifty at a time, and the focus moves to the first new one', async () => {
    const { page, items } = await openItems()
    const many = Array.from({ length: 120 }, (_, at) => ({
      ...item,
      name: `n${at}`,
      deletionUrl: `http://x/${at}`,
    }))
    await items.keepItems(many)
    await page.reload()
    for (const [count, focused] of [
      [100, 'n50'],
      [120, 'n100'],
    ] as const) {
      await items.more.click()
      await items.untilCount(count)
      expect(await items.focused()).toBe(focused)
    }
    expect(await items.more.isVisible()).toBe(false)
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    expect(height / 120).toBeLessThan(60)
  })

  test('shows every item once, also when some were deleted before the next fifty', async () => {
    const page = await suite.open()
    const items = itemsPage(page)
    await items.open()
    const made = []
    for (let at = 0; at < 52; at++) {
      const { pasteUrl: url, deletionUrl } = await suite.client().paste()
      made.push({ ...item, name: `n${at}`, url, deletionUrl })
    }
    await items.keepItems(made)
    await page.reload()
    await items.untilCount(50)
    await items.askToDelete('n0')
    await items.confirm.click()
    await items.untilCount(49)
    await items.more.click()
    await items.untilCount(51)
    expect(await items.names()).toEqual(made.slice(1).map(({ name }) => name))
  })

  test('tells nine short links to one host apart on a phone', async () => {
    const { page, items } = await openItems({ viewport: { width: 360, height: 740 } })
    const host = 'https://example.org/team/handbook/a/long/way/down'
    const targets = [
      'printers',
      'first-day',
      'guest-wifi',
      '?week=48',
      'backup-plan',
      'scanner',
      '?id=48213',
      '?id=48377',
      'menu',
    ]
    await items.keepItems(
      targets.map((end, at) => ({
        ...{
          kind: 'link',
          name: `${host}${end.startsWith('?') ? end : `/${end}`}`,
          url: `http://x/s/link${at}`,
        },
        ...{ deletionUrl: `http://x/${at}`, createdAt: '2024-01-01' },
      })),
    )
    await page.goto('/?items&kind=link')
    await items.untilCount(9)
    expect(await items.names()).toEqual(targets.map((_, at) => `/s/link${at}`))
    for (const [at, end] of targets.entries()) {
      const target = items.rows.nth(at).locator('.item-target')
      const [box, tail, head] = await Promise.all([
        target.boundingBox(),
        target.locator('.tail').boundingBox(),
        target.locator('.head').evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]),
      ])
      expect(await target.locator('.tail').innerText()).toEndWith(end)
      expect((tail?.x ?? 0) + (tail?.width ?? 999)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0) + 1)
      expect(head[0]).toBeGreaterThan(head[1] as number)
      expect(await target.getAttribute('title')).toStartWith(host)
    }
  })

  test.each([320, 360, 768, 1280])(
    'reaches out of no window of %i px, and axe finds nothing',
    async (width) => {
      const { page, items } = await openItems({ viewport: { width, height: 640 } })
      const long =
        'https://example.org/a/very/long/address/that/has/to/be/cut/somewhere?with=a&long=query'.repeat(3)
      await items.keepItems([
        { ...item, name: long },
        { ...item, name: 'b', deletionUrl: 'http://x/2' },
      ])
      await page.reload()
      await items.untilCount(2)
      await items.menu('b').click()
      expect(await violationsOf(page)).toEqual([])
      await items.menu('b').click()
      await items.askToDelete('b')
      const right = await page.evaluate<number>(
        `Math.max(...[...document.querySelectorAll('#items *')].map((one) => one.getBoundingClientRect().right))`,
      )
      expect(right).toBeLessThanOrEqual(width)
      expect(await violationsOf(page)).toEqual([])
    },
  )
})

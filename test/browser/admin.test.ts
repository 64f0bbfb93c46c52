import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { violationsOf } from '../support/page-objects/axe.ts'
import { itemsPage } from '../support/page-objects/items.ts'
import { run } from '../support/process.ts'

describe.skipIf(!requireChromium())('the page of the owner', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const keyOf = async (...words: string[]) =>
    (await run(['keys', 'add', ...words, '--data', suite.server().data])).stdout.trim()

  /** The page of a browser that keeps this key. */
  const openWith = async (key: string, options = {}) => {
    const page = await suite.open(options)
    await page.goto('/healthz')
    await itemsPage(page).keepKey(key)
    await page.goto('/admin')
    const names = () => page.locator('.item-name').allInnerTexts()
    return { page, names, box: (name: string) => page.getByLabel(`Select “${name}”`) }
  }

  test('is the same empty page for everybody, which nobody keeps', async () => {
    await createClient(suite.server().url, await keyOf('secretive')).paste({ title: 'a secret title' })
    const first = await fetch(`${suite.server().url}/admin`)
    const again = await fetch(`${suite.server().url}/admin`, {
      headers: { key: await keyOf('any', '--admin') },
    })
    expect([first.status, first.headers.get('Cache-Control')]).toEqual([200, 'no-store'])
    const text = await first.text()
    expect(text).toBe(await again.text())
    expect(text).not.toMatch(/secret/)
    const home = await fetch(`${suite.server().url}/`, { headers: browser })
    const policy = 'Content-Security-Policy'
    expect(first.headers.get(policy)).toBe(home.headers.get(policy))
  })

  test('says why it is empty: without JavaScript, without a key, and with another key', async () => {
    const plain = await suite.open({ javaScriptEnabled: false })
    await plain.goto('/admin')
    expect(await plain.locator('#admin').innerText()).toContain('This page needs JavaScript')
    const page = await suite.open()
    await page.goto('/admin')
    await page.getByText('This page needs an admin key.').waitFor()
    const { page: other } = await openWith(await keyOf('other'))
    await other.getByText('is not an admin key').waitFor()
    for (const shown of [page, other]) {
      expect(await shown.locator('#admin-content').isVisible()).toBe(false)
      expect(await shown.locator('#figures').innerHTML()).toBe('')
    }
  })

  test('takes an admin key where none is kept, and no other', async () => {
    const page = await suite.open()
    await page.goto('/admin')
    const field = page.getByLabel('Admin key')
    await field.fill(await keyOf('no-admin'))
    await field.press('Enter')
    await page.getByText('This is not an admin key.').waitFor()
    expect(await page.evaluate<unknown>(`localStorage.getItem('shortcrust:key')`)).toBeNull()
    await field.fill(await keyOf('an-admin', '--admin'))
    await field.press('Enter')
    await page.getByRole('heading', { name: 'Figures' }).waitFor()
  })

  test('shows figures, one chart with a text, and everything by all keys', async () => {
    const ann = createClient(suite.server().url, await keyOf('ann'))
    await ann.paste({ title: 'by ann', text: 'x'.repeat(5000) })
    await ann.link('https://example.org/by-ann')
    const { page, names } = await openWith(await keyOf('boss', '--admin'))
    await page.locator('.item-list > li').first().waitFor()
    expect((await names())[0]).toBe('by ann')
    expect(await page.locator('.item-list > li').first().innerText()).toMatch(
      /^by ann\nann · TypeScript\n4\.8 KiB\n0 reads\n(now|\d+ seconds? ago)\n, \d+ \w+ \d{4}, \d\d:\d\d UTC$/,
    )
    const chart = page.getByRole('img', {
      name: /^Items created by day, from 20\d\d-.*: \d+ in all, most on/,
    })
    expect(await chart.count()).toBe(1)
    expect(await page.locator('#figures').innerText()).toMatch(/Short links\s+1\s+26 bytes/)
    await page.getByText('By key').click()
    expect(await page.locator('#by-key').innerText()).toMatch(/ann\s+Pastes\s+1\s+4\.8 KiB/)
    await page.getByLabel('Kind').selectOption('links')
    await page.locator('.item-target', { hasText: 'example.org/by-ann' }).waitFor()
  })

  test('asks the server for what was typed, and for the order', async () => {
    const { page } = await openWith(await keyOf('asking', '--admin'))
    await page.locator('.item-list > li').first().waitFor()
    const asked = (wanted: string) =>
      page.waitForRequest((request) => request.url().split('/').at(-1) === wanted)
    const search = asked('pastes?owner=*&limit=50&q=two+words')
    await page.getByLabel('Search').fill('two words')
    await search
    const sorted = asked('pastes?owner=*&limit=50&q=two+words&sort=reads')
    await page.getByLabel('Sort by').selectOption('uses')
    await sorted
    const owned = asked('pastes?owner=ann&limit=50&q=two+words&sort=reads')
    await page.getByLabel('Key', { exact: true }).fill('ann')
    await owned
    const links = asked('links?owner=ann&limit=50&q=two+words&sort=visits')
    await page.getByLabel('Kind').selectOption('links')
    await links
  })

  test('deletes several at once, by keyboard alone, after naming them', async () => {
    const bob = createClient(suite.server().url, await keyOf('bob'))
    const pastes: Record<string, string>[] = []
    for (const title of ['keep', 'one', 'two']) pastes.push(await bob.paste({ title }))
    const { page, names, box } = await openWith(await keyOf('deleting', '--admin'))
    await box('two').waitFor()
    expect(await page.getByRole('button', { name: 'Delete selected' }).isDisabled()).toBe(true)
    await box('two').press('Space')
    await box('one').press('Space')
    const before = await page.locator('#figures').innerText()
    await page.getByRole('button', { name: 'Delete 2 items…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete 2 items?' })
    expect(await dialog.locator('li').allInnerTexts()).toEqual([
      expect.stringMatching(/^two \(bob, \w{10}\)$/),
      expect.stringMatching(/^one \(bob, \w{10}\)$/),
    ] as never)
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    expect(await names()).toContain('two')
    await page.getByRole('button', { name: 'Delete 2 items…' }).press('Enter')
    await page.getByRole('button', { name: 'Delete 2 items', exact: true }).press('Enter')
    await page.getByText('Deleted 2 items').waitFor()
    await box('keep').waitFor()
    expect(await names()).not.toContain('one')
    const statuses = await Promise.all(
      pastes.map(async ({ pasteUrl = '' }) => (await fetch(pasteUrl)).status),
    )
    expect(statuses).toEqual([200, 410, 410])
    await page.waitForFunction(`document.querySelector('#figures').innerText !== ${JSON.stringify(before)}`)
  })

  test('is linked from My items for a kept admin key alone', async () => {
    for (const [flags, isShown] of [
      [['--admin'], true],
      [[], false],
    ] as const) {
      const page = await suite.open()
      await page.goto('/?items')
      await itemsPage(page).keepKey(await keyOf(`linked-${isShown}`, ...flags))
      const asked = page.waitForResponse(/\/key$/)
      await page.reload()
      await (await asked).finished()
      await itemsPage(page).untilCount(0)
      const link = page.getByRole('link', { name: 'Everything on this server' })
      expect(await link.count()).toBe(isShown ? 1 : 0)
      if (!isShown) continue
      await link.click()
      await page.getByRole('heading', { name: 'Figures' }).waitFor()
    }
  })
})

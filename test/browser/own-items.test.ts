import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { createClient } from '../support/client.ts'
import { violationsOf } from '../support/page-objects/axe.ts'
import { examplePaste, homePage } from '../support/page-objects/home.ts'
import { itemsPage } from '../support/page-objects/items.ts'
import { run } from '../support/process.ts'

describe.skipIf(!requireChromium())('the list of a kept key', () => {
  const suite = browserSuite('--rate-limit', 'off')
  let made = 0

  /** A key of its own, and a browser that keeps it. */
  const openWithKey = async (titles: readonly string[] = [], options = {}) => {
    const { stdout } = await run(['keys', 'add', `key-${made++}`, '--data', suite.server().data])
    const key = stdout.trim()
    const client = createClient(suite.server().url, key)
    const pastes: Record<string, string>[] = []
    for (const title of titles) pastes.push(await client.paste({ title }))
    const page = await suite.open(options)
    const items = itemsPage(page)
    await items.open()
    await items.keepKey(key)
    await page.reload()
    await items.untilCount(Math.min(50, titles.length))
    return { page, items, key, client, pastes, status: page.locator('#status') }
  }

  test('is empty for a key that made nothing', async () => {
    const { items } = await openWithKey()
    expect(await items.nothing.innerText()).toContain('What you create with this key appears here')
    expect(await items.panel.getByLabel('Have an API key?').isVisible()).toBe(false)
  })

  test('has what the key made anywhere, newest first, with size, counts, reads left and lifetime', async () => {
    const { page, items, client } = await openWithKey(['one', 'two'])
    await client.post('/paste', {
      ...{ text: 'x', title: 'limited', description: '', language: 'go' },
      maxReads: 3,
      expiresIn: '3d',
    })
    await client.link('https://example.org/target', { alias: `here-${made}`, maxVisits: 1000 })
    await page.reload()
    await items.untilCount(3)
    expect(await items.names()).toEqual(['limited', 'two', 'one'])
    const limited = await items.row('limited').innerText()
    for (const fact of ['Go', '1 byte', '3 reads left', '3 days left']) expect(limited).toContain(fact)
    expect(await items.row('one').innerText()).not.toContain('left')
    expect(await items.totals()).toEqual(['3', '1'])
    expect(await items.source.innerText()).toContain(`Everything made with the key key-${made - 1}.`)
    await items.showLinks()
    await items.untilCount(1)
    expect(await items.names()).toEqual([`/s/here-${made}`])
    for (const fact of ['example.org', '/target', '1,000 visits left'])
      expect(await items.row('target').innerText()).toContain(fact)
  })

  test('shows fifty at a time, and the focus moves to the first new one', async () => {
    const titles = Array.from({ length: 120 }, (_, at) => `n${at}`)
    const { items } = await openWithKey(titles)
    for (const [count, focused, said, offered] of [
      [100, 'n69', '50 of 120 pastes.', 'Show 50 more'],
      [120, 'n19', '100 of 120 pastes.', 'Show 20 more'],
    ] as const) {
      expect([await items.state.innerText(), await items.more.innerText()]).toEqual([said, offered])
      await items.more.click()
      await items.untilCount(count)
      expect(await items.focused()).toBe(focused)
    }
    expect(await items.names()).toEqual(titles.reverse())
    expect(await items.more.isVisible()).toBe(false)
  })

  test('names the item in each of its buttons', async () => {
    const { items } = await openWithKey(['rate-limiter.ts', '<b>"x"</b>'])
    for (const name of ['rate-limiter.ts', '<b>"x"</b>']) {
      expect(await items.copyButton(name).count()).toBe(1)
      expect(await items.menu(name).count()).toBe(1)
    }
  })

  test('asks before it deletes: Cancel and Escape leave the item, and the focus where it was', async () => {
    const { page, items, client, pastes } = await openWithKey(['one', 'two'])
    for (const cancel of [() => items.cancel.click(), () => page.keyboard.press('Escape')]) {
      await items.menu('one').press('Enter')
      for (let at = 0; at < 3; at++) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await items.focused()).toBe('Delete')
      expect(await violationsOf(page)).toEqual([])
      await cancel()
      expect(await items.focused()).toBe('More for “one”')
      expect(await items.confirm.isVisible()).toBe(false)
    }
    expect((await client.get(pastes[0]?.pasteUrl ?? '')).status).toBe(200)
  })

  test('deletes by the key, and the focus goes to the next item, then to the one before, then to the heading', async () => {
    const { page, items, client, pastes, status } = await openWithKey(['one', 'two', 'three'])
    for (const [name, next] of [
      ['two', 'More for “one”'],
      ['one', 'More for “three”'],
      ['three', 'My items'],
    ] as const) {
      await items.askToDelete(name)
      await page.keyboard.press('Enter')
      await status.getByText(`Deleted “${name}”`).waitFor()
      expect(await items.focused()).toBe(next)
    }
    for (const { pasteUrl = '' } of pastes) expect((await client.get(pasteUrl)).status).toBe(410)
    await page.reload()
    await items.untilCount(0)
  })

  test('counts what is left after a deletion', async () => {
    const { items } = await openWithKey(['one', 'two'])
    await items.askToDelete('two')
    await items.confirm.click()
    await items.untilCount(1)
    expect([await items.state.innerText(), ...(await items.totals())]).toEqual(['1 paste.', '1', '0'])
  })

  test('offers the raw text, Edit and Delete in a menu, but of what burns only the last', async () => {
    const { page, items, client, pastes } = await openWithKey(['one'])
    await client.paste({ title: 'burning', maxReads: 1 } as object)
    const { shortendUrl = '' } = await client.link('https://example.org/')
    await page.reload()
    const entriesOf = async (name: string) => {
      await items.menu(name).click()
      const shown = await items.panel.locator('.menu[open] .entry:visible').allInnerTexts()
      await page.keyboard.press('Escape')
      return shown
    }
    expect(await entriesOf('one')).toEqual(['Raw text', 'Edit', 'Delete…'])
    expect(await entriesOf('burning')).toEqual(['Delete…'])
    await items.showLinks()
    expect(await entriesOf(`/s/${shortendUrl.split('/').at(-1)}`)).toEqual(['Preview', 'Edit', 'Delete…'])
    await items.showPastes()
    await items.menu('one').click()
    await items.panel.getByRole('link', { name: 'Raw text' }).click()
    await page.waitForURL(pastes[0]?.rawUrl ?? '')
  })

  test('says beside an item why it could not be deleted, and offers what failed again', async () => {
    const { page, items } = await openWithKey(['one'])
    const cut = (route: { abort: () => Promise<void> }) => route.abort()
    await page.route('**/pastes/*', cut)
    await items.askToDelete('one')
    await items.confirm.click()
    await items.row('one').getByRole('alert').getByText('The server cannot be reached').waitFor()
    expect(await items.focused()).toBe('More for “one”')
    await page.unroute('**/pastes/*', cut)
    await items.askToDelete('one')
    await items.confirm.click()
    await items.untilCount(0)
  })

  test('says that a key is not valid, takes another there, and shows the list once it is', async () => {
    const { page, items, key } = await openWithKey(['one'])
    await items.keepKey('wrong')
    await page.reload()
    await items.error.getByText('This API key is not valid. Check it, or ask for a new one.').waitFor()
    expect(await items.panel.getByText('Everything made with the key').isVisible()).toBe(false)
    expect(await items.rows.count()).toBe(0)
    const field = items.panel.getByLabel('Have an API key?')
    await field.fill(key)
    await field.press('Enter')
    await items.untilCount(1)
    expect(await field.isVisible()).toBe(false)
    expect(await items.error.innerText()).toBe('')
  })

  test('takes what it deleted out of the own list of the browser and off the page', async () => {
    const { page, items, key, status } = await openWithKey()
    const home = homePage(page)
    await home.tab('New paste').click()
    await home.fill('paste', { text: 'x', title: examplePaste.title })
    await home.submitButton('paste').click()
    await home.addresses()
    await items.open()
    await items.untilCount(1)
    await items.askToDelete(examplePaste.title)
    await items.confirm.click()
    await status.getByText('Deleted').waitFor()
    expect(await page.evaluate<string>(`localStorage.getItem('shortcrust:items')`)).toBe('[]')
    expect(key).toStartWith('sc_')
  })

  test('asks for nothing before the tab is opened', async () => {
    const { page, items } = await openWithKey(['one'])
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    expect(asked).not.toContain('/key/pastes')
    await homePage(page).tab('My items').click()
    await items.untilCount(1)
    expect(asked).toContain('/key/pastes')
  })
})

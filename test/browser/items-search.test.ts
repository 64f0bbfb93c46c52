import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { createClient } from '../support/client.ts'
import { homePage } from '../support/page-objects/home.ts'
import { itemsPage } from '../support/page-objects/items.ts'
import { run } from '../support/process.ts'

describe.skipIf(!requireChromium())('the search of My items', () => {
  const suite = browserSuite('--rate-limit', 'off')
  let made = 0

  const newKey = async () => {
    const { stdout } = await run(['keys', 'add', `finder-${made++}`, '--data', suite.server().data])
    const key = stdout.trim()
    return { key, client: createClient(suite.server().url, key) }
  }
  type Maker = Awaited<ReturnType<typeof newKey>>['client']

  /** A browser that keeps a key, which has made some items. */
  const openWithKey = async (make: (client: Maker) => Promise<unknown>, options = {}) => {
    const { key, client } = await newKey()
    await make(client)
    const page = await suite.open(options)
    const items = itemsPage(page)
    await page.goto('/healthz')
    await items.keepKey(key)
    await items.open()
    await items.state.getByText(/\.$/).waitFor()
    return { page, items, key, client }
  }
  const titled =
    (...titles: readonly string[]) =>
    async (client: Maker) => {
      for (const title of titles) await client.paste({ title })
    }
  const untilNames = async (page: Page, ...names: readonly string[]) => {
    const items = itemsPage(page)
    for (const [at, name] of names.entries())
      await items.rows.nth(at).locator('.item-name').getByText(name, { exact: true }).waitFor()
    await items.untilCount(names.length)
    expect(await items.names()).toEqual([...names])
  }

  /** Holds the answers to a search back. @returns lets them go */
  const hold = async (page: Page, words: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route(
      (url) => url.pathname === '/key/pastes' && url.searchParams.get('q') === words,
      async (route) => {
        await promise
        await route.continue()
      },
    )
    return resolve
  }

  test('finds while somebody types, by title, text and language, and says how many', async () => {
    const { page, items } = await openWithKey(async (client) => {
      await client.paste({ title: 'Backup of the router', text: 'first words' })
      await client.paste({ title: 'Notes', text: 'the café was closed' })
      await client.paste({ title: 'Router settings', text: 'second words' })
    })
    expect(await items.state.innerText()).toBe('3 pastes.')
    await items.search.pressSequentially('rout')
    await untilNames(page, 'Router settings', 'Backup of the router')
    await items.state.getByText('2 pastes found.').waitFor()
    await items.search.fill('CAFE')
    await untilNames(page, 'Notes')
    await items.state.getByText('1 paste found.').waitFor()
    expect(await items.state.getAttribute('role')).toBe('status')
    await items.search.fill('')
    await untilNames(page, 'Router settings', 'Notes', 'Backup of the router')
    await items.state.getByText('3 pastes.', { exact: true }).waitFor()
  })

  test('asks once for words that are typed quickly', async () => {
    const { page, items } = await openWithKey(titled('one'))
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).search))
    // In one turn: a busy machine leaves long pauses between keys.
    await items.search.focus()
    await page.evaluate(`for (const letter of 'nothing') {
      document.activeElement.value += letter
      document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }`)
    await items.state.getByText('Nothing found').waitFor()
    expect(asked.filter((search) => search.includes('q='))).toEqual(['?limit=50&q=nothing'])
  })

  test('keeps the old rows until the new ones are there, and the last answer wins', async () => {
    const { page, items } = await openWithKey(titled('alpha', 'beta'))
    const letGo = await hold(page, 'alpha')
    const [asked] = await Promise.all([page.waitForRequest(/q=alpha/), items.search.fill('alpha')])
    expect(await items.names()).toEqual(['beta', 'alpha'])
    await items.search.fill('beta')
    await untilNames(page, 'beta')
    const answered = page.waitForEvent('requestfinished', (request) => request === asked)
    letGo()
    await answered
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    expect(await items.names()).toEqual(['beta'])
    expect(await items.state.innerText()).toBe('1 paste found.')
  })

  test('says that nothing was found, with what was typed as text, and what is wrong with a search', async () => {
    const { items } = await openWithKey(titled('one'))
    await items.search.fill('<b>&amp;"x"')
    await items.state.getByText('Nothing found for “<b>&amp;"x"”.').waitFor()
    expect(await items.rows.count()).toBe(0)
    await items.search.fill('?!')
    await items.error.getByText('The search must have a letter or a digit').waitFor()
    await items.search.fill('one')
    await items.untilCount(1)
    expect(await items.error.innerText()).toBe('')
  })

  test('says that there may be more while the server still reads texts', async () => {
    const { page, items } = await openWithKey(titled('one'))
    await page.route(/\/pastes\?.*q=/, async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace('<ul', '<ul data-partial')
      await route.fulfill({ response, body })
    })
    await items.search.fill('x')
    await items.state
      .getByText('Nothing found for “x”. The server is still reading texts; there may be more.')
      .waitFor()
  })

  test('shows what fails, and finds again', async () => {
    const { page, items } = await openWithKey(titled('one'))
    const cut = (route: { abort: () => Promise<void> }) => route.abort()
    await page.route(/\/pastes/, cut)
    await items.search.fill('on')
    await items.error.getByText('The server cannot be reached').waitFor()
    expect(await items.rows.count()).toBe(0)
    await page.unroute(/\/pastes/, cut)
    await items.again.click()
    await untilNames(page, 'one')
  })

  test('sorts, and shows what it sorts by', async () => {
    const { page, items } = await openWithKey(async (client) => {
      const { pasteUrl = '' } = await client.paste({ title: 'large', text: 'x'.repeat(5000) })
      await client.paste({ title: 'small', text: 'x', expiresIn: '1d' })
      await client.paste({ title: 'middle', text: 'x'.repeat(500) })
      await client.change(pasteUrl, { description: 'new' })
    })
    await untilNames(page, 'middle', 'small', 'large')
    await items.sort.selectOption('Largest')
    await untilNames(page, 'large', 'middle', 'small')
    expect(await items.row('large').innerText()).toContain('4.8 KiB')
    await items.sort.selectOption('Changed last')
    await untilNames(page, 'large', 'middle', 'small')
    await items.row('large').getByText('changed').waitFor()
    expect(await items.row('middle').innerText()).not.toContain('changed')
    await items.sort.selectOption('Expires next')
    await items.rows.first().getByText('small').waitFor()
    await Promise.all([page.waitForRequest(/sort=reads/), items.sort.selectOption('Most read')])
  })

  test('pages through what it found', async () => {
    const titles = Array.from({ length: 120 }, (_, at) => `${at % 2 ? 'odd' : 'even'} n${at}`)
    const { items } = await openWithKey(titled(...titles))
    expect(await items.state.innerText()).toBe('50 of 120 pastes.')
    await items.search.fill('odd')
    await items.state.getByText('The first 50 pastes found.').waitFor()
    await items.more.click()
    await items.state.getByText('60 pastes found.').waitFor()
    expect(await items.focused()).toBe('odd n19')
    expect(await items.names()).toEqual(titles.filter((title) => title.startsWith('odd')).reverse())
    expect(await items.more.isVisible()).toBe(false)
  })

  test('finds both kinds, and a reload keeps words, order and kind', async () => {
    const { page, items } = await openWithKey(async (client) => {
      await client.paste({ title: 'wiki page' })
      for (const path of ['wiki', 'wiki/a-longer-one', 'other'])
        await client.link(`https://example.org/${path}`)
    })
    await items.search.fill('wiki')
    await untilNames(page, 'wiki page')
    await items.showLinks()
    await items.state.getByText('2 short links found.').waitFor()
    await items.sort.selectOption('Most visited')
    await items.sort.selectOption('Largest')
    const targets = ['example.org/wiki/a-longer-one', 'example.org/wiki']
    const untilTargets = async () => {
      for (const [at, target] of targets.entries())
        await items.rows.nth(at).filter({ hasText: target }).waitFor()
      await items.untilCount(2)
    }
    await untilTargets()
    expect(new URL(page.url()).search).toBe('?items&kind=link&q=wiki&sort=size')
    await page.reload()
    await untilTargets()
    expect(await items.search.inputValue()).toBe('wiki')
    expect(await items.sort.inputValue()).toBe('size')
    // The entry of the navigation leads to everything; back leads to the search.
    await homePage(page).tab('My items').click()
    await untilNames(page, 'wiki page')
    expect(await items.search.inputValue()).toBe('')
    await page.goBack()
    await untilTargets()
  })

  test('/ focuses the field, and is in the list of shortcuts', async () => {
    const { page, items } = await openWithKey(titled('one'))
    await page.keyboard.press('/')
    await page.keyboard.type('a/b')
    expect(await items.search.inputValue()).toBe('a/b')
    await page.locator('#help').click()
    expect(await page.locator('#shortcuts').innerText()).toMatch(/\/\s+Search my items/)
  })

  test('without a key finds titles and addresses of the own list of the browser', async () => {
    const page = await suite.open()
    const items = itemsPage(page)
    await items.open()
    const item = (at: number, name: string) => ({
      ...{ kind: 'paste', name, url: `http://nas/p/id${at}`, createdAt: '2024-01-01' },
      deletionUrl: `http://nas/${at}`,
    })
    await items.keepItems([item(0, 'Résumé'), item(1, 'Router'), item(2, 'notes on routers')])
    await page.reload()
    await items.search.fill('ROUTER')
    await untilNames(page, 'Router', 'notes on routers')
    await items.search.fill('resume id0')
    await untilNames(page, 'Résumé')
    await items.search.fill('resume id1')
    await items.state.getByText('Nothing found for “resume id1”.').waitFor()
    expect(await items.sort.isVisible()).toBe(false)
  })

  test('works without JavaScript by a button, on a page that asks for the key again', async () => {
    const { key, client } = await newKey()
    await titled('<i>first</i> router', 'notes')(client)
    await client.link('https://example.org/router')
    const page = await suite.open({ javaScriptEnabled: false })
    await page.goto('/?items')
    for (const words of ['router', 'notes']) {
      await page.getByRole('searchbox').fill(words)
      await page.locator('input[name=key]').fill(key)
      await page.getByRole('button', { name: 'List my items' }).click()
      await page.getByText(`found for “${words}”`).waitFor()
      expect(await page.getByRole('searchbox').inputValue()).toBe(words)
      expect(await page.locator('input[name=key]').inputValue()).toBe('')
      expect(await page.content()).not.toContain(key)
    }
    expect(await page.locator('.item-list a').allInnerTexts()).toEqual(['notes'])
  })
})

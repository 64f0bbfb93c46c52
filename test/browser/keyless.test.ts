import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, openTab, requireChromium } from '../support/browser.ts'
import { editPage } from '../support/page-objects/edit.ts'
import { examplePaste, homePage } from '../support/page-objects/home.ts'
import { itemsPage } from '../support/page-objects/items.ts'
import { type RunningServer, run, start, temporaryFolder } from '../support/process.ts'

const { key: _, ...paste } = examplePaste

/** A page of another origin, with a form that posts to the server as soon as its button is pressed. */
const hostilePage = (server: string) => `<!doctype html><title>Other</title>
  <form method="post" enctype="multipart/form-data" action="${server}/">
    <input name="create" value="paste"><textarea name="text">posted by another page</textarea><button>Win</button>
  </form>`

describe.skipIf(!requireChromium())('in a browser, without a key', () => {
  let server: RunningServer
  /** Behind a proxy, which the tests are: an address of a proxy is no guest's. */
  let proxied: RunningServer
  let other: ReturnType<typeof Bun.serve>
  let chromium: Browser
  beforeAll(async () => {
    const data = temporaryFolder()
    await run(['keys', 'add', 'guests', '--create', '--data', data])
    server = await start({
      data,
      args: [
        ...['--rate-limit', 'off', '--log', 'off', '--guest-from', '127.0.0.0/8', '--guest-key', 'guests'],
      ],
    })
    const users = ['--trust-proxy', '127.0.0.1', '--user-header', 'Remote-User']
    proxied = await start({ args: ['--rate-limit', 'off', '--log', 'off', ...users] })
    const headers = { 'Content-Type': 'text/html' }
    other = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new globalThis.Response(hostilePage(server.url), { headers }),
    })
    chromium = await launchChromium()
  })
  afterAll(async () => {
    await chromium?.close()
    await other?.stop(true)
    await server?.stop()
    await proxied?.stop()
  })

  const created = async () => {
    const { stdout } = await run(['keys', 'list', '--data', server.data])
    return Number(/guests.* (\d+) items?/.exec(stdout)?.[1] ?? 0)
  }

  describe('a page of another origin', () => {
    let page: Page
    beforeAll(async () => {
      page = await chromium.newPage()
    })
    afterAll(() => page?.close())

    test.each([
      ['another host', () => other.url.href.replace('127.0.0.1', 'nas')],
      ['another port', () => other.url.href],
    ])('of %s posts no form', async (_, address) => {
      await page.goto(address())
      const answered = page.waitForResponse(`${server.url}/`)
      await page.getByRole('button').click()
      const answer = await answered
      expect(answer.status()).toBe(403)
      await page.getByText('A page of another host sent this request').first().waitFor()
      expect(await created()).toBe(0)
    })

    test('posts no form from a sandbox, whose origin is null', async () => {
      await page.goto(other.url.href)
      const answered = page.waitForResponse(`${server.url}/`)
      await page.evaluate(`
        const frame = document.createElement('iframe')
        frame.setAttribute('sandbox', 'allow-forms')
        frame.srcdoc = ${JSON.stringify(hostilePage(server.url))}
        document.body.append(frame)`)
      // Not by a script in the frame: it may post before the browser reports what the frame asks for.
      await page.frameLocator('iframe').getByRole('button').click()
      expect((await answered).status()).toBe(403)
      expect(await created()).toBe(0)
    })

    test('fetches nothing that creates, in any mode', async () => {
      await page.goto(other.url.href)
      const statuses = await page.evaluate(async (url) => {
        const json = { 'Content-Type': 'application/json' }
        const body = JSON.stringify({ text: 'a', title: '', description: '', language: 'text' })
        const statusOf = (path: string, init: RequestInit) =>
          fetch(url + path, init).then(
            ({ status }) => status,
            () => 'unreadable',
          )
        return [
          await statusOf('/paste', { method: 'POST', headers: json, body }),
          await statusOf('/shortener', { method: 'POST', headers: json, body: '{"url":"http://a.b/"}' }),
          await statusOf('/name.txt', { method: 'PUT', body: 'a' }),
          await statusOf('/documents', { method: 'POST', body: 'a' }),
          await statusOf('/documents', { method: 'POST', mode: 'no-cors', body: 'a' }),
          await statusOf('/', { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ text: 'a' }) }),
        ]
      }, server.url)
      expect(statuses).toEqual([403, 403, 403, 403, 0, 0])
      expect(await created()).toBe(0)
    })
  })

  describe('our own page', () => {
    const tabs: Awaited<ReturnType<typeof openTab>>[] = []
    afterEach(async () => {
      const ended = tabs.splice(0)
      for (const { close } of ended) await close()
      expect(ended.flatMap(({ problems }) => problems)).toEqual([])
    })
    const openPage = async (javaScriptEnabled: boolean, user?: string, host = '127.0.0.1') => {
      const { url } = user === undefined ? server : proxied
      const origin = `http://${host}:${new URL(url).port}`
      const extraHTTPHeaders = user === undefined ? {} : { 'Remote-User': user }
      const tab = await openTab(chromium, origin, { javaScriptEnabled, extraHTTPHeaders })
      tabs.push(tab)
      tab.page.context().setDefaultTimeout(60_000)
      return tab.page
    }

    // On `nas`, without TLS, browsers send no Sec-Fetch-Site.
    test.each([
      ['with JavaScript', true, '127.0.0.1'],
      ['without JavaScript', false, '127.0.0.1'],
      ['with JavaScript, by a name of the LAN', true, 'nas'],
      ['without JavaScript, by a name of the LAN', false, 'nas'],
    ])('creates for a guest %s', async (_, isScripted, host) => {
      const page = await openPage(isScripted, undefined, host)
      const before = await created()
      const home = homePage(page)
      await home.open()
      expect(await home.field('paste', 'key').isVisible()).toBe(false)
      await page.getByText('Posting as a guest').waitFor()
      await home.create('paste', paste)
      expect((await home.addresses()).url).toContain('/p/')
      expect(await created()).toBe(before + 1)
    })

    test.each([
      ['with JavaScript', true],
      ['without JavaScript', false],
    ])('takes a key that a guest types %s, and refuses a wrong one', async (_, isScripted) => {
      const page = await openPage(isScripted)
      const home = homePage(page)
      await home.open()
      await page.getByText('Use key').click()
      await home.create('paste', { ...paste, key: 'sc_wrong' })
      await home.answered('paste')
      expect(await home.error('paste').innerText()).toContain('not valid')
      expect(await home.field('paste', 'key').isVisible()).toBe(true)
      await home.create('paste', examplePaste)
      expect((await home.addresses()).url).toContain('/p/')
    })

    test('lists, changes and deletes for a user', async () => {
      const page = await openPage(true, 'alice')
      const home = homePage(page)
      await home.open()
      await page.getByText('Posting as alice', { exact: true }).waitFor()
      await home.create('paste', { ...paste, title: 'Of alice' })
      const { url = '' } = await home.addresses()

      const edit = editPage(page)
      await edit.open(url.split('/').at(-1) ?? '')
      await edit.text.fill('changed\n')
      await edit.save.click()
      await page.getByText('changed').first().waitFor()

      const items = itemsPage(page)
      await items.open()
      await items.untilCount(1)
      expect(await items.names()).toEqual(['Of alice'])
      expect(await items.source.innerText()).toContain('Everything made as alice.')
      await items.askToDelete('Of alice')
      await items.confirm.click()
      await items.untilCount(0)
    })

    test('tells a user who opens what another made, and asks for its key', async () => {
      const page = await openPage(true, 'bob')
      await page.goto('/?edit=zzzzzzzzzz')
      const error = editPage(page).fieldError('key')
      await error.getByText('You did not create this paste, or there is no such paste.').waitFor()
      expect(await homePage(page).field('paste', 'key').isVisible()).toBe(true)
    })
  })
})

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext } from 'puppeteer-core'
import { examplePaste, type PasteBody } from '../support/client.ts'
import { launchFirefox, requireFirefox, watchProblems } from '../support/firefox.ts'
import { testKey } from '../support/process.ts'
import { lookAt } from '../support/seen/seen.ts'
import { withServer } from '../support/server.ts'

describe.skipIf(!requireFirefox())('Firefox, at a name of the LAN without TLS', () => {
  const { server, client } = withServer({ args: ['--rate-limit', 'off'] })
  let browser: Browser
  const tabs: { context: BrowserContext; problems: string[] }[] = []

  beforeAll(async () => {
    browser = await launchFirefox()
  })
  afterEach(async () => {
    const ended = tabs.splice(0)
    for (const { context } of ended) await context.close()
    expect(ended.flatMap(({ problems }) => problems)).toEqual([])
  })
  afterAll(() => browser?.close())

  const open = async (path: string) => {
    const context = await browser.createBrowserContext()
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    tabs.push({ context, problems: watchProblems(page) })
    await page.goto(`http://nas:${new URL(server.url).port}${path}`)
    return page
  }

  /** What a person would get by pasting. */
  const readClipboard = async () => {
    const page = await open('/')
    await page.focus('[name=text]')
    await page.keyboard.down('Control')
    await page.keyboard.press('v')
    await page.keyboard.up('Control')
    return page.$eval('[name=text]', (field) => (field as unknown as { value: string }).value)
  }

  const paste = async (fields: PasteBody = {}) => {
    const { pasteUrl = '' } = await client.paste(fields)
    return pasteUrl.slice(server.url.length)
  }
  const markdown = '# One\n\n- [x] two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'
  const pages = {
    'the form': () => '/',
    'the form of links': () => '/?link',
    'a list': () => '/?items',
    code: () => paste({ title: 'main.ts' }),
    Markdown: () => paste({ text: markdown, language: 'markdown' }),
    'a log': () => paste({ text: '12:00:01 ERROR no disk\n12:00:02 INFO fine\n', language: 'log' }),
    'a page before a burn': () => paste({ maxReads: 1 }),
    'the description': () => '/docs',
    'an error': () => '/p/nothing-here',
  }
  test.each(Object.entries(pages))(
    '%s: nothing sticks out, overlaps or lies under something',
    async (_, path) => {
      const page = await open(await path())
      const faults: string[] = []
      for (const width of [1280, 360]) {
        await page.setViewport({ width, height: 640 })
        faults.push(...(await lookAt(page).everything()), ...(await lookAt(page).opened()))
      }
      expect(faults).toEqual([])
    },
  )

  test('Ctrl+Enter makes a paste, shows it, and its address is on the clipboard', async () => {
    const page = await open('/')
    await page.type('[name=key]', testKey)
    await page.type('[name=text]', 'typed')
    await page.keyboard.down('Control')
    await page.keyboard.press('Enter')
    await page.keyboard.up('Control')
    await page.waitForSelector('.made strong')
    expect(await page.$eval('.made strong', ({ textContent }) => textContent)).toBe(
      'Created, and the link is copied:',
    )
    expect(await readClipboard()).toBe(page.url())
  })

  test('c copies the text of a paste', async () => {
    const page = await open(await paste())
    await page.keyboard.press('c')
    await page.waitForFunction("document.querySelector('#status').textContent.includes('Copied')")
    expect(await readClipboard()).toBe(examplePaste.text)
  })
})

import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { exampleLink, examplePaste, homePage } from '../support/page-objects/home.ts'
import { readClipboard } from '../support/page-objects/keyboard.ts'

describe.skipIf(!requireChromium())('a burn-after-reading item', () => {
  const suite = browserSuite('--rate-limit', 'off', '--log', 'off')
  const shown = '#code'

  test.each([
    ['with JavaScript', true],
    ['without JavaScript', false],
  ])(
    'that is a paste is created, looked at and read by the button, %s, on http://nas',
    async (_, javaScriptEnabled) => {
      const page = await suite.open({ host: 'nas', javaScriptEnabled })
      const home = homePage(page)
      await home.open()
      await home.create('paste', { ...examplePaste, maxReads: '2' })
      const { url = '' } = await home.addresses()
      for (const left of ['2 times', 'once']) {
        await page.goto(url)
        expect(await page.title()).toBe(`This paste can be read ${left} · Shortcrust`)
        expect(await page.content()).not.toContain('“title”')
        await page.locator('main button').click()
        await page.locator(shown).waitFor()
        expect(await page.locator('h1').innerText()).toBe(examplePaste.title)
        expect(page.url()).toBe(url)
      }
      expect(await page.locator('.notice').innerText()).toStartWith('This was the last read.')
      await page.goto(url)
      expect(await page.locator('h1').innerText()).toBe('Gone')
    },
  )

  test('that was read can be copied and wrapped, and has no other form to open', async () => {
    const { pasteUrl } = await suite.client().paste({ text: 'one\n\ttwo\n', maxReads: 1 })
    const page = await suite.open()
    await page.goto(`${suite.local(pasteUrl)}?lang=python`)
    await page.locator('main button').click()
    await page.locator('.facts').getByText('Python').waitFor()
    for (const key of ['r', 'd']) await page.keyboard.press(key)
    expect(await page.locator('.actions .tool:visible .word').allInnerTexts()).toEqual([
      'Copy',
      'Wrap',
      'More',
    ])
    await page.keyboard.press('c')
    await page.locator('#status').getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe('one\n\ttwo\n')
  })

  test.each([true, false])(
    'that is a link leads to another site by its button, JavaScript: %p',
    async (javaScriptEnabled) => {
      let visits = 0
      const other = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        fetch: ({ method, url, headers }) =>
          new Response(url.endsWith('/page') ? `${method} ${headers.get('referer')} ${++visits}` : ''),
      })
      const page = await suite.open({ javaScriptEnabled, otherOrigin: other.url.origin })
      const home = homePage(page)
      await home.open()
      await home.create('link', { ...exampleLink, url: `${other.url}page`, maxVisits: '2' })
      const { url = '' } = await home.addresses()
      for (const [at, sign] of ['', '+'].entries()) {
        await page.goto(url + sign)
        expect(visits).toBe(at)
        expect(await page.content()).not.toContain(other.url.host)
        await page.locator('main button').click()
        await page.waitForURL(`${other.url}page`)
        expect(await page.locator('body').innerText()).toBe(`GET null ${at + 1}`)
      }
      await page.goto(url)
      expect(await page.locator('h1').innerText()).toBe('Gone')
      await other.stop(true)
    },
  )
})

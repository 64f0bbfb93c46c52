import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium, openTab, requireChromium } from '../support/browser.ts'
import { openHighlighted } from '../support/pages.ts'
import { repository } from '../support/process.ts'
import { withServer } from '../support/server.ts'

const phone = { viewport: { width: 360, height: 740 } }
const screenshots = join(repository, 'test/screenshots')

/** WCAG 2.2: relative luminance of `rgb(…)`, and the contrast of two of them. */
const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
    const part = Number(value) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

describe.skipIf(!requireChromium()).each(['127.0.0.1', 'nas'])('in a browser at http://%s', (host) => {
  const { server, client } = withServer({ args: ['--rate-limit', 'off'] })
  let browser: Browser
  let origin: string
  const local = (address = '') => address.slice(server.url.length)

  beforeAll(async () => {
    origin = `http://${host}:${new URL(server.url).port}`
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  /** Every kind of page there is. */
  const makePages = async () => {
    const text = `${'const answer: string = `forty-two` // the answer\n'.repeat(30)}${'x'.repeat(300)}\n`
    const paste = await openHighlighted(server, { text, title: 'Notes '.repeat(9), description: 'One\nTwo' })
    const link = await client.link(`https://example.org/${'long/'.repeat(30)}?a=b#c`)
    const gone = await client.paste()
    await fetch(gone.deletionUrl ?? '', { method: 'DELETE' })
    return {
      home: '/',
      paste: local(paste.pasteUrl),
      raw: local(paste.rawUrl),
      preview: `${local(link.shortendUrl)}+`,
      'delete-paste': local(paste.deletionUrl),
      'delete-link': local(link.deletionUrl),
      'not-found': '/nothing/here',
      gone: local(gone.pasteUrl),
    }
  }

  test('every page loads without an error, a blocked file or a foreign address, and fits a phone', async () => {
    const pages = Object.entries(await makePages())
    for (const [look, options] of Object.entries({
      light: {},
      dark: { colorScheme: 'dark' },
      phone,
    } as const)) {
      const { page, problems, close } = await openTab(browser, origin, options)
      for (const [name, path] of pages) {
        const response = await page.goto(path)
        expect(response?.status()).toBe({ 'not-found': 404, gone: 410 }[name] ?? 200)
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        if (name !== 'raw') expect({ name, look, isTooWide }).toEqual({ name, look, isTooWide: false })
        if (host === 'nas') await page.screenshot({ path: `${screenshots}/${name}-${look}.png` })
        expect(problems).toEqual([])
      }
      await close()
    }
  })

  test.each(['light', 'dark'] as const)(
    'code is coloured on a %s screen, and can be read',
    async (scheme) => {
      const { pasteUrl } = await openHighlighted(server, { text: 'const a = plain', language: 'javascript' })
      const { page, problems, close } = await openTab(browser, origin, { colorScheme: scheme })
      await page.goto(local(pasteUrl))
      const styleOf = (selector: string, property: string): Promise<string> =>
        page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`)
      expect(await page.locator('#code li > span').first().textContent()).toBe('const')
      const keyword = await styleOf('#code li > span', 'color')
      const ordinary = await styleOf('#code li', 'color')
      const background = luminance(await styleOf('section.code', 'backgroundColor'))
      expect(keyword).not.toBe(ordinary)
      expect(background < 0.5).toBe(scheme === 'dark')
      for (const colour of [keyword, ordinary])
        expect(contrast(luminance(colour), background)).toBeGreaterThan(4.5)
      expect(problems).toEqual([])
      await close()
    },
  )

  test('the button of the deletion page deletes, and opening the page does not', async () => {
    for (const item of [await client.paste(), await client.link()]) {
      const address = local(item.pasteUrl ?? `${item.shortendUrl}+`)
      const { page, problems, close } = await openTab(browser, origin)
      await page.goto(local(item.deletionUrl))
      expect((await client.get(address)).status).toBe(200)
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByRole('heading', { name: 'Deleted' }).waitFor()
      expect((await client.get(address)).status).toBe(410)
      expect(problems).toEqual([])
      await close()
    }
  })
})

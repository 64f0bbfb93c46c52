import { describe, expect, test } from 'bun:test'
import { contrast, hexOf, leastContrast } from '../../src/highlight/contrast.ts'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { quiet } from '../support/server.ts'

const name = '"><img src=x onerror=__xss(1)> · b'
const footer = `</footer><script>__xss(1)</script>" onfocus=__xss(1) autofocus javascript:__xss(1) https://example.org/a"'b`

describe.skipIf(!requireChromium())('a server with a look of its own, in a browser', () => {
  const suite = browserSuite(...quiet, '--name', name, '--accent', '#ffff00', '--footer', footer)

  test.each([true, false])(
    'shows markup as text, and runs nothing (without the policy: %p)',
    async (bypassCSP) => {
      const page = await suite.open({ bypassCSP })
      for (const path of ['/', '/nothing/here', '/docs']) {
        await page.goto(path)
        expect(await page.locator('.brand').textContent()).toContain(name)
        expect((await page.locator('footer').textContent())?.replace(/\s+/g, '')).toBe(
          footer.replace('https://', '').replace(/\s+/g, ''),
        )
        expect(await page.title()).toEndWith(` · ${name}`)
      }
    },
  )

  test('keeps its name in the title when another tab is opened', async () => {
    const page = await suite.open()
    await page.goto('/')
    await page.getByRole('link', { name: 'Short link' }).click()
    expect(await page.title()).toBe(`Short link · ${name}`)
    await page.reload()
    expect(await page.title()).toBe(`Short link · ${name}`)
  })

  test.each(['light', 'dark'] as const)(
    'has links and buttons that can be read in %s',
    async (colorScheme) => {
      const page = await suite.open({ colorScheme })
      await page.goto('/nothing/here')
      const colourOf = async (selector: string, property: string) => {
        const text = await page.evaluate<string>(
          `getComputedStyle(document.querySelector('${selector}')).${property}`,
        )
        return hexOf((text.match(/\d+/g) ?? []).slice(0, 3).map(Number))
      }
      const pairs = [
        [await colourOf('.primary', 'color'), await colourOf('.primary', 'backgroundColor')],
        [await colourOf('footer a', 'color'), await colourOf('body', 'backgroundColor')],
        [await colourOf('footer', 'color'), await colourOf('body', 'backgroundColor')],
      ]
      for (const [colour = '', background = ''] of pairs)
        expect(contrast(colour, background)).toBeGreaterThanOrEqual(leastContrast)
      expect((await colourOf('footer a', 'color')) === '#ffff00').toBe(colorScheme === 'dark')
    },
  )
})

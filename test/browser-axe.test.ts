import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { requireChromium } from './support/browser.ts'
import { browserSuite } from './support/browser-suite.ts'
import { violationsOf } from './support/page-objects/axe.ts'
import { repository, testKey } from './support/process.ts'

const ansi =
  '\x1b[1;31mred\x1b[0m \x1b[32mgreen\x1b[0m \x1b[33myellow\x1b[0m \x1b[34mblue\x1b[0m \x1b[90mgrey\x1b[0m\n'

const sizes = { 'a desk': { width: 1280, height: 800 }, 'a phone': { width: 360, height: 640 } }
const cases = Object.keys(sizes).flatMap((size) =>
  (['light', 'dark'] as const).map((theme) => [size, theme] as const),
)

describe.skipIf(!requireChromium())('on every page', () => {
  const { client, local, open } = browserSuite('--rate-limit', 'off', '--log', 'off')

  /** Paths of every kind of page. */
  const everyPage = async () => {
    const api = client()
    const code = await api.paste({ text: 'const a = 1 // one\n'.repeat(30), description: 'What it is' })
    const log = await api.paste({ text: ansi, language: 'ansi', title: '' })
    const gone = await api.paste()
    await fetch(gone.deletionUrl ?? '', { method: 'DELETE' })
    const link = await api.link(
      'https://example.org/a/very/long/address/that/has/to/be/broken/somewhere?with=a&long=query',
    )
    const reads = (left: number) => api.paste({ maxReads: left })
    const limited = await api.link('https://example.org/', { maxVisits: 5 })
    return {
      start: '/',
      docs: '/docs',
      limited: local((await reads(3)).pasteUrl),
      'limited-last': local((await reads(1)).pasteUrl),
      'limited-link': local(limited.shortendUrl),
      paste: `${local(code.pasteUrl)}#L2-L4`,
      log: local(log.pasteUrl),
      preview: `${local(link.shortendUrl)}+`,
      deletion: local(code.deletionUrl),
      '404': '/p/zzzzzzzzzz',
      '410': local(gone.pasteUrl),
      '422': `${local(code.pasteUrl)}?lang=klingon`,
    }
  }

  test.each(cases)(
    'of %s in %s colours, axe finds nothing wrong, and nothing sticks out at the side',
    async (size, theme) => {
      const viewport = sizes[size as keyof typeof sizes]
      const page = await open({ viewport, colorScheme: theme })
      const look = async (name: string) => {
        expect(await violationsOf(page), name).toEqual([])
        const width = await page.evaluate('document.documentElement.scrollWidth')
        expect(width, name).toBeLessThanOrEqual(viewport.width)
        await page.screenshot({
          path: join(repository, `test/screenshots/${name}-${theme}-${viewport.width}.png`),
        })
      }
      for (const [name, path] of Object.entries(await everyPage())) {
        await page.goto(path)
        await look(name)
      }
      for (const left of [2, 1]) {
        const { pasteUrl } = await client().paste({ text: 'const a = 1\n'.repeat(9), maxReads: left })
        await page.goto(local(pasteUrl))
        await page.locator('main button').click()
        await page.locator('#code').waitFor()
        await look(`limited-read-${left}`)
      }
      await page.goto('/')
      for (const summary of await page.locator('.options summary').all()) await summary.click()
      await look('options')
      await page.fill('#paste-form [name=text]', 'text')
      await page.fill('#paste-form [name=key]', testKey)
      await page.click('#paste-form button[type=submit]')
      await page.locator('#result img').waitFor()
      await look('result')
      await page.keyboard.press('Escape')
      await page.locator('#help').click()
      await look('shortcuts')
    },
    120_000,
  )

  test('the page that asks and the page that says what was deleted are no exception', async () => {
    const page = await open({ viewport: sizes['a phone'] })
    const { deletionUrl } = await client().paste()
    await page.goto(local(deletionUrl))
    await page.locator('main button').click()
    await page.getByRole('heading', { name: 'Deleted' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  })
})

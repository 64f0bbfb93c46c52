import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import type { PasteBody } from '../support/client.ts'
import { pastePage } from '../support/page-objects/paste.ts'

const longTitle = 'A title that is far too long for any bar, and goes on and on about what the paste holds'
const text = 'const a = 1\n'.repeat(40)

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not painted')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** What some pixels look like: two places of one colour are equal, byte by byte. */
const pixels = async (page: Page, x: number, y: number) =>
  (await page.screenshot({ clip: { x, y, width: 6, height: 6 } })).toString('base64')

describe.skipIf(!requireChromium())('the page of a paste', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPaste = async (fields: PasteBody, width: number, height: number, after = '') => {
    const page = await suite.open({ viewport: { width, height } })
    const { pasteUrl } = await suite.client().paste({ text, ...fields })
    await page.goto(suite.local(pasteUrl) + after)
    return { page, paste: pastePage(page) }
  }

  // Plain text: above a text in a language, a busy machine says that it has no colours yet.
  const fields = [
    { title: 'main.ts', description: '', language: 'text', expiresIn: '3d' },
    { title: longTitle, description: 'Why it is there', language: 'text', expiresIn: '30d' },
    { title: longTitle, description: 'A long description.\n'.repeat(20), language: 'text' },
  ]
  test.each(fields)('begins its code within 110 px of a desktop, and 140 px of a phone', async (words) => {
    for (const [width, height, most] of [
      [1280, 720, 110],
      [360, 640, 140],
    ] as const) {
      const { paste } = await openPaste(words, width, height)
      expect((await boxOf(paste.line(1))).y).toBeLessThanOrEqual(most)
      expect(await boxOf(paste.code)).toMatchObject({ x: 0, width })
    }
  })

  test('prints every word and key where there is room, and names each button where there is none', async () => {
    const { page } = await openPaste({}, 1280, 720)
    // For "Compare" there is room from 1,600 px on.
    const words = ['Copyc', 'Copy linkl', 'Rawr', 'Downloadd', 'Wrapw', 'Language', '', 'QRq', 'Duplicatee']
    const tools = page.locator('.actions .tool:visible')
    expect((await tools.allInnerTexts()).map((word) => word.replace(/\s*\n\s*/g, ''))).toEqual(words)
    await page.setViewportSize({ width: 360, height: 640 })
    const painted = await Promise.all((await tools.locator('.word:visible').all()).map(boxOf))
    expect(painted.filter(({ width }) => width > 1)).toEqual([])
    for (const name of ['Copy', 'Copy link', 'Wrap'])
      expect(await page.getByRole('button', { name, exact: true }).isVisible()).toBe(true)
    for (const name of ['Raw', 'Download', 'Duplicate', 'New paste'])
      expect(await page.getByRole('link', { name, exact: true }).isVisible()).toBe(true)
  })

  test('keeps its bar in view, and the number beside its line, when it is scrolled', async () => {
    const { page, paste } = await openPaste({ text: `${'long '.repeat(200)}\n`.repeat(300) }, 1280, 720)
    await page.evaluate('scrollTo(0, 2000); code.scrollLeft = 900')
    expect((await boxOf(page.locator('.bar'))).y).toBe(0)
    const { y } = await boxOf(paste.line(120))
    const number = await page.screenshot({ clip: { x: 0, y, width: 40, height: 20 } })
    await page.evaluate('code.scrollLeft = 0')
    expect(number.equals(await page.screenshot({ clip: { x: 0, y, width: 40, height: 20 } }))).toBe(true)
  })

  test.each([360, 1280])(
    'tints a marked line to its end, %i px wide and scrolled sideways',
    async (width) => {
      const lines = `short\nshort\n${'long '.repeat(300)}\n`
      const { page, paste } = await openPaste({ text: lines, language: 'diff' }, width, 640, '#L2')
      await paste.untilInView(2)
      const { y } = await boxOf(paste.line(2))
      const edge = width - 10
      const [tint, paper] = [await pixels(page, edge, y + 8), await pixels(page, edge, y - 14)]
      expect(tint).not.toBe(paper)
      for (const left of [500, 100_000]) {
        await page.evaluate(`code.scrollLeft = ${left}`)
        expect(await pixels(page, edge, y + 8), `${left}`).toBe(tint)
        expect(await pixels(page, edge, y - 14), `${left}`).toBe(paper)
      }
    },
  )
})

describe.skipIf(!requireChromium())('a text that plays tricks', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openText = async (source: string, title = '') => {
    const page = await suite.open()
    const { pasteUrl } = await suite.client().paste({ text: source, title, language: 'text' })
    await page.goto(suite.local(pasteUrl))
    return page
  }
  /** Where characters of the first line are painted, from left to right. */
  const order = (page: Page, characters: string): Promise<string> =>
    page.evaluate(`(() => {
      const places = []
      const walker = document.createTreeWalker(document.querySelector('#L1'), NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const [at, character] of [...node.data].entries()) {
          if (!${JSON.stringify(characters)}.includes(character)) continue
          const range = new Range()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          places.push([range.getBoundingClientRect().left, character])
        }
      return places.sort((a, b) => a[0] - b[0]).map(([, character]) => character).join('')
    })()`)

  test.each(['\u202e', '\u202b', '\u2067', '\u202d', '\u200f'])(
    'is shown in its own order after %j',
    async (trick) => {
      const page = await openText(`a${trick}b(c)d\n`)
      expect(await order(page, 'abcd')).toBe('abcd')
      expect(await page.locator('#L1 .x').count()).toBe(1)
      expect(await page.locator('#L1').textContent()).toBe(`a${trick}b(c)d\n`)
    },
  )

  test('has its title in order and marked, in the window as on the page', async () => {
    const page = await openText('a', 'invoice\u202efdp.exe')
    expect(await page.title()).toBe('invoice\ufffdfdp.exe · Shortcrust')
    expect(await page.locator('h1 [role=img]').getAttribute('title')).toBe('U+202E right-to-left override')
  })

  test('of Hebrew begins at the right where it is wrapped, and its number stays at the left', async () => {
    const page = await openText('שלום, עולם!\nshort\n')
    const { right } = await boxOf(page.locator('#L1'))
    expect(await order(page, 'ש!')).toBe('!ש')
    const range = `(() => { const range = new Range(); range.selectNodeContents(document.querySelector('#L1'))
      return range.getBoundingClientRect().right })()`
    expect(right - (await page.evaluate<number>(range))).toBeLessThan(20)
  })
})

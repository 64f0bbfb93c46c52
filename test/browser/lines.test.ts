import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { pastePage } from '../support/page-objects/paste.ts'

const text = Array.from({ length: 300 }, (_, at) => `line ${at + 1}\n`).join('')
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

describe.skipIf(!requireChromium())('lines of a paste', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPaste = async (hash = '', options: BrowserContextOptions = {}) => {
    const page = await suite.open(options)
    const { pasteUrl } = await suite.client().paste({ text, language: 'text' })
    await page.goto(suite.local(pasteUrl) + hash)
    return { page, paste: pastePage(page), hash: () => new URL(page.url()).hash }
  }

  test.each([true, false])(
    'are marked and in view by a link to one, JavaScript: %p',
    async (javaScriptEnabled) => {
      const { paste } = await openPaste('#L250', { javaScriptEnabled })
      await paste.line(250).waitFor()
      expect(await paste.marked()).toEqual([250])
      await paste.untilInView(250)
      expect(await paste.isInView(1)).toBe(false)
    },
  )

  test.each(['#L200-L204', '#L204-L200', '#L200-204'])(
    'are marked and in view by the range %s',
    async (range) => {
      const { paste } = await openPaste(range)
      expect(await paste.marked()).toEqual(numbers(200, 204))
      await paste.untilInView(200)
    },
  )

  test('are left alone by a fragment that names none', async () => {
    const { page, paste } = await openPaste()
    for (const hash of ['#L0', '#L301', '#L', '#L1-', '#L-1', '#Lx', '#L99999999', '#%', '#<b>']) {
      await page.goto(new URL(hash, page.url()).href)
      await page.reload()
      expect(await paste.marked(), hash).toEqual([])
    }
  })

  test('past the end of the paste do not spoil a range', async () => {
    const { paste } = await openPaste('#L299-L9999999')
    expect(await paste.marked()).toEqual([299, 300])
  })

  test('are linked to by a click on a number, and as a range by a shift-click in either direction', async () => {
    const { paste, hash } = await openPaste()
    await paste.clickNumber(5)
    expect([hash(), await paste.marked()]).toEqual(['#L5', [5]])
    await paste.clickNumber(8, ['Shift'])
    expect([hash(), await paste.marked()]).toEqual(['#L5-L8', numbers(5, 8)])
    await paste.clickNumber(7)
    expect([hash(), await paste.marked()]).toEqual(['#L7', [7]])
    await paste.clickNumber(3, ['Shift'])
    expect([hash(), await paste.marked()]).toEqual(['#L3-L7', numbers(3, 7)])
  })

  test('stay where they are on the screen while they are clicked', async () => {
    const { page, paste, hash } = await openPaste()
    await paste.clickNumber(2)
    await page.evaluate(`document.getElementById('L40').scrollIntoView({ block: 'end' })`)
    const before = await page.evaluate<number>('scrollY')
    await paste.clickNumber(38, ['Shift'])
    expect([hash(), await page.evaluate<number>('scrollY')]).toEqual(['#L2-L38', before])
  })

  test('are not linked to by a click on their text', async () => {
    const { page, paste, hash } = await openPaste()
    await page.getByText('line 5', { exact: true }).click({ position: { x: 110, y: 8 } })
    expect([hash(), await paste.marked()]).toEqual(['', []])
  })

  test('are marked anew when the fragment is edited', async () => {
    const { page, paste } = await openPaste('#L5')
    await page.evaluate(`location.hash = 'L7-L9'`)
    await page.locator('#L7.marked').waitFor()
    expect(await paste.marked()).toEqual([7, 8, 9])
  })
})

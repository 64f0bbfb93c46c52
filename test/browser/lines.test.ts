import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import type { PasteBody } from '../support/client.ts'
import { readClipboard, tabTo } from '../support/page-objects/keyboard.ts'
import { pastePage } from '../support/page-objects/paste.ts'
import { untilMade } from '../support/until.ts'

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

  describe('have a frame', () => {
    const diff = async () => {
      const [one, two] = await Promise.all(
        [text, text.replaceAll('0', 'o')].map((side) =>
          suite.client().paste({ text: side, language: 'text' }),
        ),
      )
      return [one, two].map((paste) => paste?.pasteUrl?.split('/').at(-1)).join('/')
    }
    const paste = async (fields: PasteBody) => suite.local((await suite.client().paste(fields)).pasteUrl)
    const pages: [string, () => Promise<string>][] = [
      ['text', async () => `${await paste({ text, language: 'text' })}#L3-L5`],
      ['wrapped log', () => paste({ text: `ERROR ${'a '.repeat(200)}\n`.repeat(20), language: 'log' })],
      ['table', async () => `${await paste({ text: 'a,b\n'.repeat(40), language: 'csv' })}?view=table`],
      ['comparison', async () => `/diff/${await diff()}`],
      ['comparison side by side', async () => `/diff/${await diff()}?view=split`],
    ]
    /** How the edges of the text look, from its top to the end of the window. */
    const edgesOf = async (page: Page) => {
      const { y } = (await page.locator('#code').boundingBox()) ?? { y: 0 }
      const look = (x: number) => page.screenshot({ clip: { x, y, width: 2, height: 720 - y } })
      return [(await look(0)).toString('base64'), (await look(1278)).toString('base64')] as const
    }

    test.each(pages)('that is whole where the keyboard reached them: %s', async (name, path) => {
      const page = await suite.open({ viewport: { width: 1280, height: 720 } })
      await page.goto(await path())
      if (name.startsWith('wrapped')) await page.keyboard.press('w')
      await page.evaluate('scrollTo(0, 0)')
      const [, without] = await edgesOf(page)
      await tabTo(page, '#code')
      const [left, right] = await edgesOf(page)
      expect(right).not.toBe(without)
      expect(left === right).toBe(true)
    })

    test('not when a number was clicked, and another one with Shift', async () => {
      const { page, paste } = await openPaste('#L3-L5', { viewport: { width: 1280, height: 720 } })
      const [, without] = await edgesOf(page)
      await paste.clickNumber(3)
      await paste.clickNumber(5, ['Shift'])
      const [, right] = await edgesOf(page)
      expect([right === without, await paste.marked()]).toEqual([true, numbers(3, 5)])
    })
  })

  test('are named beside the facts and in the link to them, until Escape or × unmarks them', async () => {
    const { page, paste, hash } = await openPaste('#L5')
    const [chip, link] = [page.locator('#marked'), page.locator('#copy-link')]
    const names = async () => /button "([^"]*)"/.exec(await link.ariaSnapshot())?.[1]
    const said = async () => [(await chip.innerText()).trim(), await names()]
    await chip.waitFor()
    expect(await said()).toEqual(['Line 5\n×', 'Copy link to 5'])
    await paste.clickNumber(8, ['Shift'])
    expect(await said()).toEqual(['Lines 5–8\n×', 'Copy link to 5–8'])
    await chip.locator('summary').click()
    await page.keyboard.press('Escape')
    expect([await chip.locator('.popup').isVisible(), hash()]).toEqual([false, '#L5-L8'])
    await page.keyboard.press('Escape')
    expect([hash(), await paste.marked(), await chip.isVisible()]).toEqual(['', [], false])
    expect(await names()).toBe('Copy link')
    await paste.clickNumber(3)
    await page.getByRole('button', { name: 'Unmark the lines' }).click()
    expect([hash(), await paste.marked()]).toEqual(['', []])
  })

  test.each([
    ['text', 'Copied', 'line 5\nline 6'],
    ['a link', 'Link copied', '#L5-L6'],
    ['a quote', 'Quote copied', '```\nline 5\nline 6\n```\n#L5-L6'],
  ])('are copied as %s', async (as, said, expected) => {
    const { page, paste } = await openPaste('#L5-L6')
    await page.locator('#marked summary').click()
    await page.getByRole('button', { name: `Copy as ${as}` }).click()
    await paste.status.getByText(said).waitFor()
    expect(await readClipboard(page)).toBe(expected.replace('#', `${page.url().split('#')[0]}#`))
  })

  test('are quoted with their language, between fences that they do not end', async () => {
    const page = await suite.open()
    const { pasteUrl } = await suite.client().paste({ text: '```\na\n```\n', language: 'markdown' })
    await page.goto(`${suite.local(pasteUrl)}?view=text#L1-L3`)
    await page.locator('#marked summary').click()
    await page.locator('#copy-quote').click()
    await pastePage(page).status.getByText('Quote copied').waitFor()
    expect(await readClipboard(page)).toBe(`\`\`\`\`markdown\n\`\`\`\na\n\`\`\`\n\`\`\`\`\n${page.url()}`)
  })

  test('of a table are copied as rows of a spreadsheet', async () => {
    const page = await suite.open()
    const { pasteUrl } = await suite.client().paste({ text: 'a,b\n1,2\n3,4\n', language: 'csv' })
    await page.goto(`${await untilMade(suite.server().url + suite.local(pasteUrl))}#L2-L3`)
    await page.locator('#marked summary').click()
    await page.locator('#copy-lines').click()
    await pastePage(page).status.getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe('1\t2\n3\t4')
  })

  test.each([1280, 360])(
    'are in reach where they are marked, and nothing moves, %i px wide',
    async (width) => {
      const { page, paste } = await openPaste('', { viewport: { width, height: 640 } })
      const before = await paste.line(3).boundingBox()
      await paste.clickNumber(3)
      await page.locator('#marked').waitFor()
      expect(await paste.line(3).boundingBox()).toEqual(before)
      await page.evaluate('scrollTo(0, 2000)')
      const box = await page.locator('#marked').boundingBox()
      expect(box?.y).toBeWithin(0, 640)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
      await page.locator('#marked summary').click()
      expect((await page.locator('#marked .popup').boundingBox())?.y).toBeWithin(0, 540)
    },
  )

  test('that burn are copied as text only', async () => {
    const page = await suite.open()
    const { pasteUrl } = await suite.client().paste({ text, language: 'text', maxReads: 1 })
    await page.goto(suite.local(pasteUrl))
    await page.locator('main button').click()
    await pastePage(page).clickNumber(3)
    await page.locator('#marked summary').click()
    expect(await page.locator('#marked .popup').innerText()).toBe('Copy as text')
  })

  test('are marked anew when the fragment is edited', async () => {
    const { page, paste } = await openPaste('#L5')
    await page.evaluate(`location.hash = 'L7-L9'`)
    await page.locator('#L7.marked').waitFor()
    expect(await paste.marked()).toEqual([7, 8, 9])
  })
})

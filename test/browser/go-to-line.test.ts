import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { focused, readClipboard } from '../support/page-objects/keyboard.ts'
import { pastePage } from '../support/page-objects/paste.ts'

const text = Array.from({ length: 300 }, (_, at) => `line ${at + 1}\n`).join('')

describe.skipIf(!requireChromium())('going to a line', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPaste = async () => {
    const page = await suite.open()
    const { pasteUrl } = await suite.client().paste({ text, language: 'text' })
    await page.goto(suite.local(pasteUrl))
    const dialog = page.getByRole('dialog', { name: 'Go to line' })
    return { page, paste: pastePage(page), dialog, hash: () => new URL(page.url()).hash }
  }

  test.each([
    ['250', '#L250', [250], 'Line 250 is marked'],
    [' 200-203 ', '#L200-L203', [200, 201, 202, 203], 'Lines 200 to 203 are marked'],
    ['203–202', '#L202-L203', [202, 203], 'Lines 202 to 203 are marked'],
  ])('by g and %j marks, shows and says it, and reading goes on there', async (typed, hash, lines, said) => {
    const { page, paste, dialog, hash: ofPage } = await openPaste()
    await page.keyboard.press('g')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await paste.status.getByText(said).waitFor()
    expect([ofPage(), await paste.marked()]).toEqual([hash, lines])
    await paste.untilInView(lines[0] as number)
    expect(await focused(page)).toBe(`L${lines[0]}`)
  })

  test('is a row of More, and Escape gives the focus back to its button', async () => {
    const { page, paste, dialog, hash } = await openPaste()
    await paste.more.click()
    await page.getByRole('button', { name: 'Go to line…' }).click()
    await page.keyboard.type('12')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect([hash(), await paste.marked(), await focused(page)]).toEqual(['', [], 'More'])
  })

  test('goes on from the line that was tapped, where there is no Shift', async () => {
    for (const hasTouch of [true, false]) {
      const page = await suite.open({ hasTouch })
      const { pasteUrl } = await suite.client().paste({ text, language: 'text' })
      await page.goto(`${suite.local(pasteUrl)}#L16`)
      await page.keyboard.press('g')
      expect(await page.getByLabel('Line, or lines').inputValue()).toBe(hasTouch ? '16-' : '')
    }
  })

  test('is not left with what is no line, and says that a line is not there', async () => {
    const { page, paste, dialog } = await openPaste()
    await page.keyboard.press('g')
    await page.keyboard.type('c3')
    await page.keyboard.press('Enter')
    expect(await dialog.isVisible()).toBe(true)
    await dialog.getByLabel('Line, or lines').fill('301')
    await page.keyboard.press('Enter')
    await paste.status.getByText('There is no line 301').waitFor()
    expect(await paste.marked()).toEqual([])
  })

  test.each(['127.0.0.1', 'nas'])('is what a copied link does at http://%s', async (host) => {
    const page = await suite.open({ host })
    const { pasteUrl } = await suite.client().paste({ text, language: 'text' })
    await page.goto(`${suite.local(pasteUrl)}#L7-L9`)
    await page.keyboard.press('l')
    await pastePage(page).status.getByText('Link copied').waitFor()
    expect(await readClipboard(page)).toBe(page.url())
  })
})

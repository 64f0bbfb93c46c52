import type { Page } from 'playwright-core'
import { untilTrue } from '../until.ts'

const inView = (number: number) => `(() => {
  const { top, bottom, height } = document.getElementById('L${number}').getBoundingClientRect()
  return height > 0 && top >= 0 && bottom <= innerHeight
})()`

/** The page of a paste. */
export const pastePage = (page: Page) => {
  const line = (number: number) => page.locator(`#L${number}`)
  const more = page.locator('#more > summary')
  return {
    code: page.locator('#code'),
    line,
    /** Clicks on a line's number, which is no text of the page. */
    clickNumber: (number: number, modifiers: 'Shift'[] = []) =>
      line(number).click({ position: { x: 20, y: 8 }, modifiers }),
    /** The numbers of the lines that look marked. */
    marked: (): Promise<number[]> =>
      page.evaluate(`[...document.querySelectorAll('#code li')]
        .filter((line) => getComputedStyle(line).backgroundColor !== 'rgba(0, 0, 0, 0)').map((line) => Number(line.id.slice(1)))`),
    /** What the browser takes for the text when all code is selected. */
    selectAll: (): Promise<string> =>
      page.evaluate(`(() => {
        getSelection().selectAllChildren(document.querySelector('#code'))
        return String(getSelection())
      })()`),
    copyButton: page.locator('#copy'),
    wrapButton: page.locator('#wrap'),
    toggleWrap: () => page.keyboard.press('w'),
    more,
    /** Unfolds a row of More. */
    openPart: async (id: 'language' | 'compare' | 'qr') => {
      await more.click()
      await page.locator(`#${id} > summary`).click()
    },
    /** By the keyboard: a phone has no button for them. */
    openShortcuts: () => page.keyboard.press('?'),
    themeButton: page.locator('#theme'),
    overlay: page.getByRole('dialog', { name: 'Keyboard shortcuts' }),
    age: page.locator('.facts time'),
    facts: page.locator('.facts'),
    status: page.locator('#status'),
    background: (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor'),
    isInView: (number: number): Promise<boolean> => page.evaluate(inView(number)),
    /** Resolves when the browser has scrolled to a line, which it may do a frame after the page was loaded. */
    untilInView: (number: number) => untilTrue(() => page.evaluate<boolean>(inView(number))),
  }
}

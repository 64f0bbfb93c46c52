import type { Page } from 'playwright-core'

/** What has the focus, as a short CSS-like name; `body` when nothing has. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { localName, id, name = '', textContent } = document.activeElement
    return id || name || (localName === 'body' ? 'body' : textContent.trim())
  })()`)

/** In the text Tab indents until Esc was pressed. */
const pressTab = async (page: Page) => {
  if (await page.evaluate(`document.activeElement.localName === 'textarea'`))
    await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
}

/** Every stop of the Tab key from what has the focus until it leaves the page. @throws when it never does */
export const tabStops = async (page: Page) => {
  const stops: string[] = []
  while (stops.length < 100) {
    await pressTab(page)
    const stop = await focused(page)
    if (stop === 'body') return stops
    stops.push(stop)
  }
  throw new Error(`the Tab key is trapped: ${stops.join(', ')}`)
}

/** Presses Tab until a matching element has the focus. @throws when none ever has */
export const tabTo = async (page: Page, selector: string) => {
  for (let presses = 0; presses < 100; presses++) {
    await pressTab(page)
    if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
  }
  throw new Error(`the Tab key never reaches ${selector}`)
}

/** What the clipboard holds, to the letter: it is pasted into a tab of its own. */
export const readClipboard = async (page: Page): Promise<string> => {
  const tab = await page.context().newPage()
  await tab.goto('/')
  await tab.locator('[name=text]').focus()
  await tab.evaluate(`void (globalThis.pasted = new Promise((resolve) =>
    addEventListener('paste', (event) => resolve(event.clipboardData.getData('text/plain')), { once: true })))`)
  await tab.keyboard.press('Control+V')
  const text = await tab.evaluate<string>('globalThis.pasted')
  await tab.close()
  return text
}

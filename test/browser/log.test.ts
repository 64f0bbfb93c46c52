import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { readClipboard } from '../support/page-objects/keyboard.ts'
import { pastePage } from '../support/page-objects/paste.ts'
import { untilMade } from '../support/until.ts'

const frames = Array.from({ length: 40 }, (_, at) => `    at f${at} (b.js:${at}:2)\n`).join('')
const text = `${'INFO a\n'.repeat(60)}ERROR one\r\n${frames}${'INFO b\n'.repeat(60)}ERROR two\nWARN c\n`

describe.skipIf(!requireChromium())('the page of a log', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openLog = async (suffix = '', options = {}) => {
    const page = await suite.open(options)
    const { pasteUrl = '' } = await suite.client().paste({ text, language: 'log' })
    await untilMade(pasteUrl + suffix)
    await page.goto(suite.local(pasteUrl) + suffix)
    return { page, paste: pastePage(page), hash: () => new URL(page.url()).hash }
  }

  test('goes to the next error by n and by its button, to the one before by N, and round', async () => {
    const { page, paste, hash } = await openLog()
    const says = (words: string) => paste.status.getByText(words).waitFor()
    await page.keyboard.press('n')
    await says('1 of 2: line 61')
    expect(hash()).toBe('#L61')
    await paste.untilInView(61)
    await page.click('#next-error')
    await says('2 of 2: line 162')
    await page.keyboard.press('n')
    await says('1 of 2: line 61')
    await page.keyboard.press('N')
    await says('2 of 2: line 162')
    await page.click('#last-error')
    await says('1 of 2: line 61')
  })

  test('leads to the first error without a script', async () => {
    const { page, paste, hash } = await openLog('', { javaScriptEnabled: false })
    await page.click('#next-error')
    expect(hash()).toBe('#L61')
    await paste.untilInView(61)
  })

  test('copies the same text, although a trace is folded', async () => {
    const { page, paste } = await openLog()
    expect(await page.locator('#L70').isVisible()).toBe(false)
    await page.keyboard.press('c')
    await paste.status.getByText('Copied').waitFor()
    expect(await readClipboard(page)).toBe(text)
    await page.evaluate("getSelection().selectAllChildren(document.querySelector('#code'))")
    await page.keyboard.press('Control+c')
    expect(await readClipboard(page)).toBe(text)
  })

  test.each(['#L70', '#L70-L72'])('unfolds the trace that hides the line of a link: %s', async (hash) => {
    const { page, paste } = await openLog(hash)
    await paste.untilInView(70)
    expect(await page.locator('#L70').isVisible()).toBe(true)
  })

  test('unfolds by a click, without a script', async () => {
    const { page } = await openLog('', { javaScriptEnabled: false })
    await page.locator('#code summary').click()
    expect(await page.locator('#L70').isVisible()).toBe(true)
  })

  test('filters by its form and its links, without a script, and keeps both', async () => {
    const { page } = await openLog('', { javaScriptEnabled: false })
    // A busy machine answers with the whole text until the lines are found.
    for (const query of ['?level=error', '?level=error&grep=TWO']) await untilMade(page.url() + query)
    await page.getByRole('link', { name: '2 errors' }).click()
    expect(new URL(page.url()).search).toBe('?level=error')
    await page.getByRole('searchbox').fill('TWO')
    await page.getByRole('button', { name: 'Filter' }).click()
    expect(new URL(page.url()).search).toBe('?level=error&grep=TWO')
    expect(await page.locator('#code').textContent()).toBe('ERROR two\n')
    await page.getByRole('link', { name: 'Show the whole text' }).click()
    expect(await page.locator('#code').textContent()).toBe(text)
  })

  test('copies what is shown where it is filtered, and says so', async () => {
    const { page, paste } = await openLog('?grep=one')
    await page.keyboard.press('c')
    await paste.status.getByText('Copied the lines shown, not the whole text').waitFor()
    expect(await readClipboard(page)).toBe('ERROR one\r\n')
  })
})

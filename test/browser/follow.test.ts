import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { idOf } from '../support/counts.ts'
import { openHighlighted } from '../support/pages.ts'
import { testKey } from '../support/process.ts'

const numbered = (lines: number) => Array.from({ length: lines }, (_, at) => `line ${at + 1}\n`).join('')

describe.skipIf(!requireChromium())('the page of a paste that was changed', () => {
  const suite = browserSuite('--rate-limit', 'off')

  const openChanged = async (text: string, options = {}) => {
    const { pasteUrl = '' } = await suite.client().paste({ text: 'before\n', language: 'text' })
    const path = `/pastes/${idOf(pasteUrl)}`
    const change = (fields: object, method = 'PATCH') =>
      fetch(suite.server().url + path, {
        method,
        headers: { key: testKey, 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
      })
    await change({ text })
    const page = await suite.open(options)
    await page.goto(suite.local(pasteUrl))
    const reads = async () =>
      ((await (await suite.client().get(path, { key: testKey })).json()) as { paste: { reads: number } })
        .paste.reads
    return {
      ...{ page, change, reads, code: page.locator('#code') },
      follow: () => page.keyboard.press('f'),
      isFollowed: async () => (await page.locator('#follow').getAttribute('aria-pressed')) === 'true',
    }
  }

  test('says when it was changed, and shows no button where it never was', async () => {
    const { page } = await openChanged('two\n')
    expect(await page.locator('.facts').innerText()).toMatch(/Changed (?:now|\d+ seconds? ago)/)
    const { pasteUrl = '' } = await suite.client().paste()
    await page.goto(suite.local(pasteUrl))
    expect(await page.locator('#follow').count()).toBe(0)
    expect(await page.locator('.facts').innerText()).not.toContain('Changed')
  })

  test('shows the newest version as it comes, with its title, and counts no read for it', async () => {
    const { page, change, reads, follow, isFollowed, code } = await openChanged('two\n')
    const before = await reads()
    await follow()
    await change({ text: 'three\n', title: 'Third' })
    await code.getByText('three').waitFor()
    expect(await page.title()).toStartWith('Third')
    expect([await isFollowed(), await page.locator('#following').isVisible()]).toEqual([true, true])
    await change({ text: 'four\n' })
    await code.getByText('four').waitFor()
    await page.locator('#status').getByText('The paste was changed').waitFor()
    expect(await reads()).toBe(before)
  })

  test('shows the preview of Markdown, and its text where a version has none', async () => {
    const { page, change, follow } = await openChanged('# two\n')
    await change({ language: 'markdown' })
    await page.reload()
    await page.locator('#code.view-preview h2').waitFor()
    await follow()
    await change({ text: `${'>'.repeat(200)} deep\n` })
    await page.locator('#code.wraps #L1').waitFor()
    await change({ text: '# four\n' })
    await page.locator('#code.view-preview').getByText('four').waitFor()
  })

  test('stays where the reader is, and at the end where the reader was at the end', async () => {
    const { page, change, follow, code } = await openChanged(numbered(400))
    await follow()
    await page.evaluate('scrollTo(0, 1000)')
    await change({ text: numbered(450) })
    await page.locator('#L450').waitFor({ state: 'attached' })
    expect(await page.evaluate('scrollY')).toBe(1000)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    await change({ text: `${numbered(500)}the end` })
    await code.getByText('the end').waitFor()
    await page.waitForFunction('innerHeight + scrollY >= document.documentElement.scrollHeight - 8')
  })

  test('shows a change with its colours, its line numbers, and the line that the address names', async () => {
    const { page, change, follow, code } = await openChanged('two\n')
    await page.goto(`${page.url()}#L150`)
    await follow()
    await openHighlighted(suite.server())
    await change({ text: '[1, "a"]\n'.repeat(200), language: 'json' })
    await page.locator('#L200').waitFor({ state: 'attached' })
    await code.locator('#L1 span').first().waitFor()
    expect(
      await code.locator('ol').evaluateAll((lists) => lists.map((list) => list.getAttribute('start'))),
    ).toEqual(['1', '101'])
    expect(await page.locator('#L150').getAttribute('class')).toContain('marked')
  })

  test('shows a version that came without its colours again when it has them', async () => {
    const { page, change, follow, code } = await openChanged('two\n')
    await page.route(page.url(), async (route) => {
      const answer = await route.fetch()
      const body = (await answer.text())
        .replace('<div id="notices">', '<div id="notices"><p id="plain">Shown without colours</p>')
        .replaceAll('<span', '<i')
      await route.fulfill({ contentType: 'text/html', body })
    })
    await openHighlighted(suite.server())
    await change({ text: '[1, "a"]\n', language: 'json' })
    await follow()
    await page.locator('#plain').waitFor()
    await page.unroute(page.url())
    await code.locator('#L1 span').first().waitFor()
    expect(await page.locator('#plain').count()).toBe(0)
  })

  test('asks only while the page is visible, and at once when it is again', async () => {
    const { page, change, follow, code } = await openChanged('two\n')
    const show = (isShown: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${!isShown}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`)
    await page.clock.install()
    const first = page.waitForResponse((response) => response.status() === 200)
    await follow()
    await (await first).finished()
    let asked = 0
    await show(false)
    page.on('request', () => asked++)
    await change({ text: 'three\n' })
    await page.clock.runFor(60_000)
    expect(asked).toBe(0)
    await show(true)
    await code.getByText('three').waitFor()
  })

  test('asks only while it follows, and stops when the paste is gone', async () => {
    const { page, change, follow, isFollowed } = await openChanged('two\n')
    const asked: string[] = []
    page.on('request', (request) => void asked.push(request.method()))
    await follow()
    await page.waitForResponse((response) => response.status() === 304)
    await follow()
    expect([await isFollowed(), await page.locator('#following').isVisible()]).toEqual([false, false])
    await follow()
    await change({}, 'DELETE')
    await page.locator('#status').getByText('The paste is gone').waitFor()
    expect(await isFollowed()).toBe(false)
    expect(asked.length).toBeGreaterThan(2)
  })

  test('has no button without JavaScript', async () => {
    const { page } = await openChanged('two\n', { javaScriptEnabled: false })
    await page.locator('#more > summary').click()
    expect(await page.locator('#duplicate').isVisible()).toBe(true)
    expect(await page.locator('#follow').isVisible()).toBe(false)
  })
})

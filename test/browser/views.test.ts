import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { pastePage } from '../support/page-objects/paste.ts'

const markdown = { language: 'markdown', text: '# One\n\nTwo\n\n## Three\n' }
const rows = Array.from({ length: 200 }, (_, at) => `${at},"a\nb",${'wide '.repeat(20)}\n`).join('')
const csv = { language: 'csv', text: `n,two,wide\n${rows}` }

const isPreview = (page: Page) => page.locator('#code.view-preview').count()

describe.skipIf(!requireChromium())('the views of a paste', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openTab = async (options: BrowserContextOptions = {}) => suite.open(options)
  const create = async (fields: object) => suite.local((await suite.client().paste(fields)).pasteUrl ?? '')

  test.each([true, false])(
    'are one click from the text, and back, JavaScript: %p',
    async (javaScriptEnabled) => {
      const page = await openTab({ javaScriptEnabled })
      await page.goto(await create(markdown))
      await page.click('#view-preview')
      await page.locator('#code.view-preview h2').waitFor()
      expect(await page.locator('#md-three').textContent()).toBe('Three')
      await page.click('#view-text')
      await page.locator('#L5').waitFor()
      expect(await isPreview(page)).toBe(0)
    },
  )

  test('of Markdown are remembered for the next paste, until its reader goes back to the text', async () => {
    const page = await openTab()
    const [first, second] = [await create(markdown), await create(markdown)]
    await page.goto(first)
    expect(await isPreview(page)).toBe(0)
    await page.click('#view-preview')
    await page.locator('#code.view-preview').waitFor()

    await page.goto(`${second}#md-three`)
    await page.waitForURL('**?view=preview#md-three')
    await page.locator('#code.view-preview').waitFor()
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe(first)

    await page.goto(second)
    await page.waitForURL('**?view=preview')
    await page.click('#view-text')
    await page.locator('#L5').waitFor()
    await page.goto(first)
    await page.locator('#L5').waitFor()
    expect(await isPreview(page)).toBe(0)
  })

  test('are left out where a line of the text is linked to, or the text was asked for', async () => {
    const page = await openTab()
    const path = await create(markdown)
    await page.goto(path)
    await page.click('#view-preview')
    await page.locator('#code.view-preview').waitFor()
    for (const address of [`${path}#L3`, `${path}?`, `${path}?lang=markdown`]) {
      await page.goto('about:blank')
      await page.goto(address)
      await page.locator('#L3').waitFor()
      expect(await isPreview(page)).toBe(0)
    }
  })

  test('are never gone to by itself where a read would be counted', async () => {
    const page = await openTab()
    await page.goto(await create(markdown))
    await page.click('#view-preview')
    await page.locator('#code.view-preview').waitFor()
    await page.goto(await create({ ...markdown, maxReads: 2 }))
    await page.click('main button[type=submit]')
    await page.locator('#L5').waitFor()
    expect(page.url()).not.toContain('view')
    expect(await page.locator('.facts').textContent()).toContain('1 read left')
  })

  test('show a burn-after-reading paste with the view that its address asks for', async () => {
    const page = await openTab()
    await page.goto(`${await create({ ...markdown, maxReads: 1 })}?view=preview`)
    await page.click('main button[type=submit]')
    await page.locator('#code.view-preview #md-one').waitFor()
    expect(await page.locator('#copy, #raw').count()).toBe(0)
  })

  test.each([
    ['preview', markdown],
    ['table', csv],
    ['formatted', { language: 'json', text: '{"a":\t[1]}' }],
  ] as const)('copy the text that they were made from: %s', async (view, fields) => {
    const page = await openTab({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${await create(fields)}?view=${view}`)
    const paste = pastePage(page)
    await paste.copyButton.click()
    await page.getByText('The text was copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(fields.text)
  })

  test.each([360, 1280])(
    'of a table keep its header and line numbers in sight at %i pixels',
    async (width) => {
      const page = await openTab({ viewport: { width, height: 700 } })
      await page.goto(`${await create(csv)}?view=table#L300`)
      await page.locator('#L300').waitFor()
      await page.evaluate("document.querySelector('#code').scrollLeft = 200")
      const boxOf = (selector: string) => page.locator(selector).boundingBox()
      const [box, header, row, number] = [
        await boxOf('#code'),
        await boxOf('thead th >> nth=0'),
        await boxOf('#L300'),
        await boxOf('#L300 th'),
      ]
      expect(header?.y).toBeCloseTo(box?.y ?? 0, 0)
      expect(number?.x).toBeCloseTo(box?.x ?? 0, 0)
      expect(row?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0) - 1)
      expect(row?.y).toBeLessThan(700)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    },
  )

  test('of a table link each row', async () => {
    const page = await openTab()
    await page.goto(`${await create(csv)}?view=table`)
    await page.click('#L4 a')
    expect(page.url()).toEndWith('?view=table#L4')
  })
})

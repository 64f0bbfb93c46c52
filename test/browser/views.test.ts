import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { pastePage } from '../support/page-objects/paste.ts'

const markdown = { language: 'markdown', text: '# One\n\nTwo\n\n## Three\n' }
const rows = Array.from({ length: 200 }, (_, at) => `${at},"a\nb",${'wide '.repeat(20)}\n`).join('')
const csv = { language: 'csv', text: `n,two,wide\n${rows}` }

describe.skipIf(!requireChromium())('the views of a paste', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openTab = async (options: BrowserContextOptions = {}) => suite.open(options)
  const create = async (fields: object) => suite.local((await suite.client().paste(fields)).pasteUrl ?? '')

  test.each([true, false])(
    'are shown first, and one click from the source and back, JavaScript: %p',
    async (javaScriptEnabled) => {
      const page = await openTab({ javaScriptEnabled })
      const path = await create(markdown)
      await page.goto(path)
      expect(await page.locator('#md-three').textContent()).toBe('Three')
      await page.click('#view-text')
      await page.locator('#L5').waitFor()
      expect(page.url()).toEndWith('?view=text')
      await page.click('#view-preview')
      await page.locator('#code.view-preview h2').waitFor()
      expect(page.url()).toEndWith(path)
    },
  )

  test.each([
    ['preview', markdown, 'text'],
    ['table', csv, 'text'],
    ['formatted', { language: 'json', text: '{"a":\t[1]}' }, 'formatted'],
  ] as const)('are one key from the source, and back: %s', async (view, fields, other) => {
    const page = await openTab()
    await page.goto(await create(fields))
    for (const shown of other === 'text' ? [view, 'text', view] : ['text', view, 'text']) {
      await page.locator(`#view-${shown}[aria-current]`).waitFor()
      expect(await page.locator(`#code.view-${view}`).count()).toBe(shown === view ? 1 : 0)
      await page.keyboard.press('p')
    }
  })

  test('are as their reader chose at the last paste of the kind', async () => {
    const page = await openTab()
    const [first, second, table] = [await create(markdown), await create(markdown), await create(csv)]
    await page.goto(first)
    await page.click('#view-text')
    await page.locator('#L5').waitFor()

    await page.goto(`${second}#L3`)
    await page.waitForURL('**?view=text#L3')
    await page.goto(second)
    await page.waitForURL('**?view=text')
    await page.locator('#L5').waitFor()
    await page.goBack()
    expect(new URL(page.url()).pathname).toBe(second)
    await page.goto(table)
    await page.locator('#code.view-table').waitFor()
    for (const asked of ['?view=preview', '?view=preview#L3']) {
      await page.goto(first + asked)
      await page.locator('#code.view-preview').waitFor()
    }

    await page.goto(first)
    await page.click('#view-preview')
    await page.locator('#code.view-preview').waitFor()
    await page.goto(second)
    await page.locator('#code.view-preview').waitFor()
    expect(page.url()).toEndWith(second)
  })

  test('are left where the address names a line that they do not have', async () => {
    const page = await openTab()
    const [text, table] = [await create(markdown), await create(csv)]
    await page.goto(`${text}#L3-L5`)
    await page.locator('#L3.marked').waitFor()
    expect(page.url()).toEndWith('?view=text#L3-L5')
    await page.goto(text)
    await page.locator('#code.view-preview').waitFor()
    await page.evaluate("location.hash = '#L5'")
    await page.waitForURL('**?view=text#L5')

    // The second row has two lines.
    await page.goto(`${table}#L3`)
    await page.waitForURL('**?view=text#L3')
    await page.goto('about:blank')
    await page.goto(`${table}#L2`)
    await page.locator('#code.view-table #L2.marked').waitFor()
  })

  test('are not shown first where the source would be gone', async () => {
    const page = await openTab()
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

  test('of a table give a column its width before its longest rows arrive', async () => {
    const page = await openTab()
    const cells = [
      'no',
      'a line\nand a longer line',
      'WWW WWW',
      'illiillii',
      '12',
      'é😀 <b> "quoted"'.repeat(3),
    ]
    const rows = cells.map((cell, at) => `${at},"${cell.replaceAll('"', '""')}",${at ** 9}\n`).join('')
    await page.goto(await create({ language: 'csv', text: `a,b,\n${'0,,0\n'.repeat(20)}${rows}` }))
    const widths = () =>
      page.$$eval('#code thead tr > *', (heads) => heads.map((head) => head.getBoundingClientRect().width))
    const whole = await widths()
    const heads = '#code [data-widest]'
    await page.$$eval(heads, (heads) => heads.map((head) => head.removeAttribute('data-widest')))
    expect(whole).toEqual(await widths())
    await page.reload()
    await page.$$eval('#code tbody tr:not(:first-child)', (rows) => rows.map((row) => row.remove()))
    expect(await widths()).toEqual(whole)
  })

  test('of a table link each row', async () => {
    const page = await openTab()
    await page.goto(`${await create(csv)}?view=table`)
    await page.click('#L4 a')
    expect(page.url()).toEndWith('?view=table#L4')
  })
})

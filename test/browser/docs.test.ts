import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { docsPage } from '../support/page-objects/docs.ts'

describe.skipIf(!requireChromium())('the API documentation', () => {
  const suite = browserSuite('--log', 'off')

  test.each([true, false])(
    'is one line for each operation, and opens the one that its address names, JavaScript: %p',
    async (javaScriptEnabled) => {
      const page = await suite.open({ javaScriptEnabled })
      await page.goto('/docs#createPaste')
      const docs = docsPage(page)
      const article = docs.operation('createPaste')
      expect(await article.isVisible()).toBe(true)
      expect(await docs.opened.count()).toBe(1)
      expect(await article.getByText('Content of the paste').isVisible()).toBe(true)
      const { y = -1 } = (await article.boundingBox()) ?? {}
      expect(y).toBeWithin(0, 720)
    },
  )

  test('is short on a phone, and nothing of it reaches out at the side', async () => {
    const page = await suite.open({ viewport: { width: 360, height: 640 } })
    await page.goto('/docs')
    const { width, height } = await page.evaluate<{ width: number; height: number }>(
      '({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight })',
    )
    expect(width).toBe(360)
    expect(height).toBeLessThan(6900)
  })

  test('filters operations while typing, says how many are left, and shows all again', async () => {
    const page = await suite.open()
    await page.goto('/docs')
    const docs = docsPage(page)
    const all = await docs.shown.count()
    await page.keyboard.press('/')
    await page.keyboard.type('SHORTENER/delete post')
    const left = await docs.shown.allInnerTexts()
    expect(left.length).toBeWithin(1, 4)
    expect(await docs.matches.innerText()).toBe(`${left.length} result${left.length === 1 ? '' : 's'}`)
    expect(await docs.sectionTitles.allInnerTexts()).toEqual(['Deleting'])
    expect(await docs.links.count()).toBe(left.length)
    await docs.filter.fill('no such operation')
    expect(await docs.matches.innerText()).toBe('No results')
    await docs.filter.fill('sharex/link')
    expect(await docs.matches.innerText()).toBe('1 result')
    await docs.filter.fill('')
    expect(await docs.shown.count()).toBe(all)
    expect(await docs.matches.innerText()).toBe('')
  })

  test.each([true, false])(
    'folds programs for other servers, and opens the one that is searched for or named, JavaScript: %p',
    async (javaScriptEnabled) => {
      const page = await suite.open({ javaScriptEnabled })
      const docs = docsPage(page)
      await page.goto('/docs')
      const first = docs.line('POST', '/yourls-api.php')
      expect(await first.isVisible()).toBe(false)
      if (javaScriptEnabled) {
        await docs.filter.fill('post yourls')
        expect(await first.isVisible()).toBe(true)
        await docs.filter.fill('')
        expect(await first.isVisible()).toBe(false)
      }
      await page.goto('/docs#sendYourls')
      expect(await docs.operation('sendYourls').isVisible()).toBe(true)
    },
  )

  test('finds a language by any of its names', async () => {
    const page = await suite.open()
    await page.goto('/docs')
    const docs = docsPage(page)
    await docs.filter.fill('golang')
    expect(await docs.sectionTitles.allInnerTexts()).toContain('Languages')
    await page.goto('/docs#languages')
    expect(await docs.language('Go').innerText()).toMatch(/^go\s.*golang/)
  })

  test('has no filter without JavaScript', async () => {
    const page = await suite.open({ javaScriptEnabled: false })
    await page.goto('/docs')
    expect(await docsPage(page).filter.isVisible()).toBe(false)
  })

  test('is printed with every operation open, and without what only a screen has', async () => {
    const page = await suite.open({ javaScriptEnabled: false })
    await page.goto('/docs')
    await page.emulateMedia({ media: 'print' })
    expect(await docsPage(page).operation('createPaste').getByText('Content of the paste').isVisible()).toBe(
      true,
    )
    expect(await page.getByRole('navigation').count()).toBe(0)
  })
})

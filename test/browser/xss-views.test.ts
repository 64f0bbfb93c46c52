import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { asJson, asTable, markdownPayloads, xssPayloads } from '../support/xss.ts'

/** Texts of several payloads each, one block apart: a page for each payload would take minutes. */
const together = (payloads: readonly string[], count: number, between: string) =>
  Array.from({ length: Math.ceil(payloads.length / count) }, (_, at) =>
    payloads.slice(count * at, count * (at + 1)).join(between),
  )

const all = [...markdownPayloads, ...xssPayloads]
const views = {
  preview: { language: 'markdown', texts: together(all, 8, '\n\n') },
  table: { language: 'csv', texts: together(all.map(asTable), 20, '') },
  formatted: { language: 'jsonl', texts: together(all.map(asJson), 20, '\n') },
}

const tabs = {
  'with the security policy': {},
  'without the security policy': { bypassCSP: true },
}

/** Everything that an attack would have a reader click or hover. */
const touchAll = `(() => {
  for (const one of document.querySelectorAll('#code *')) {
    one.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
    one.dispatchEvent(new FocusEvent('focus'))
    if (one.matches('a') && !one.getAttribute('href').startsWith('#')) one.addEventListener('click', (event) => event.preventDefault())
    if (one.matches('a')) one.click()
  }
})()`

describe.skipIf(!requireChromium())('hostile text in a view', () => {
  const suite = browserSuite('--rate-limit', 'off')

  describe.each(Object.entries(tabs))('%s', (_, options) => {
    test.each(Object.entries(views))(
      '%s runs nothing and loads nothing',
      async (view, { language, texts }) => {
        const page = await suite.open(options)
        for (const text of texts) {
          // On a busy machine the first ones are too slow, and stay plain: then of the same text once more.
          do {
            const { pasteUrl } = await suite.client().paste({ text, language })
            await page.goto(`${suite.local(pasteUrl)}?view=${view}`)
          } while ((await page.locator('#plain').count()) > 0)
          expect(await page.locator(`#code.view-${view}`).count()).toBe(1)
          await page.evaluate(touchAll)
          expect(await page.locator('#code :is(img, script, style, iframe, object, form, svg)').count()).toBe(
            0,
          )
        }
      },
    )
  })
})

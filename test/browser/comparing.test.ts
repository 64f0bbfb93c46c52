import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { pastePage } from '../support/page-objects/paste.ts'
import { untilMade } from '../support/until.ts'
import { asParsed } from '../support/views.ts'
import { xssPayloads } from '../support/xss.ts'

const before = 'one\nconst most = 3\n'.concat('same\n'.repeat(40), 'end\n')
const after = before.replace('3', '5').replace('end', 'END\nmore')

describe.skipIf(!requireChromium())('two pastes', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const paste = async (text: string, title = '') => {
    const { pasteUrl } = await suite.client().paste({ text, title, language: 'text' })
    return suite.local(pasteUrl)
  }
  const idOf = (path: string) => path.split('/').at(-1) ?? ''

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (_, javaScriptEnabled) => {
    test('are compared from the menu of one, are swapped, and stand side by side', async () => {
      const page = await suite.open({ javaScriptEnabled })
      const [first, second] = [await paste(before, 'before.ts'), await paste(after, 'after.ts')]
      await page.goto(first)
      await pastePage(page).openPart('compare')
      await page.getByLabel('Compare with').fill(suite.server().url + second)
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await page.locator('.diff').waitFor()
      expect(new URL(page.url()).pathname).toBe(`/diff/${idOf(first)}/${idOf(second)}`)
      expect(await page.locator('.diff :is(ins, del)').allTextContents()).toEqual([
        '−const most = 3',
        '+const most = 5',
        '−end',
        '+END',
        '+more',
      ])
      expect(await page.locator('.diff mark').allTextContents()).toEqual(['3', '5'])
      expect(await page.locator('.fold').allTextContents()).toEqual(['34 unchanged lines'])
      await page.getByRole('link', { name: 'Side by side' }).click()
      await page.locator('.diff.split').waitFor()
      await page.locator('#swap').click()
      await page.waitForURL(`**/diff/${idOf(second)}/${idOf(first)}?view=split`)
      expect(await page.locator('.diff del mark').allTextContents()).toEqual(['5'])
    })

    test('are not compared with what is no paste: the page says so, and keeps what was typed', async () => {
      const page = await suite.open({ javaScriptEnabled })
      await page.goto(await paste(before))
      await pastePage(page).openPart('compare')
      await page.getByLabel('Compare with').fill('no such paste')
      await page.getByRole('button', { name: 'Compare', exact: true }).click()
      await page.getByText('This is not the address').waitFor()
      expect(await page.getByLabel('Compare with').inputValue()).toBe('no such paste')
    })
  })

  test.each([
    [1280, true],
    [360, false],
  ])('stand side by side only in a wide window: %i px', async (width, isBeside) => {
    const page = await suite.open({ viewport: { width, height: 640 } })
    await page.goto(`/diff/${idOf(await paste(before))}/${idOf(await paste(after))}?view=split`)
    const [old, recent] = await Promise.all(
      ['del', 'ins'].map((name) => page.locator(`.pair ${name}`).first().boundingBox()),
    )
    expect((recent?.x ?? 0) > (old?.x ?? 0)).toBe(isBeside)
    expect((recent?.y ?? 0) > (old?.y ?? 0)).toBe(!isBeside)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  })

  test('look the same on a phone, side by side or not: what a change brought is below all that it took', async () => {
    const rename = (text: string) => text.replace('one', 'some').replace('most = 3', 'least = 4')
    const [old, recent] = [`${before}a\nb\nc\n`, `${rename(before)}other\nlines\nand more\n`]
    const path = `/diff/${idOf(await paste(old))}/${idOf(await paste(recent))}`
    const page = await suite.open({ viewport: { width: 360, height: 640 } })
    /** The changed lines from top to bottom, as they are painted. */
    const painted = async (query: string) => {
      await page.goto(path + query)
      const rows = await page.locator('.diff :is(ins, del)').all()
      const boxes = await Promise.all(
        rows.map(async (row) => ({ y: (await row.boundingBox())?.y ?? 0, text: await row.textContent() })),
      )
      return boxes.toSorted((a, b) => a.y - b.y).map(({ text }) => text)
    }
    const unified = await painted('?')
    expect(unified.slice(0, 4)).toEqual(['−one', '−const most = 3', '+some', '+const least = 4'])
    expect(await painted('?view=split')).toEqual(unified)
    expect(await page.getByRole('link', { name: 'Side by side' }).count()).toBe(0)
  })

  test.each(['light', 'dark'] as const)(
    'have one colour for what went and one for what came, also the names of files in a patch: %s',
    async (colorScheme) => {
      const page = await suite.open({ colorScheme })
      const text = '--- a/one\n+++ b/one\n@@ -1 +1 @@\n-const most = 3\n+const most = 5\n'
      const { pasteUrl } = await suite.client().paste({ text, language: 'diff' })
      await page.goto(await untilMade(suite.server().url + suite.local(pasteUrl)))
      /** What there is most of: both colours are told apart by those who do not tell red from green. */
      const hue = (line: number, property: string) =>
        page.evaluate<string>(`(() => {
          const line = document.querySelector('#L${line}')
          const { ${property} } = getComputedStyle(line.querySelector('span') ?? line)
          const parts = ${property}.match(/[\\d.]+/g).map(Number).slice(0, 3)
          return ['red', 'green', 'blue'][parts.indexOf(Math.max(...parts))]
        })()`)
      expect(await Promise.all([1, 2].map((line) => hue(line, 'color')))).toEqual(['red', 'blue'])
      expect(await Promise.all([4, 5].map((line) => hue(line, 'backgroundColor')))).toEqual(['red', 'blue'])
    },
  )

  test('have the colours of their language, and changed words the colour of ordinary text', async () => {
    const page = await suite.open()
    const pastes = ['3', '4'].map((most) =>
      suite.client().paste({ text: `const most = ${most}\n`, language: 'javascript' }),
    )
    const [one, other] = (await Promise.all(pastes)).map(({ pasteUrl = '' }) => idOf(pasteUrl))
    for (const query of ['', '?view=split']) {
      do await page.goto(`/diff/${one}/${other}${query}`)
      while ((await page.locator('.t2').count()) === 0)
      const colourOf = (selector: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).color`)
      expect(await colourOf('ins .t2')).not.toBe(await colourOf('ins'))
      expect(await colourOf('ins mark')).toBe(await colourOf('ins'))
    }
  })

  test('have changed words that are seen without colours', async () => {
    const page = await suite.open()
    await page.goto(`/diff/${idOf(await paste(before))}/${idOf(await paste(after))}`)
    const lineOf = (name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${name} mark')).textDecorationLine`)
    expect([await lineOf('del'), await lineOf('ins')]).toEqual(['line-through', 'underline'])
  })

  test('that are hostile are shown letter for letter, and run nothing', async () => {
    for (const options of [{}, { bypassCSP: true }]) {
      const page = await suite.open(options)
      for (let at = 0; at < xssPayloads.length; at += 12) {
        const text = xssPayloads.slice(at, at + 6).join('\n')
        const other = xssPayloads.slice(at + 6, at + 12).join('\n')
        const [first, second] = [await paste(text, text), await paste(`${other}\n${text} x`, other)]
        for (const query of ['', '?view=split']) {
          await page.goto(`/diff/${idOf(first)}/${idOf(second)}${query}`)
          const title = asParsed(((await page.locator('h1').textContent()) ?? '').replaceAll('␀', ''))
          expect(title).toBe(`${asParsed(text)} → ${asParsed(other)}`)
          expect(await page.locator('.diff :not(div, del, ins, i, mark, p, small, span)').count()).toBe(0)
        }
        await page.goto(`/diff/${idOf(first)}?with=${encodeURIComponent(text)}`)
        expect(await page.getByLabel('Compare with').count()).toBe(1)
      }
    }
  })
})

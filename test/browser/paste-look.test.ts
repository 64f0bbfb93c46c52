import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import type { PasteBody } from '../support/client.ts'
import { pastePage } from '../support/page-objects/paste.ts'
import { testKey } from '../support/process.ts'
import { untilMade } from '../support/until.ts'

/** Of 49 characters. */
const shortTitle = 'Reads that count down and never come back (Bun 1)'
const longTitle = 'A title that is far too long for any bar, and goes on and on about what the paste holds'
const text = 'const a = 1\n'.repeat(40)

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox()
  if (!box) throw new Error('it is not painted')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

/** What some pixels look like: two places of one colour are equal, byte by byte. */
const pixels = async (page: Page, x: number, y: number) =>
  (await page.screenshot({ clip: { x, y, width: 6, height: 6 } })).toString('base64')

describe.skipIf(!requireChromium())('the page of a paste', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPaste = async (fields: PasteBody, width: number, height: number, after = '') => {
    const page = await suite.open({ viewport: { width, height } })
    const { pasteUrl } = await suite.client().paste({ text, ...fields })
    await page.goto(suite.local(pasteUrl) + after)
    return { page, paste: pastePage(page) }
  }
  /** For the key that made it. */
  const openOwn = async (fields: PasteBody) => {
    const page = await suite.open({ viewport: { width: 1280, height: 720 } })
    const path = suite.local((await suite.client().paste({ text, ...fields })).pasteUrl)
    await page.goto('/healthz')
    await page.evaluate(`localStorage.setItem('shortcrust:key', '${testKey}')`)
    await page.goto(path)
    await page.locator('html.is-own').waitFor()
    return { page, path }
  }

  // Plain text: above a text in a language, a busy machine says that it has no colours yet.
  const fields = [
    { title: 'main.ts', description: '', language: 'text', expiresIn: '3d' },
    { title: shortTitle, description: '', language: 'text', expiresIn: '30d' },
    { title: '', description: '', language: 'text' },
  ]
  test.each(fields)('leaves 90 %% of a desktop and 80 %% of a phone to the text: $title', async (words) => {
    for (const [width, height, most] of [
      [1280, 720, 0.1],
      [360, 640, 0.2],
    ] as const) {
      const { paste } = await openPaste(words, width, height)
      expect((await boxOf(paste.line(1))).y).toBeLessThanOrEqual(most * height)
      expect(await boxOf(paste.code)).toMatchObject({ x: 0, width })
    }
  })

  test.each([shortTitle, longTitle])(
    'shows its whole title on any screen, to its maker too: %j',
    async (title) => {
      const { page } = await openOwn({ title })
      for (const width of [
        320, 360, 412, 640, 641, 768, 960, 961, 1100, 1280, 1366, 1440, 1680, 1920, 2560,
      ]) {
        await page.setViewportSize({ width, height: 720 })
        const { scrollWidth, clientWidth, scrollHeight, clientHeight } = await page
          .locator('h1')
          .evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => ({
            ...{ scrollWidth, clientWidth, scrollHeight, clientHeight },
          }))
        expect([width, scrollWidth, scrollHeight]).toEqual([width, clientWidth, clientHeight])
        if (width > 640) expect(clientWidth).toBeGreaterThanOrEqual(0.39 * width)
      }
    },
  )

  test('leaves room for the text under a title of two lines and a description', async () => {
    const words = { title: longTitle, description: 'Why it is there', language: 'text', expiresIn: '30d' }
    for (const [width, height, most] of [
      [1280, 720, 100],
      [360, 640, 170],
    ] as const) {
      const { paste } = await openPaste(words, width, height)
      expect((await boxOf(paste.line(1))).y).toBeLessThanOrEqual(most)
    }
  })

  test('weighs less than 19,950 bytes with its styles and scripts, for 4 KiB of code', async () => {
    const line = (at: number) =>
      `export const value${at} = read('${(at * 7919) % 10_007}', ${at % 7}) // ${at}\n`
    const source = Array.from({ length: 100 }, (_, at) => line(at)).join('')
    const paste = { text: source.slice(0, 4096), language: 'typescript' }
    const { pasteUrl = '' } = await suite.client().paste(paste)
    const html = await (await fetch(await untilMade(pasteUrl))).text()
    const files = [...html.matchAll(/(?:src|href)="(\.\.\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    const bytesOf = async (path: string) => {
      const headers = { Accept: 'text/html, */*', 'Accept-Encoding': 'gzip' }
      const body = await fetch(new URL(path, pasteUrl), { headers, decompress: false })
      return (await body.arrayBuffer()).byteLength
    }
    const bytes = await Promise.all(['', ...new Set(files)].map(bytesOf))
    expect(bytes.length).toBeGreaterThan(6)
    expect(bytes.reduce((sum, more) => sum + more, 0)).toBeLessThan(19_950)
  })

  test('is called by its first line where it has no title, and never by what burns', async () => {
    const { page } = await openPaste({ title: '', text: `\n  ${'first '.repeat(20)}\nsecond` }, 1280, 720)
    const name = 'first '.repeat(20).slice(0, 80).trim()
    expect(await page.locator('h1.first-line').innerText()).toBe(name)
    expect(await page.title()).toBe(`${name} · Shortcrust`)
    const { pasteUrl } = await suite.client().paste({ title: '', text: 'secret', maxReads: 1 })
    await page.goto(suite.local(pasteUrl))
    await page.locator('main button').click()
    expect(await page.locator('h1.untitled').innerText()).toBe('Untitled paste')
    expect(await page.title()).toBe('Untitled paste · Shortcrust')
    expect(await page.locator('.notice').innerText()).toStartWith('This was the only read.')
  })

  test('has seven controls in its bar at most, on a phone five, and a word on each but the logo', async () => {
    const { page } = await openOwn({ language: 'text' })
    for (const [width, words] of [
      [1280, ['', 'Copy', 'Copy link', 'Raw', 'Wrap', 'Edit', 'More']],
      [360, ['', 'Copy', 'Copy link', 'Wrap', 'More']],
    ] as const) {
      await page.setViewportSize({ width, height: 720 })
      const controls = page.locator('header').locator(':is(a, button, summary, input):visible')
      expect(await controls.allInnerTexts()).toEqual([...words])
    }
    expect(await page.locator('.about :is(a, button):visible').count()).toBe(0)
  })

  test('leads its maker from the number of versions to what the last change changed, and nobody else', async () => {
    const { page, path } = await openOwn({ text: 'one\n' })
    for (const changed of ['two\n', 'three\n'])
      await suite.client().change(suite.server().url + path, { text: changed })
    await page.reload()
    await page.getByRole('link', { name: '3 versions' }).click()
    await page.locator('#diff ins').waitFor()
    expect(await page.locator('#diff :is(ins, del)').allTextContents()).toEqual(['−two', '+three'])
    const stranger = await suite.open()
    await stranger.goto(path)
    expect(await stranger.locator('.facts').innerText()).toMatch(/Changed (?:now|\d+ seconds? ago)/)
    expect(await stranger.getByRole('link', { name: '3 versions' }).isVisible()).toBe(false)
  })

  test("shares by the system's own sheet on a phone that has one", async () => {
    const page = await suite.open({ viewport: { width: 360, height: 640 } })
    await page.addInitScript('navigator.share = async (what) => void (globalThis.shared = what.url)')
    await page.goto(suite.local((await suite.client().paste({})).pasteUrl))
    expect(await page.locator('#copy-link').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Share' }).click()
    expect(await page.evaluate<string>('shared')).toBe(page.url())
    await page.locator('#more > summary').click()
    expect(await page.locator('#copy-link-row').isVisible()).toBe(true)
  })

  test('has its tools where the thumb is, and the title scrolls away', async () => {
    const { page, paste } = await openPaste({ text: text.repeat(10) }, 360, 640)
    const tools = page.locator('.actions')
    for (const top of [0, 1000]) {
      await page.evaluate(`scrollTo(0, ${top})`)
      expect(await boxOf(tools)).toMatchObject({ x: 0, width: 360, bottom: 640 })
    }
    expect((await boxOf(page.locator('header'))).bottom).toBeLessThanOrEqual(0)
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    expect((await boxOf(paste.line(400))).bottom).toBeLessThanOrEqual((await boxOf(tools)).y)
    for (const [, box] of Object.entries(
      await Promise.all((await page.locator('.actions .tool:visible').all()).map(boxOf)),
    ))
      expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(40)
  })

  test.each([1280, 360])(
    'begins title, facts and text of few lines at one edge, %i px wide',
    async (width) => {
      const { page } = await openPaste({ title: 'main.ts' }, width, 640)
      const left = (selector: string) =>
        page.evaluate<number>(`(() => { const range = new Range()
        range.selectNodeContents(document.querySelector('${selector}'))
        return range.getBoundingClientRect().left })()`)
      const logo = (await boxOf(page.locator('.brand img'))).x
      expect(logo).toBe(width === 360 ? 12 : 16)
      if (width === 360) return expect(await left('.facts li')).toBe(logo)
      const gutter = "getComputedStyle(document.querySelector('#L1')).paddingLeft"
      expect(await page.evaluate<string>(gutter)).toBe('52px')
      expect([await left('h1'), await left('.facts li')]).toEqual([52, 52])
    },
  )

  test('shows a log below two rows of controls on a phone', async () => {
    const log = Array.from(
      { length: 40 },
      (_, at) => `${['ERROR', 'WARN', 'INFO', 'DEBUG'][at % 4]} step ${at}\n`,
    )
    const { page } = await openPaste({ title: 'server.log', language: 'log', text: log.join('') }, 360, 640)
    const controls = await page.locator('.log-bar :is(a, button, input):visible').all()
    const boxes = await Promise.all(controls.map(boxOf))
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(2)
    expect(Math.min(...boxes.map(({ height }) => height))).toBeGreaterThanOrEqual(40)
  })

  test('keeps its bar in view, and the number beside its line, when it is scrolled', async () => {
    const { page, paste } = await openPaste({ text: `${'long '.repeat(200)}\n`.repeat(300) }, 1280, 720)
    await page.evaluate('scrollTo(0, 2000); code.scrollLeft = 900')
    expect((await boxOf(page.locator('.bar'))).y).toBe(0)
    const { y } = await boxOf(paste.line(120))
    const number = await page.screenshot({ clip: { x: 0, y, width: 40, height: 20 } })
    await page.evaluate('code.scrollLeft = 0')
    expect(number.equals(await page.screenshot({ clip: { x: 0, y, width: 40, height: 20 } }))).toBe(true)
  })

  test.each([360, 1280])(
    'tints a marked line to its end, %i px wide and scrolled sideways',
    async (width) => {
      const lines = `short\nshort\n${'long '.repeat(300)}\n`
      const { page, paste } = await openPaste({ text: lines, language: 'diff' }, width, 640, '#L2')
      await paste.untilInView(2)
      const { y } = await boxOf(paste.line(2))
      const edge = width - 10
      const [tint, paper] = [await pixels(page, edge, y + 8), await pixels(page, edge, y - 14)]
      expect(tint).not.toBe(paper)
      for (const left of [500, 100_000]) {
        await page.evaluate(`code.scrollLeft = ${left}`)
        expect(await pixels(page, edge, y + 8), `${left}`).toBe(tint)
        expect(await pixels(page, edge, y - 14), `${left}`).toBe(paper)
      }
    },
  )
})

describe.skipIf(!requireChromium())('a wrapped line of code', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const [indented, hebrew] = [`\ttab ${'word '.repeat(40)}`, `"${'שלום עולם '.repeat(40)}"`]
  const open = async (language: string) => {
    const page = await suite.open({ viewport: { width: 360, height: 640 } })
    const text = `${indented}\n${hebrew}\nlast\n`
    await page.goto(suite.local((await suite.client().paste({ text, language })).pasteUrl))
    /** Left and right ends of the rows of a line. */
    const rows = (line: number) =>
      page.evaluate<{ left: number; right: number }[]>(`(() => {
        const range = new Range()
        range.selectNodeContents(document.querySelector('#L${line}'))
        const rows = Map.groupBy([...range.getClientRects()].filter(({ width }) => width > 0), ({ top }) => top)
        return [...rows.values()].map((boxes) => ({
          left: Math.min(...boxes.map(({ left }) => left)), right: Math.max(...boxes.map(({ right }) => right)) }))
      })()`)
    return { page, rows }
  }

  test('goes on further in, keeps its tabs, and ends in the window from either side', async () => {
    const { page, rows } = await open('ini')
    const [first, second] = await rows(1)
    const [{ left: edge = 0 } = {}] = await rows(3)
    expect(first?.left).toBeCloseTo(edge, 0)
    expect((second?.left ?? 0) - edge).toBeGreaterThan(20)
    expect(Math.max(...(await rows(2)).map(({ right }) => right))).toBeLessThanOrEqual(360)
    expect(await page.evaluate<number>('code.scrollWidth')).toBe(360)
    expect(await pastePage(page).selectAll()).toBe(`${indented}\n${hebrew}\nlast\n`.trimEnd())
  })

  test('does not where it is text to read', async () => {
    const { rows } = await open('text')
    const [first, second] = await rows(1)
    expect(second?.left).toBeCloseTo(first?.left ?? 0, 0)
  })
})

describe.skipIf(!requireChromium())('what a finger touches', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const log = 'ERROR a\nINFO b\n'.repeat(9)

  test.each([360, 1024])('is 40 px high on the pages of pastes, %i px wide', async (width) => {
    const page = await suite.open({ viewport: { width, height: 740 }, hasTouch: true })
    const pastes = [
      { text: log, language: 'log' },
      { text: '# a\n', language: 'markdown' },
    ]
    const paths = await Promise.all(
      pastes.map(async (fields) => suite.local((await suite.client().paste(fields)).pasteUrl)),
    )
    const [one, other] = paths.map((path) => path.split('/').at(-1))
    for (const path of [`${paths[0]}#L2`, paths[1] ?? '', `/diff/${one}/${other}`]) {
      await page.goto(path)
      if (path.endsWith('#L2')) await page.locator('#marked').waitFor()
      const controls = await page
        .locator(':is(header, .views, .log-bar) :is(a, button, input, summary):visible')
        .all()
      const boxes = await Promise.all(
        controls.map(async (control) => ({
          ...(await boxOf(control)),
          is: await control.evaluate(({ outerHTML }) => outerHTML.slice(0, 80)),
        })),
      )
      expect(boxes.filter(({ height }) => height < 40).map(({ is, height }) => [is, height])).toEqual([])
    }
  })
})

describe.skipIf(!requireChromium())('a paste on paper', () => {
  const suite = browserSuite('--rate-limit', 'off')

  test('is ink on white with title, address and wrapped lines, without what can be clicked', async () => {
    const page = await suite.open({ viewport: { width: 700, height: 900 } })
    const { pasteUrl = '' } = await suite
      .client()
      .paste({ title: 'A title', text: 'long '.repeat(100), language: 'text' })
    await page.goto('/healthz')
    await page.evaluate("localStorage.setItem('shortcrust:theme', 'dark')")
    await page.evaluate("localStorage.setItem('shortcrust:wrap', 'no')")
    await page.goto(`${suite.local(pasteUrl)}#L1`)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator(':is(a, button, summary, input):visible').allInnerTexts()).toEqual([])
    expect(await page.locator('h1').innerText()).toBe('A title')
    expect(await page.locator('.facts').innerText()).toContain(pasteUrl)
    expect(await page.evaluate<string>('getComputedStyle(document.querySelector("#L1")).color')).toBe(
      'rgb(31, 35, 40)',
    )
    expect(await page.evaluate<string>('getComputedStyle(code).backgroundColor')).toBe('rgb(255, 255, 255)')
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(700)
    expect(await page.evaluate<number>('code.scrollWidth')).toBe(700)
  })
})

describe.skipIf(!requireChromium())('a text that plays tricks', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openText = async (source: string, title = '') => {
    const page = await suite.open()
    const { pasteUrl } = await suite.client().paste({ text: source, title, language: 'text' })
    await page.goto(suite.local(pasteUrl))
    return page
  }
  /** Where characters of the first line are painted, from left to right. */
  const order = (page: Page, characters: string): Promise<string> =>
    page.evaluate(`(() => {
      const places = []
      const walker = document.createTreeWalker(document.querySelector('#L1'), NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const [at, character] of [...node.data].entries()) {
          if (!${JSON.stringify(characters)}.includes(character)) continue
          const range = new Range()
          range.setStart(node, at)
          range.setEnd(node, at + 1)
          places.push([range.getBoundingClientRect().left, character])
        }
      return places.sort((a, b) => a[0] - b[0]).map(([, character]) => character).join('')
    })()`)

  test.each(['\u202e', '\u202b', '\u2067', '\u202d', '\u200f'])(
    'is shown in its own order after %j',
    async (trick) => {
      const page = await openText(`a${trick}b(c)d\n`)
      expect(await order(page, 'abcd')).toBe('abcd')
      expect(await page.locator('#L1 .x').count()).toBe(1)
      expect(await page.locator('#L1').textContent()).toBe(`a${trick}b(c)d\n`)
    },
  )

  test('has its title in order and marked, in the window as on the page', async () => {
    const page = await openText('a', 'invoice\u202efdp.exe')
    expect(await page.title()).toBe('invoice\ufffdfdp.exe · Shortcrust')
    expect(await page.locator('h1 [role=img]').getAttribute('title')).toBe('U+202E right-to-left override')
  })

  test('of Hebrew begins at the right where it is wrapped, and its number stays at the left', async () => {
    const page = await openText('שלום, עולם!\nshort\n')
    const { right } = await boxOf(page.locator('#L1'))
    expect(await order(page, 'ש!')).toBe('!ש')
    const range = `(() => { const range = new Range(); range.selectNodeContents(document.querySelector('#L1'))
      return range.getBoundingClientRect().right })()`
    expect(right - (await page.evaluate<number>(range))).toBeLessThan(20)
  })
})

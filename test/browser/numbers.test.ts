import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { pastePage } from '../support/page-objects/paste.ts'
import { untilMade } from '../support/until.ts'

const text = Array.from({ length: 3000 }, (_, at) => `const line${at + 1} = true\n`).join('')

type Node = { ignored: boolean; role?: { value: string }; name?: { value: string } }

/** What stands in a line as the browser drew it: the accessibility tree holds what CSS counts, no attribute does. */
const readTree = async (page: Page, line: number): Promise<string> => {
  const session = await page.context().newCDPSession(page)
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: `#L${line}` })
  const { nodes } = (await session.send('Accessibility.queryAXTree', { nodeId })) as { nodes: Node[] }
  await session.detach()
  const drawn = nodes.filter(({ ignored, role }) => !ignored && role?.value === 'StaticText')
  return drawn.map(({ name }) => name?.value ?? '').join(' ')
}

/** The same, once it is drawn: the tree may be a frame behind. */
const drawnIn = async (page: Page, line: number): Promise<string> => {
  const drawn = await readTree(page, line)
  if (drawn) return drawn
  await page.evaluate('new Promise(requestAnimationFrame)')
  return drawnIn(page, line)
}

type Box = { left: number; right: number; top: number; height: number; words: string }
type Painted = { line: string; number: Box[]; text: Box[] }

/** Where the browser painted the numbers and the texts of the lines that it laid out: each piece has a box on each row it takes. */
const paintedLines = async (page: Page): Promise<Painted[]> => {
  const session = await page.context().newCDPSession(page)
  const { documents, strings } = await session.send('DOMSnapshot.captureSnapshot', { computedStyles: [] })
  await session.detach()
  const [shown] = documents
  if (!shown) throw new Error('nothing is painted')
  const { nodes, layout, textBoxes } = shown
  const lines = new Map<number, Painted>()
  for (const [node, names] of (nodes.attributes ?? []).entries()) {
    const at = names.findIndex((name, place) => place % 2 === 0 && strings[name] === 'id')
    const id = at < 0 ? '' : (strings[names[at + 1] ?? -1] ?? '')
    if (/^L\d+$/.test(id)) lines.set(node, { line: id.slice(1), number: [], text: [] })
  }
  const drawn = new Set(nodes.pseudoType?.index)
  /** The line around a node, and whether a pseudo-element of it stands between them. */
  const lineAround = (node: number, isDrawn = false): { line?: Painted; isDrawn: boolean } => {
    const line = lines.get(node)
    if (line || node < 0) return { ...(line && { line }), isDrawn }
    return lineAround(nodes.parentIndex?.[node] ?? -1, isDrawn || drawn.has(node))
  }
  for (const [at, place] of textBoxes.layoutIndex.entries()) {
    const { line, isDrawn } = lineAround(layout.nodeIndex[place] ?? -1)
    const [left = 0, top = 0, width = 0, height = 0] = textBoxes.bounds[at] ?? []
    const [start, length] = [textBoxes.start[at] ?? 0, textBoxes.length[at] ?? 0]
    const words = (strings[layout.text[place] ?? -1] ?? '').slice(start, start + length)
    if (width > 0) line?.[isDrawn ? 'number' : 'text'].push({ left, right: left + width, top, height, words })
  }
  return [...lines.values()].filter(({ number }) => number.length > 0)
}

const said = (boxes: readonly Box[]) => boxes.map(({ words }) => words).join('')

/** What is wrong with a number: it is broken, cut off at the edge of the window, or touches the text. */
const faultsOf = ({ line, number, text }: Painted) => {
  const [first] = text
  const rows = new Set(number.map(({ top }) => top))
  const words = said(number)
  return [
    words.replace(/^[×!]\u00a0/, '') === line ? '' : `${line} reads ${words}`,
    rows.size === 1 ? '' : `${line} is painted in ${rows.size} rows`,
    Math.min(...number.map(({ left }) => left)) >= 4 ? '' : `${line} is cut off`,
    !first || first.left - Math.max(...number.map(({ right }) => right)) >= 4
      ? ''
      : `${line} touches its text`,
  ].filter((fault) => fault !== '')
}

const screens = [
  ['a desktop', { width: 1280, height: 720 }],
  ['a phone', { width: 360, height: 640 }],
] as const

describe.skipIf(!requireChromium())('the number of a line', () => {
  const suite = browserSuite('--rate-limit', 'off')
  const openPaste = async (options: BrowserContextOptions) => {
    const page = await suite.open(options)
    const { pasteUrl } = await suite.client().paste({ text, language: 'text' })
    const path = suite.local(pasteUrl)
    await page.goto(path)
    return { page, paste: pastePage(page), path }
  }

  test.each(screens)(
    'is drawn right on %s, in view and after scrolling there and back',
    async (_, viewport) => {
      const { page, paste } = await openPaste({ viewport })
      for (const number of [1, 2, 100, 101, 250, 2999, 3000, 101, 100, 1]) {
        await paste.line(number).scrollIntoViewIfNeeded()
        await paste.untilInView(number)
        expect(await drawnIn(page, number)).toMatch(new RegExp(`^${number} const line${number} = true\\s*$`))
      }
    },
  )

  test.each(screens)('is drawn right on %s where a link leads, without JavaScript', async (_, viewport) => {
    const { page, paste, path } = await openPaste({ viewport, javaScriptEnabled: false })
    for (const number of [101, 3000]) {
      await page.goto('/healthz')
      await page.goto(`${path}#L${number}`)
      await paste.untilInView(number)
      for (const near of [number, number - 1])
        expect(await drawnIn(page, near)).toMatch(new RegExp(`^${near} const`))
    }
  })

  const words = (at: number) => `worker ${at} did a thing that wraps on a phone, and takes two rows\n`
  const log = (count: number) =>
    Array.from({ length: count }, (_, at) => `${at % 7 ? 'ERROR' : 'WARN'} ${words(at)}`).join('')
  const source = (count: number) => Array.from({ length: count }, (_, at) => `x${at}\n`).join('')
  const array = JSON.stringify(Array(1200).fill('value'))
  const pages = [
    { shows: 'a log of 119 lines', fields: { language: 'log', text: log(119) }, last: 119 },
    { shows: 'a log of 12,345 lines', fields: { language: 'log', text: log(12_345) }, last: 12_345 },
    { shows: 'errors', fields: { language: 'log', text: log(12_345) }, query: '?level=error', last: 12_345 },
    { shows: '100,000 lines', fields: { language: 'text', text: source(100_000) }, last: 100_000 },
    { shows: '100,000 warnings', fields: { language: 'log', text: 'WARN\n'.repeat(100_000) }, last: 100_000 },
    {
      shows: 'JSON of one line',
      fields: { language: 'json', text: array },
      query: '?view=formatted',
      last: 1202,
    },
  ]

  test.each(pages)(
    'is whole and beside its text on each screen, also where lines are wrapped: $shows',
    async ({ fields, query = '', last }) => {
      const page = await suite.open()
      const { pasteUrl } = await suite.client().paste(fields)
      await page.goto(`${await untilMade(suite.server().url + suite.local(pasteUrl) + query)}#L${last}`)
      await pastePage(page).untilInView(last)
      for (const [, viewport] of screens) {
        await page.setViewportSize(viewport)
        for (const _ of ['as it is', 'wrapped']) {
          await pastePage(page).line(last).scrollIntoViewIfNeeded()
          const painted = await paintedLines(page)
          expect(painted.length).toBeGreaterThan(10)
          expect(painted.flatMap(faultsOf)).toEqual([])
          await page.keyboard.press('w')
        }
      }
    },
    120_000,
  )

  test.each(screens)('is that of the text on %s where a word leaves lines out', async (_, viewport) => {
    const page = await suite.open({ viewport })
    const path = suite.local((await suite.client().paste({ text, language: 'text' })).pasteUrl)
    // Lines that follow each other, from 970 on, and lines far apart.
    await untilMade(`${suite.server().url}${path}?grep=97`)
    await page.goto(`${path}?grep=97`)
    const expected = text
      .split('\n')
      .flatMap((line, at) => (line.includes('97') ? [`${at + 1}: ${line}\n`] : []))
    const found = new Map<string, string>()
    for (;;) {
      for (const { line, number, text: own } of await paintedLines(page))
        found.set(line, `${said(number)}: ${said(own)}\n`)
      if (await page.evaluate('innerHeight + scrollY >= document.documentElement.scrollHeight - 1')) break
      await page.evaluate('scrollBy(0, innerHeight / 2)')
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    expect(expected.length).toBeGreaterThan(50)
    expect([...found.values()]).toEqual(expected)
  })
})

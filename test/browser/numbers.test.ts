import { describe, expect, test } from 'bun:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { pastePage } from '../support/page-objects/paste.ts'

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
})

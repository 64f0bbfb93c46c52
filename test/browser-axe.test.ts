import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { states } from '../scripts/look/list.ts'
import { openTheatre, type Theatre } from '../scripts/look/stage.ts'
import { launchChromium, requireChromium } from './support/browser.ts'
import { repository } from './support/process.ts'

const axe = await Bun.file(join(repository, 'node_modules/axe-core/axe.min.js')).text()

type Violation = { id: string; nodes: { html: string }[] }

/** What axe-core finds, in words. The policy allows no added script, so it is evaluated. */
const violationsOf = async (page: Page) => {
  const violations = await page.evaluate<Violation[]>('axe.run().then(({ violations }) => violations)')
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  )
}

const light = [1280, 768, 412, 360, 320].map((width) => ({ width, theme: 'light' as const }))
/** In the dark colours alone are others. */
const dark = [1280, 320].map((width) => ({ width, theme: 'dark' as const }))
/** A page of 10 MB keeps axe busy for minutes; it is built as the others of its kind. */
const tooLarge = new Set(['paste/cut', 'paste/plain', 'paste/long', 'home/error-text'])

describe.skipIf(!requireChromium())('axe finds nothing wrong', () => {
  let browser: Browser
  let theatre: Theatre
  const closing: (() => Promise<void>)[] = []
  beforeAll(async () => {
    browser = await launchChromium()
    theatre = await openTheatre(browser)
  })
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })
  afterAll(async () => {
    await theatre?.close()
    await browser?.close()
  })

  const isChecked = ({ name, isPlain }: (typeof states)[number]) => !tooLarge.has(name) && !isPlain
  test.each(states.filter(isChecked).map((state) => [state.name, state] as const))(
    'with %s, in both themes, from 320 to 1280 px',
    async (_, state) => {
      const { stage, close } = await theatre.openStage({ width: 1280, height: 720, isScripted: true })
      closing.push(close)
      const { page } = stage
      page.context().setDefaultTimeout(20_000)
      await state.show(stage)
      await page.evaluate(axe)
      const found: string[] = []
      for (const { width, theme } of [...light, ...dark]) {
        await page.setViewportSize({ width, height: 720 })
        await page.emulateMedia({ colorScheme: theme })
        found.push(...(await violationsOf(page)).map((violation) => `${width} px, ${theme}: ${violation}`))
      }
      expect(found).toEqual([])
    },
    120_000,
  )
})

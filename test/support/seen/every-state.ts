import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { states } from '../scripts/look/list.ts'
import { openTheatre, type Theatre } from '../scripts/look/stage.ts'
import { launchChromium, requireChromium } from './support/browser.ts'
import { lookAt } from './support/seen/seen.ts'

const widths = [1280, 768, 412, 360, 320]
const heightAt = (width: number) => (width >= 768 ? 720 : 640)

/** Opens what is folded in a menu or a dialog, one after the other. */
const openEach = async (page: Page, look: (what: string) => Promise<void>) => {
  for (const menu of await page.locator('details.menu:not([open]):visible').elementHandles()) {
    const summary = await menu.$('summary')
    await summary?.click()
    await look(`with its menu "${(await summary?.innerText())?.trim()}"`)
    await summary?.click()
  }
  const help = page.getByRole('button', { name: 'Keyboard shortcuts' })
  if (!(await help.isVisible()) || (await page.locator('dialog[open]').count())) return
  await help.click()
  await look('with its shortcuts')
  await page.keyboard.press('Escape')
}

/** Scripts that run after the page was read, held back until something of it was painted. */
const holdScripts = (page: Page) =>
  page.route(/\/assets\/(?!early|ages)[\w.-]+\.js$/, async (route) => {
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await route.continue()
  })

describe.skipIf(!requireChromium())('every page, in every state:', () => {
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

  const openState = async (isScripted: boolean) => {
    const [width = 0] = widths
    const opened = await theatre.openStage({ width, height: heightAt(width), isScripted })
    closing.push(opened.close)
    opened.stage.page.context().setDefaultTimeout(20_000)
    return opened
  }

  /** Every fault at every width, with where it is. */
  const faultsOf = async (page: Page) => {
    const look = lookAt(page)
    const faults: string[] = []
    for (const width of widths) {
      await page.setViewportSize({ width, height: heightAt(width) })
      const lookNow = async (what = '') => {
        const found = [
          ...(await look.stickingOut()),
          ...(await look.popupsOutside()),
          ...(await look.overlaps()),
          ...(await look.covered()),
        ]
        faults.push(...found.map((fault) => `${width} px ${what}: ${fault}`))
      }
      await lookNow()
      await openEach(page, lookNow)
    }
    return faults
  }

  test.each(states.filter(({ isPlain }) => !isPlain).map((state) => [state.name, state] as const))(
    '%s: nothing sticks out, overlaps or lies under something from 320 to 1280 px, and nothing moves at start',
    async (_, state) => {
      const { stage, problems } = await openState(true)
      await holdScripts(stage.page)
      await state.show(stage)
      const moved = state.isUnfolded ? [] : await lookAt(stage.page).shifts()
      expect([...moved, ...(await faultsOf(stage.page)), ...problems]).toEqual([])
    },
    120_000,
  )

  test.each(states.filter(({ needsScript }) => !needsScript).map((state) => [state.name, state] as const))(
    '%s: the same without JavaScript',
    async (_, state) => {
      const { stage, problems } = await openState(false)
      await state.show(stage)
      expect([...(await faultsOf(stage.page)), ...problems]).toEqual([])
    },
    120_000,
  )
})

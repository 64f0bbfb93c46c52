import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { states } from '../../../scripts/look/list.ts'
import { colourRules, violationsOf } from '../page-objects/axe.ts'
import { lookAt } from './seen.ts'
import { useStages } from './stages.ts'

const widths = [1280, 768, 412, 360, 320]
/** Of what was looked at already: both ends. */
const ends = [1280, 320]
/** Megabytes of text: looked at more quickly, for they are built as the others of their kind. */
const huge = new Set(['paste/cut', 'paste/plain', 'home/error-text'])
const heightAt = (width: number) => (width >= 768 ? 720 : 640)

/** Between the widest and the narrowest no colour, name or role is of its own; in the dark only the colours differ. */
const axeLooks = [
  { width: 1280, theme: 'light' as const, rules: {} },
  { width: 320, theme: 'light' as const, rules: {} },
  { width: 1280, theme: 'dark' as const, rules: colourRules },
]

/** Scripts that run after the page was read, held back until something of it was painted. */
const holdScripts = (page: Page) =>
  page.route(/\/assets\/(?!early|view|ages|preview)[\w.-]+\.js$/, async (route) => {
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    await route.continue()
  })

/** What axe finds in both themes, with where it is. */
const violationsIn = async (page: Page) => {
  const found: string[] = []
  for (const { width, theme, rules } of axeLooks) {
    await page.setViewportSize({ width, height: 720 })
    await page.emulateMedia({ colorScheme: theme })
    const violations = await violationsOf(page, 'html', rules)
    found.push(...violations.map((violation) => `${width} px, ${theme}: ${violation}`))
  }
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

/** Every fault at each width, with where it is. */
const faultsOf = async (page: Page, at: readonly number[], isHuge: boolean) => {
  const look = lookAt(page)
  const faults: string[] = []
  for (const width of at) {
    await page.setViewportSize({ width, height: heightAt(width) })
    const found = [...(await look.everything()), ...(isHuge ? [] : await look.opened())]
    faults.push(...found.map((fault) => `${width} px ${fault}`))
  }
  return faults
}

/** Files that share the states, each in a process of its own. A test that meets its limit ends the servers of all. */
const [lanes, limitMs] = [4, 300_000]

/**
 * Tests that look at each state of a lane, with and without JavaScript. Neighbours take turns, for those of a page take
 * about the same time.
 */
export const lookAtStates = (lane: 1 | 2 | 3 | 4) => {
  const own = states.filter((_, at) => at % lanes === lane - 1)
  const stages = useStages()
  const openState = (isScripted: boolean) => {
    const [width = 0] = widths
    return stages.open({ width, height: heightAt(width), isScripted })
  }

  test.each(own.filter(({ isPlain }) => !isPlain).map((state) => [state.name, state] as const))(
    '%s: nothing sticks out, overlaps or lies under something from 320 to 1280 px, nothing moves at start, and axe is content',
    async (_, state) => {
      const { stage, problems } = await openState(true)
      const { page } = stage
      await holdScripts(page)
      await state.show(stage)
      const isHuge = huge.has(state.name)
      const moved = state.isUnfolded ? [] : await lookAt(page).shifts()
      // Megabytes of text keep axe busy for minutes.
      const violations = isHuge ? [] : await violationsIn(page)
      expect([
        ...moved,
        ...violations,
        ...(await faultsOf(page, isHuge ? ends : widths, isHuge)),
        ...problems,
      ]).toEqual([])
    },
    limitMs,
  )

  test.each(own.filter(({ needsScript }) => !needsScript).map((state) => [state.name, state] as const))(
    '%s: the same without JavaScript',
    async (_, state) => {
      const { stage, problems } = await openState(false)
      await state.show(stage)
      expect([...(await faultsOf(stage.page, ends, huge.has(state.name))), ...problems]).toEqual([])
    },
    limitMs,
  )
}

import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { repository } from '../process.ts'

const axe = await Bun.file(join(repository, 'node_modules/axe-core/axe.min.js')).text()

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

/** All rules; no more than what is reported here is worked out, which takes half of the time. */
const quick = { resultTypes: ['violations'], selectors: false, preload: false }

/** Rules about colours alone. */
export const colourRules = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** Of a long list both ends are looked at: what is between them is as they are. */
const between = 'li:nth-child(n + 9):nth-last-child(n + 9)'

/** What axe-core finds, in words. The policy allows no added script, so it is evaluated. */
export const violationsOf = async (page: Page, within = 'html', rules = {}) => {
  // Half a megabyte: sent once to each page. Its own value would be sent back.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(`(() => {${axe}})(), 0`)
  const where = { include: [[within]], exclude: [[between]] }
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify(where)}, ${JSON.stringify({ ...quick, ...rules })}).then(({ violations }) => violations)`,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`,
  )
}

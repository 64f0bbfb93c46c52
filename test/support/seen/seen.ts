import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'

const build = await Bun.build({
  entrypoints: [join(import.meta.dir, 'in-page/main.ts')],
  target: 'browser',
  format: 'iife',
})
const code = (await build.outputs[0]?.text()) ?? ''

type Check = 'everything' | 'opened' | 'stickingOut' | 'popupsOutside' | 'covered' | 'overlaps' | 'shifts'

/** A page that hangs is named, long before the limit of a test ends the servers of those that follow. */
const answerMs = 60_000

/** What a person would notice at once on a page. Each function answers the faults it found, in words. */
export const lookAt = (page: Pick<Page, 'evaluate'>) => {
  // Evaluated, for the policy of the pages allows no added script.
  const look = (check: Check) => {
    const late = Bun.sleep(answerMs).then(() => Promise.reject(new Error(`no answer to ${check}`)))
    return Promise.race([page.evaluate<string[]>(`${code};seen.${check}()`), late])
  }
  return {
    /** All of the next four. */
    everything: () => look('everything'),
    /** The same with each menu and the list of shortcuts open, one after the other. */
    opened: () => look('opened'),
    /** Controls that reach out at a side, and a page that scrolls sideways. */
    stickingOut: () => look('stickingOut'),
    /** Open menus and dialogs that are not wholly in the window. */
    popupsOutside: () => look('popupsOutside'),
    /** Controls that something lies over. Scrolls the page. */
    covered: () => look('covered'),
    /** Texts and controls that are painted over each other. */
    overlaps: () => look('overlaps'),
    /** What has moved from the first paint to the first click or key. */
    shifts: () => look('shifts'),
    /** Why an error would not be noticed. @param about the field or button that it belongs to */
    errorFaults: async (error: Locator, about: Locator, farthestPx: number) => {
      await page.evaluate(code)
      const [shown, field] = await Promise.all([error.elementHandle(), about.elementHandle()])
      return page.evaluate(
        ([first, second, farthest]) =>
          (
            globalThis as unknown as { seen: { errorFaults: (...args: unknown[]) => string[] } }
          ).seen.errorFaults(first, second, farthest),
        [shown, field, farthestPx] as const,
      )
    },
  }
}

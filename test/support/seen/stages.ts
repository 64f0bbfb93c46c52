import { afterAll, afterEach, beforeAll } from 'bun:test'
import type { Browser } from 'playwright-core'
import { openTheatre, type Theatre } from '../../../scripts/look/stage.ts'
import type { Opening } from '../../../scripts/look/state.ts'
import { launchChromium } from '../browser.ts'

/** One Chromium and its servers for a block of tests. What a test opens is closed after it. */
export const useStages = () => {
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

  return {
    open: async (opening: Opening) => {
      const { stage, problems, close } = await theatre.openStage(opening)
      closing.push(close)
      stage.page.context().setDefaultTimeout(60_000)
      return { stage, problems }
    },
  }
}

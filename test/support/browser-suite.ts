import { afterAll, afterEach, beforeAll, expect } from 'bun:test'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { launchChromium, openTab } from './browser.ts'
import { withServer } from './server.ts'

type Tab = Awaited<ReturnType<typeof openTab>>
type TabOptions = BrowserContextOptions & { host?: string; otherOrigin?: string }

/**
 * One server and one Chromium for a whole block of tests. After each test its tabs are closed, and none may have
 * reported an error, a blocked file or a foreign address.
 */
export const browserSuite = (...args: string[]) => {
  const { server, client } = withServer({ args })
  let browser: Browser
  const tabs: Tab[] = []

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterEach(async () => {
    const ended = tabs.splice(0)
    for (const { close } of ended) await close()
    expect(ended.flatMap(({ problems }) => problems)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
  })

  return {
    server: () => server,
    client: () => client,
    /** The part of one of the server's own addresses that is the same at every host name. */
    local: (address = '') => address.slice(server.url.length),
    /** A new tab with storage of its own. */
    open: async ({ host = '127.0.0.1', otherOrigin, ...options }: TabOptions = {}) => {
      const origin = `http://${host}:${new URL(server.url).port}`
      const tab = await openTab(browser, origin, options, ...(otherOrigin === undefined ? [] : [otherOrigin]))
      tabs.push(tab)
      tab.page.context().setDefaultTimeout(60_000)
      return tab.page
    },
  }
}

import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openTab } from '../../test/support/browser.ts'
import { createClient } from '../../test/support/client.ts'
import { run, start, temporaryFolder } from '../../test/support/process.ts'
import type { Stage } from './state.ts'
import { createStock } from './stock.ts'
import type { Opening } from './variants.ts'

/** A key that has just used up the default rate limit. */
const usedUpKey = async (url: string, key: string) => {
  const client = createClient(url, key)
  for (;;) {
    const { status } = await client.post('/shortener', { url: 'https://example.org/' })
    if (status === 429) return key
    if (status !== 201) throw new Error(`a short link was answered ${status}`)
  }
}

/** Two servers of new data folders: one without a rate limit, and one with the default. */
const openServers = async () => {
  const data = join(temporaryFolder(), 'data')
  const { stderr, stdout } = await run(['keys', 'add', 'look', '--data', data])
  const [key = ''] = /sc_\w+/.exec(stdout + stderr) ?? []
  const [free, limited] = await Promise.all([
    start({ args: ['--rate-limit', 'off', '--log', 'off'] }),
    start({ args: ['--log', 'off'], data, env: {} }),
  ])
  return { free, limited, key }
}

/** Where states are made: servers, what they share, and a new tab for each. */
export const openTheatre = async (browser: Browser) => {
  const { free, limited, key } = await openServers()
  const client = createClient(free.url)
  const stock = createStock(client)

  /** An empty tab. `problems` fills with what the browser reports and pages must not cause. */
  const openStage = async ({ width, height, isScripted }: Opening) => {
    const tab = await openTab(
      browser,
      free.url,
      { viewport: { width, height }, javaScriptEnabled: isScripted, reducedMotion: 'reduce' },
      limited.url,
    )
    const { page, problems, close } = tab
    page.context().setDefaultTimeout(20_000)
    const open = async (path: string) => {
      await page.goto(path)
    }
    const stage: Stage = {
      page,
      isScripted,
      client,
      stock,
      open,
      keep: async (values) => {
        await open('/healthz')
        await page.evaluate(`for (const [name, value] of Object.entries(${JSON.stringify(values)}))
          localStorage.setItem('shortcrust:' + name, value)`)
      },
      openLimited: async () => {
        await open(limited.url)
        return usedUpKey(limited.url, key)
      },
    }
    return { stage, problems, close }
  }

  const close = async () => {
    await Promise.all([free.stop(), limited.stop()])
  }
  return { openStage, close }
}
export type Theatre = Awaited<ReturnType<typeof openTheatre>>

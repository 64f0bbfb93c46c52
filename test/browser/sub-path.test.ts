import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { launchChromium, openTab, requireChromium } from '../support/browser.ts'
import { hasNginx, startNginx, subPathConfig } from '../support/nginx.ts'
import { exampleLink, examplePaste, homePage } from '../support/page-objects/home.ts'
import { freePort } from '../support/ports.ts'
import { type RunningServer, start } from '../support/process.ts'

const prefix = '/paste'

describe.skipIf(!requireChromium() || !hasNginx).each([
  ['leaves the prefix on', false],
  ['takes the prefix off', true],
])('a browser at a sub-path behind a proxy that %s', (_, isStripping) => {
  const port = freePort()
  const origin = `http://127.0.0.1:${port}`
  let server: RunningServer
  let nginx: Awaited<ReturnType<typeof startNginx>>
  let chromium: Browser
  beforeAll(async () => {
    const site = origin + prefix
    server = await start({ args: ['--rate-limit', 'off', '--public-url', site, '--base-url', site] })
    nginx = await startNginx(subPathConfig(port, prefix, server.url, isStripping))
    chromium = await launchChromium()
  })
  afterAll(async () => {
    await chromium.close()
    await nginx.stop()
    await server.stop()
  })

  test.each([true, false])('creates, shows and deletes (JavaScript: %p)', async (javaScriptEnabled) => {
    const { page, problems, close } = await openTab(chromium, origin, { javaScriptEnabled })
    const home = homePage(page)
    await page.goto(prefix)
    expect(page.url()).toBe(`${origin}${prefix}/`)
    await home.create('link', exampleLink)
    expect((await home.addresses()).url).toStartWith(`${origin}${prefix}/s/`)
    await home.create('paste', examplePaste)
    if (javaScriptEnabled) await home.made.waitFor()
    else await page.locator('#result input[value*="/p/"]').waitFor()
    const { url = '', deletion = '' } = await home.addresses()
    expect(await home.isQrCodeDrawn()).toBe(true)
    await page.goto(url)
    expect(await page.locator('h1').textContent()).toBe(examplePaste.title)
    // Hidden from who has just made it.
    await Promise.all([page.waitForURL('**/p/raw/*'), page.locator('#raw').dispatchEvent('click')])
    expect(page.url()).toStartWith(`${origin}${prefix}/p/raw/`)
    await page.goto(deletion)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The paste was deleted').waitFor()
    await page.locator('.brand').click()
    expect(page.url()).toBe(`${origin}${prefix}/`)
    await close()
    expect(problems).toEqual([])
  })
})

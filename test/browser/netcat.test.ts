import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, requireChromium } from '../support/browser.ts'
import { netcatPort, sendText, withNetcat } from '../support/netcat.ts'
import { testKey } from '../support/process.ts'
import { quiet, withServer } from '../support/server.ts'

describe.skipIf(!requireChromium())('in a browser of a guest, a page of another origin', () => {
  const { server } = withServer({ args: [...quiet, ...withNetcat] })
  let chromium: Browser
  let page: Page
  let other: ReturnType<typeof Bun.serve>
  let port: number
  beforeAll(async () => {
    port = await netcatPort(server)
    const form = `<!doctype html><title>Other</title>
      <form method=post enctype=text/plain action="http://127.0.0.1:${port}/">
        <textarea name=text>a text of a page</textarea><button>Go</button></form>`
    const headers = { 'Content-Type': 'text/html' }
    other = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: () => new globalThis.Response(form, { headers }),
    })
    chromium = await launchChromium()
    page = await chromium.newPage()
  })
  afterAll(async () => {
    await chromium?.close()
    await other?.stop(true)
  })

  /** How many pastes the guest key has, once all that was sent before has been answered. */
  const pastes = async () => {
    const list = await fetch(`${server.url}/pastes`, { headers: { key: testKey } })
    return ((await list.json()) as { pastes: unknown[] }).pastes.length
  }
  const line = () => `This port takes text from netcat, not HTTP. The pages are at ${server.url}`

  test('makes no paste with a form that posts to the netcat port', async () => {
    await page.goto(other.url.href)
    await page.click('button')
    await page.waitForURL(`http://127.0.0.1:${port}/`)
    expect((await page.textContent('body'))?.trim()).toBe(line())
    expect(await pastes()).toBe(0)
  })

  test('makes no paste with fetch, and cannot read the answer', async () => {
    await page.goto(other.url.href)
    const outcomes = await page.evaluate(async (address) => {
      const body = 'a text of a page'
      const long = `/${'x'.repeat(20_000)}`
      const ask = (path: string, init: RequestInit) =>
        fetch(address + path, init).then(
          ({ type, status }) => `${type} ${status}`,
          () => 'blocked',
        )
      return [
        await ask('/', { method: 'POST', mode: 'no-cors', body }),
        await ask(long, { method: 'POST', mode: 'no-cors', body }),
        await ask('/', { method: 'POST', body }),
        await ask('/', { method: 'QUERY', body }),
      ]
    }, `http://127.0.0.1:${port}`)
    expect(outcomes).toEqual(['opaque 0', 'opaque 0', 'blocked', 'blocked'])
    expect(await pastes()).toBe(0)
  })

  test('leaves the port to netcat', async () => {
    expect(await sendText(port, 'a text of netcat')).toStartWith(server.url)
    expect(await pastes()).toBe(1)
  })

  test('is told where the pages are when somebody opens the port', async () => {
    await page.goto(`http://127.0.0.1:${port}/`)
    expect((await page.textContent('body'))?.trim()).toBe(line())
  })
})

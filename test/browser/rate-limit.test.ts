import { describe, expect, test } from 'bun:test'
import { requireChromium } from '../support/browser.ts'
import { browserSuite } from '../support/browser-suite.ts'
import { createClient } from '../support/client.ts'
import { exampleLink, examplePaste, homePage } from '../support/page-objects/home.ts'
import { run } from '../support/process.ts'

const examples = { paste: examplePaste, link: exampleLink }

describe.skipIf(!requireChromium())('too many requests', () => {
  const suite = browserSuite()
  let keys = 0

  /** A new API key that has just used up all it may. */
  const exhaustedKey = async () => {
    const { url, data } = suite.server()
    const { stdout, stderr } = await run(['keys', 'add', `key-${++keys}`, '--data', data])
    const key = /sc_\w+/.exec(stdout + stderr)?.[0] ?? ''
    const client = createClient(url, key)
    // A running server knows a new key within a second.
    for (;;) {
      const { status } = await client.post('/shortener', { url: 'https://example.org/' })
      if (status === 429) return key
      expect([401, 201]).toContain(status)
    }
  }

  test('without JavaScript say in the form when to try again, and nothing typed is lost', async () => {
    const page = await suite.open({ javaScriptEnabled: false })
    const home = homePage(page)
    await home.open()
    const answer = page.waitForResponse((response) => response.request().method() === 'POST')
    await home.create('paste', { ...examplePaste, key: await exhaustedKey() })
    expect((await answer).status()).toBe(429)
    expect(await home.error('paste').innerText()).toMatch(/Try again in \d+ s\./)
    const { key, ...kept } = examplePaste
    expect(await home.typed('paste', Object.keys(kept))).toEqual(kept)
  })

  test.each(['paste', 'link'] as const)(
    'count down in the button of the %s until it can be tried again, and nothing typed is lost',
    async (kind) => {
      const page = await suite.open()
      const home = homePage(page)
      const fields = { ...examples[kind], key: await exhaustedKey() }
      await page.clock.install({ time: 0 })
      await home.open()
      await page.clock.pauseAt(60_000)
      await home.create(kind, fields)
      await home.error(kind).getByText('Too many requests').waitFor()
      const secondsLeft = async () =>
        Number(/^Try again in (\d+) s$/.exec(await home.submitButton(kind).innerText())?.[1])
      const before = await secondsLeft()
      expect(before).toBeWithin(1, 16)
      await page.clock.runFor((before - 1) * 1000)
      expect(await secondsLeft()).toBe(1)
      expect(await home.submitButton(kind).isDisabled()).toBe(true)
      await page.clock.runFor(1000)
      expect(await home.error(kind).count()).toBe(0)
      expect(await home.submitButton(kind).isEnabled()).toBe(true)
      expect(await home.submitButton(kind).innerText()).toBe(kind === 'paste' ? 'Create paste' : 'Shorten')
      expect(await home.typed(kind, Object.keys(fields))).toEqual(fields)
    },
  )
})

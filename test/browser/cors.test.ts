import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { launchChromium, requireChromium } from '../support/browser.ts'
import { examplePaste } from '../support/client.ts'
import { testKey } from '../support/process.ts'
import { withServer } from '../support/server.ts'

describe.skipIf(!requireChromium())('in a browser, a page of another origin', () => {
  const { server, client } = withServer()
  let chromium: Browser
  let page: Page
  let other: ReturnType<typeof Bun.serve>
  beforeAll(async () => {
    const headers = { 'Content-Type': 'text/html' }
    const html = () => new globalThis.Response('<!doctype html><title>Other</title>', { headers })
    other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => html() })
    chromium = await launchChromium()
    page = await chromium.newPage()
    await page.goto(other.url.href)
  })
  afterAll(async () => {
    await chromium?.close()
    await other?.stop(true)
  })

  type Sent = { method?: string; headers?: Record<string, string>; body?: string }

  /** What `fetch` gives to a script of that page. */
  const fetchThere = (address: string, init: Sent = {}, header = 'Location') =>
    page.evaluate(
      ([address, init, header]) =>
        fetch(address, init).then(
          async (response) => ({
            status: response.status,
            text: await response.text(),
            header: response.headers.get(header),
          }),
          () => 'blocked' as const,
        ),
      [address, init, header] as const,
    )
  const answerOf = async (...call: Parameters<typeof fetchThere>) => {
    const answer = await fetchThere(...call)
    if (answer === 'blocked') throw new Error(`${call[0]} was blocked`)
    return answer
  }

  test('creates a paste with its key, reads it and deletes it', async () => {
    const headers = { key: testKey, 'Content-Type': 'application/json' }
    const body = JSON.stringify(examplePaste)
    const created = await answerOf(`${server.url}/paste`, { method: 'POST', headers, body })
    const { pasteUrl, rawUrl, deletionUrl } = JSON.parse(created.text)
    expect(created).toMatchObject({ status: 201, header: pasteUrl })
    expect((await answerOf(rawUrl)).text).toBe(examplePaste.text)
    expect(
      JSON.parse((await answerOf(pasteUrl, { headers: { Accept: 'application/json' } })).text).text,
    ).toBe(examplePaste.text)
    expect((await answerOf(deletionUrl, { method: 'DELETE' })).status).toBe(200)
    expect((await answerOf(rawUrl)).status).toBe(410)
  })

  test('uploads, and learns how to delete', async () => {
    const upload = { method: 'PUT', headers: { key: testKey }, body: 'a' }
    const answer = await answerOf(`${server.url}/name.py`, upload, 'Deletion-Url')
    expect(answer.status).toBe(201)
    expect(answer.header).toStartWith(`${server.url}/paste/delete?key=`)
  })

  test('sends the key as haste clients do', async () => {
    const headers = { Authorization: `Bearer ${testKey}` }
    const { text } = await answerOf(`${server.url}/documents`, { method: 'POST', headers, body: 'a' })
    const { key } = JSON.parse(text)
    expect(JSON.parse((await answerOf(`${server.url}/documents/${key}`)).text)).toEqual({ key, data: 'a' })
  })

  test('is told what is wrong', async () => {
    const answer = await answerOf(`${server.url}/paste`, {
      method: 'POST',
      headers: { key: 'wrong' },
      body: '{}',
    })
    expect(answer).toMatchObject({ status: 401, text: expect.stringMatching(/not valid/) })
  })

  test('is not shown the pages', async () => {
    const [{ pasteUrl = '' }, { shortendUrl = '' }] = [
      await client.paste(),
      await client.link(`${server.url}/`),
    ]
    for (const address of [`${server.url}/`, pasteUrl, pasteUrl.replace('/p/', '/'), shortendUrl])
      expect(await fetchThere(address)).toBe('blocked')
  })
})

import { describe, expect, test } from 'bun:test'
import { browser, expectError, expectPage } from '../support/expectations.ts'
import { type Item, idOf, json, secret, secretTarget, text, withLimited } from '../support/limited.ts'

const site = withLimited()

/** Every way to look at a burn-after-reading paste without reading it. */
const looksAtPaste = (item: Item): [string, Record<string, string>][] => [
  [item.pasteUrl ?? '', browser],
  [item.pasteUrl ?? '', {}],
  [`${item.pasteUrl}?lang=rust`, browser],
  [item.pasteUrl ?? '', json],
  [item.pasteUrl ?? '', text],
  [item.pasteUrl ?? '', { ...browser, 'If-None-Match': '*' }],
  [item.rawUrl ?? '', {}],
  [item.rawUrl ?? '', browser],
  [item.rawUrl ?? '', { 'If-None-Match': '*', Range: 'bytes=0-5' }],
  [`/documents/${idOf(item)}`, {}],
  [`/raw/${idOf(item)}.py`, {}],
  [`/${idOf(item)}`, {}],
  [`/share/${idOf(item)}`, browser],
  [`/qr/p/${idOf(item)}`, {}],
  [item.deletionUrl ?? '', browser],
]
const looksAtLink = ({ shortendUrl = '', deletionUrl = '' }: Item): [string, Record<string, string>][] => [
  [shortendUrl, browser],
  [shortendUrl, {}],
  [shortendUrl, json],
  [`${shortendUrl}+`, browser],
  [`${shortendUrl}+`, {}],
  [`/qr/s/${shortendUrl.slice(-7)}`, {}],
  [deletionUrl, browser],
]

const bots = [
  'Slackbot-LinkExpanding 1.0',
  'Twitterbot/1.0',
  'facebookexternalhit/1.1',
  'TelegramBot (like TwitterBot)',
]

const allOf = async (response: Response) => {
  const headers = JSON.stringify([...response.headers])
  return `${headers}\n${await response.text()}`
}

describe('looking at a burn-after-reading item', () => {
  test.each(['GET', 'HEAD'])(
    'by %s shows nothing of it, is kept nowhere, and never counts',
    async (method) => {
      const [paste, link] = [await site.paste(), await site.link()]
      for (const [address, headers] of [...looksAtPaste(paste), ...looksAtLink(link)])
        for (const agent of bots) {
          const response = await site.get(address, { ...headers, 'User-Agent': agent }, method)
          expect(response.status, address).toBeOneOf([200, 302, 403])
          expect(response.headers.get('Cache-Control')).toMatch(/no-store$/)
          expect(response.headers.get('ETag')).toBeNull()
          expect(await allOf(response), address).not.toMatch(/secret|python/i)
        }
      expect(await (await site.send(paste.rawUrl)).text()).toBe(secret.text)
      expect((await site.send(link.shortendUrl)).headers.get('Location')).toBe(secretTarget)
    },
  )

  test.each([
    [1, 'This paste can be read once', 'Show it and delete it', 'once and deletes it'],
    [2, 'This paste can be read 2 times', 'Show it', 'and takes one of the 2 reads, for everybody'],
    [1_000_000, 'This paste can be read 1,000,000 times', 'Show it', 'of the 1,000,000 reads'],
  ])(
    'of %i reads tells a browser how many are left, and has one button that POSTs',
    async (reads, says, button, use) => {
      const html = await expectPage(await site.get((await site.paste(reads)).pasteUrl, browser))
      const [main = ''] = /<main>.*<\/main>/s.exec(html) ?? []
      expect(main).toContain(`<h1>${says}.</h1>`)
      expect(main).toContain('Opening this page is safe. Pressing the button shows the text ')
      expect(main).toContain(use)
      expect(main.match(/<form[^>]*>/g)).toEqual(['<form method="post">'])
      expect(main.match(/<button/g)).toHaveLength(1)
      expect(main).toContain(`>${button}</button>`)
      expect(main).not.toMatch(/<script|<input|<a /)
      expect(html).toContain(`<title>${says} · Shortcrust</title>`)
      expect(html).not.toContain('og:')
    },
  )

  test('of a link has the same page as its preview, whose button follows', async () => {
    const { shortendUrl = '' } = await site.link(3)
    const pages = [`${shortendUrl}`, `${shortendUrl}+`].map(async (address) =>
      expectPage(await site.get(address, browser)),
    )
    const [page, preview] = await Promise.all(pages)
    expect(preview).toBe(page)
    expect(page).toContain(`<form method="post" action="${shortendUrl.slice(-7)}">`)
    expect(page).toContain('This short link can be followed 3 times.')
  })

  test('tells programs what to send: 403', async () => {
    const item = await site.paste()
    const how = new RegExp(`Send POST to /p/raw/${idOf(item)} to read it`)
    for (const [address, headers] of looksAtPaste(item).filter(
      ([, headers]) => 'Accept' in headers === false,
    ))
      if (/raw|documents/.test(address)) await expectError(await site.get(address, headers), 403, how)
    for (const headers of [json, text]) await expectError(await site.get(item.pasteUrl, headers), 403, how)
    await expectPage(await site.get(item.rawUrl, browser), 403)
    const { shortendUrl = '' } = await site.link()
    await expectError(
      await site.get(shortendUrl),
      403,
      new RegExp(`Send POST to /s/${shortendUrl.slice(-7)} to follow`),
    )
  })

  test('names it on its deletion page by nothing but its kind', async () => {
    const { deletionUrl } = await site.paste()
    const html = await expectPage(await site.get(deletionUrl, browser))
    expect(html).toContain('>A burn-after-reading paste<')
    expect(html).not.toMatch(/ bytes|Plain text|python|\d reads/i)
    const link = await site.link()
    expect(await expectPage(await site.get(link.deletionUrl, browser))).toContain(
      '>A burn-after-reading short link<',
    )
    expect((await site.get(deletionUrl, {}, 'DELETE')).status).toBe(200)
    await expectError(
      await site.send(
        (await site.paste()).pasteUrl?.replace(/.$/, (last) => (last === '2' ? '3' : '2')),
        json,
      ),
      404,
    )
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { replaceInvisible } from '../../src/highlight/show-text.ts'
import { launchChromium, openTab, requireChromium } from '../support/browser.ts'
import { withServer } from '../support/server.ts'
import { untilMade } from '../support/until.ts'
import { asParsed, asTitle } from '../support/views.ts'
import { xssPayloads } from '../support/xss.ts'

/** Texts of six payloads each: one page for each payload would take a minute. */
const texts = Array.from({ length: Math.ceil(xssPayloads.length / 6) }, (_, at) =>
  xssPayloads.slice(6 * at, 6 * at + 6).join('\n'),
)
const languages = ['text', 'html', 'javascript', 'markdown', 'vue', 'php', 'xml', 'ansi', 'log']

// With the policy switched off a payload that is not escaped does run, so all are tried; with it on none may even be
// blocked, which a third of them shows.
const tabs = {
  'with the security policy': { options: {}, tried: texts.filter((_, at) => at % 3 === 0) },
  'without the security policy': { options: { bypassCSP: true }, tried: texts },
}

describe.skipIf(!requireChromium())('hostile text in a browser', () => {
  const { server, client } = withServer({ args: ['--rate-limit', 'off'] })
  let browser: Browser
  const local = (address = '') => address.slice(server.url.length)

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  test('would be noticed if it ran', async () => {
    const { page, problems, close } = await openTab(browser, server.url, { bypassCSP: true })
    await page.goto('/')
    let noticed = 0
    for (const payload of xssPayloads) {
      await page.setContent(`<title>${payload}</title><p title="${payload}">${payload}</p>`)
      await page.evaluate('new Promise(requestAnimationFrame)')
      if (problems.splice(0).some((problem) => problem.startsWith('XSS ran'))) noticed++
    }
    expect(noticed).toBeGreaterThan(30)
    await close()
  })

  describe.each(Object.entries(tabs))('%s', (_, { options, tried }) => {
    test('is shown as text, letter for letter, in title, description and code, and runs nothing', async () => {
      const { page, problems, close } = await openTab(browser, server.url, options)
      const textOf = (selector: string) => page.locator(selector).textContent()
      for (const [at, text] of tried.entries()) {
        const fields = { title: text, description: text, text, language: languages[at % languages.length] }
        const { pasteUrl, rawUrl, deletionUrl } = await client.paste(fields)
        await page.goto(`${local(pasteUrl)}?view=text`)
        expect(await textOf('#code')).toBe(text.replaceAll('\0', '␀'))
        const shown = asParsed(text)
        // NUL is shown as its symbol, and CR is kept.
        const words = [await textOf('h1'), await textOf('p.description, .description p')]
        expect(words.map((word) => asParsed((word ?? '').replaceAll('␀', '')))).toEqual([shown, shown])
        const title = `${asTitle(replaceInvisible(text))} · Shortcrust`
          .replace(/[ \t\r\n]+/g, ' ')
          .replace(/^ /, '')
        expect(await page.title()).toBe(title)
        await page.goto(local(deletionUrl))
        expect(await textOf('.target')).toBe(shown)
        await page.goto(local(rawUrl))
        expect(await page.evaluate('document.contentType')).toBe('text/plain')
        expect(problems).toEqual([])
      }
      await close()
    })

    test('as a language to read in, and in a fragment, runs nothing', async () => {
      const { page, problems, close } = await openTab(browser, server.url, options)
      const path = local((await client.paste()).pasteUrl)
      for (const text of tried) {
        await page.goto(`${path}?lang=${encodeURIComponent(text)}`)
        expect(await page.locator('#unknown-language').isVisible()).toBe(true)
        await page.goto(`${path}#L1-L2${encodeURIComponent(text)}`)
        expect(await page.locator('#code li').count()).toBe(1)
        expect(problems).toEqual([])
      }
      await close()
    })

    test('as a word to find runs nothing, where it is found in a log and where it is not', async () => {
      const { page, problems, close } = await openTab(browser, server.url, options)
      const words = tried.flatMap((text) => text.split(/[\r\n]+/)).filter((word) => word.trim() !== '')
      const [text, language] = [words.map((word) => `ERROR ${word}`).join('\n'), 'log']
      const paths = [await client.paste({ text, language }), await client.paste({ text: 'a', language })]
      for (const { pasteUrl = '' } of paths)
        for (const word of words) {
          const query = `?level=info&grep=${encodeURIComponent(word)}`
          await untilMade(pasteUrl + query)
          await page.goto(local(pasteUrl) + query)
          expect(await page.getByRole('searchbox').inputValue()).toBe(
            // In an attribute, a parser replaces NUL.
            asParsed(word.replaceAll('\0', '\ufffd')),
          )
          expect(problems).toEqual([])
        }
      await close()
    })

    test('in an address runs nothing, on the pages of links and of errors', async () => {
      const { page, problems, close } = await openTab(browser, server.url, options)
      for (const text of tried) {
        const inAddress = text.replace(/[\s\p{Cc}]/gu, '/')
        const target = `https://example.org/${inAddress}?${inAddress}#${inAddress}`
        const { shortendUrl, deletionUrl } = await client.link(target)
        const encoded = encodeURIComponent(text)
        const links = [`${local(shortendUrl)}+`, local(deletionUrl)]
        const errors = [`/p/${encoded}`, `/s/${encoded}`, `/paste/delete?key=${encoded}`, `/${encoded}`]
        for (const path of [...links, ...errors]) {
          await page.goto(path)
          expect(await page.locator('h1').count()).toBe(1)
          expect(problems).toEqual([])
        }
      }
      await close()
    })
  })
})

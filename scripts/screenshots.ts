// Makes the pictures of the README anew: `bun scripts/screenshots.ts`, with Chromium from the distribution.
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { createClient } from '../test/support/client.ts'
import { homePage } from '../test/support/page-objects/home.ts'
import { repository, start, testKey } from '../test/support/process.ts'

const folder = join(repository, 'docs/screenshots')
const size = { width: 1280, height: 720 }

const sample = await Bun.file(join(repository, 'src/services/rate-limiter.ts')).text()
const log = [
  '\x1b[1mnpm test\x1b[0m',
  '\x1b[32m✓\x1b[0m the token bucket \x1b[2maccepts no more than 3 in any 15 seconds\x1b[0m',
  '\x1b[32m✓\x1b[0m the store \x1b[2mdoes what a map in memory would\x1b[0m',
  '\x1b[33m!\x1b[0m strace is missing; install it with: apt-get install strace',
  '\x1b[31m✗\x1b[0m one that fails, to show red',
].join('\n')

const pathOf = (address = '') => new URL(address).pathname

const shoot = async (
  browser: Browser,
  url: string,
  name: string,
  colorScheme: 'light' | 'dark',
  key?: string,
) => {
  const page = await browser.newPage({ viewport: size, colorScheme })
  await page.goto(url)
  if (key) {
    const home = homePage(page)
    await home.create('paste', { text: sample, title: 'rate-limiter.ts', language: 'typescript', key })
    await home.addresses()
    await home.fill('paste', { text: sample, title: 'rate-limiter.ts', language: 'typescript' })
    await page.evaluate('scrollTo(0, 0); document.activeElement.blur()')
  }
  await page.waitForLoadState('networkidle')
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.close()
}

const server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
const client = createClient(server.url)
const code = await client.paste({
  text: sample,
  title: 'rate-limiter.ts',
  description: 'Each token comes back 15 seconds after it was taken.',
})
const ansi = await client.paste({ text: log, title: 'Build log', description: '', language: 'ansi' })
const link = await client.link('https://example.org/a/long/address?with=query')

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
await shoot(browser, `${server.url}${pathOf(code.pasteUrl)}#L5-L9`, 'paste', 'light')
await shoot(browser, server.url + pathOf(ansi.pasteUrl), 'log', 'dark')
await shoot(browser, server.url, 'start', 'light')
await shoot(browser, server.url, 'created', 'dark', testKey)
await shoot(browser, `${server.url}${pathOf(link.shortendUrl)}+`, 'preview', 'dark')
await browser.close()
await server.stop()

// Makes the pictures of the README anew: `bun scripts/screenshots.ts`, with Chromium from the distribution.
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { createClient } from '../test/support/client.ts'
import { repository, start, testKey } from '../test/support/process.ts'

const folder = join(repository, 'docs/screenshots')
const size = { width: 1100, height: 720 }

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
    await page.fill('#paste-form [name=text]', sample)
    await page.fill('#paste-form [name=title]', 'rate-limiter.ts')
    await page.fill('#paste-form [name=language]', 'typescript')
    await page.fill('#paste-form [name=key]', key)
    await page.click('#paste-form button[type=submit]')
    await page.waitForSelector('#result img')
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
await shoot(browser, `${server.url}${pathOf(code.pasteUrl)}#L28-L33`, 'paste', 'light')
await shoot(browser, server.url + pathOf(ansi.pasteUrl), 'log', 'dark')
await shoot(browser, server.url, 'created', 'light', testKey)
await shoot(browser, `${server.url}${pathOf(link.shortendUrl)}+`, 'preview', 'dark')
await browser.close()
await server.stop()

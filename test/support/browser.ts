import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from 'playwright-core'
import { observeHead } from './observed.ts'

/** Without the windows of a desktop browser, which take two thirds of the time of a new tab, where it is installed. */
const executablePath =
  process.env.SHORTCRUST_CHROMIUM ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path)) ??
  ''

/** Whether the tests can run; where Chromium is missing they are skipped with a line, and with `CI=true` fail. */
export const requireChromium = () => {
  if (existsSync(executablePath)) return true
  const hint = 'Chromium is missing; install it with: apt-get install chromium-headless-shell'
  if (process.env.CI === 'true') throw new Error(hint)
  console.warn(`skipped: ${hint}`)
  return false
}

/** A Chromium that talks to nobody but the server under test; the LAN name `nas` is this machine. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: join(import.meta.dir, 'chromium.sh'),
    env: { ...process.env, SHORTCRUST_CHROMIUM: executablePath },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP nas 127.0.0.1',
    ],
  })

/** Runs before every page's own code: an injected script would call `__xss`. */
const watchdog = `
  globalThis.__xss = (what) => console.error('XSS ran', what)
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    console.error('CSP violated', violatedDirective, blockedURI, sample))
`

/** What the pages that create and change ask for; a refusal is an answer, not a fault of the page. */
const isApi = (url: string) =>
  /^\/(?:(?:paste|shortener)(?:\/delete)?|key(?:\/(?:pastes|links))?|(?:pastes|links)(?:\/[\w-]+(?:\/versions(?:\/\d+)?)?)?)$/.test(
    URL.parse(url)?.pathname ?? '',
  )

/**
 * Chromium reports an answer of 4xx, and one that a test holds back, as if a file were missing. Beside a raw text, which names
 * no icon, it looks for `/favicon.ico` where the policy is switched off.
 */
const isStatusOf = (page: Page, message: ConsoleMessage) => {
  const { url } = message.location()
  const isExpected = url === page.url() || new URL('/favicon.ico', page.url()).href === url || isApi(url)
  return (
    isExpected && /^Failed to load resource: (?:.* status of 4\d\d|net::ERR_FAILED$)/.test(message.text())
  )
}

/**
 * A tab that remembers everything that should not happen in it.
 * @param otherOrigins where links may lead to
 */
export const openTab = async (
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
  ...otherOrigins: readonly string[]
) => {
  const context = await browser.newContext({ baseURL: origin, ...options })
  await context.addInitScript(watchdog)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isStatusOf(page, message))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('popup', () => problems.push('a window was opened'))
  page.on('dialog', (dialog) => {
    // The question whether to leave what was typed: tests go on to the next page.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    problems.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  page.on('response', (response) =>
    observeHead(response.request().method(), response.url(), response.status(), response.headers()),
  )
  page.on('request', (request) => {
    if (![origin, ...otherOrigins].includes(new URL(request.url()).origin))
      problems.push(`asked for ${request.url()}`)
  })
  return { page, problems, close: () => context.close() }
}

import { existsSync } from 'node:fs'
import puppeteer, { type Page } from 'puppeteer-core'

const executablePath = process.env.SHORTCRUST_FIREFOX ?? '/usr/bin/firefox-esr'

/** Whether the tests can run; where Firefox is missing they are skipped with a line, and with `CI=true` fail. */
export const requireFirefox = () => {
  if (existsSync(executablePath)) return true
  const hint = 'Firefox is missing; install it with: apt-get install firefox-esr'
  if (process.env.CI === 'true') throw new Error(hint)
  console.warn(`skipped: ${hint}`)
  return false
}

/** The Firefox of the distribution, for which the LAN name `nas` is this machine. */
export const launchFirefox = () =>
  puppeteer.launch({
    browser: 'firefox',
    executablePath,
    extraPrefsFirefox: { 'network.dns.localDomains': 'nas' },
    protocolTimeout: 120_000,
    timeout: 120_000,
  })

/** What a page reports from now on. */
export const watchProblems = (page: Page) => {
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  return problems
}

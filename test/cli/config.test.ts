import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { commandHelp } from '../../src/cli/help.ts'
import { settings } from '../../src/settings/config.ts'
import { protocolNames } from '../../src/settings/values.ts'
import { configOf, problemsOf } from '../support/config.ts'

describe('a setting', () => {
  const files = { '/run/port': '3\n' }
  const file = { SHORTCRUST_PORT_FILE: '/run/port' }
  const env = { SHORTCRUST_PORT: '2' }
  const flags = { port: '1' }

  test('is taken from the flag before the variable before its file before the default', () => {
    expect(configOf({ flags, env, files }).port).toBe(1)
    expect(configOf({ flags, env: file, files }).port).toBe(1)
    expect(configOf({ env, files }).port).toBe(2)
    expect(configOf({ env: file, files }).port).toBe(3)
    expect(configOf({ files }).port).toBe(8080)
  })

  test('has the default that its table names', () => {
    expect(configOf({})).toEqual({
      host: '0.0.0.0',
      port: 8080,
      dataFolder: './data',
      store: undefined,
      allowNetworkFolder: false,
      baseUrl: undefined,
      publicUrl: undefined,
      trustedProxies: undefined,
      guestFrom: undefined,
      guestKey: undefined,
      userHeader: undefined,
      rateLimit: { requests: 3, seconds: 15 },
      maxPasteBytes: 1_048_576,
      keepVersions: 10,
      defaultExpiryMs: undefined,
      maxExpiryMs: undefined,
      name: undefined,
      accent: undefined,
      footer: undefined,
      logFormat: 'text',
      accessLog: false,
      metrics: undefined,
      netcat: undefined,
      protocols: new Set(protocolNames),
      apiKey: undefined,
    })
  })

  test('has one flag and one variable that no other has, and no flag where it is secret', () => {
    const all = Object.values(settings)
    expect(new Set(all.map(({ variable }) => variable)).size).toBe(all.length)
    expect(new Set(all.map(({ flag }) => flag)).size).toBe(all.length)
    expect(settings.apiKey.flag).toBeUndefined()
    expect(problemsOf({ flags: { undefined: 'short' } })).toEqual([])
  })
})

describe('a file of a variable', () => {
  test('may end in a newline', () => {
    const files = { '/run/key': 'a-key-of-enough-letters\r\n' }
    expect(configOf({ env: { SHORTCRUST_API_KEY_FILE: '/run/key' }, files }).apiKey).toBe(
      'a-key-of-enough-letters',
    )
  })

  test('beside its variable is a problem', () => {
    for (const { variable } of Object.values(settings))
      expect(problemsOf({ env: { [variable]: '', [`${variable}_FILE`]: '/run/any' } })).toContain(
        `${variable} and ${variable}_FILE are both set: keep one`,
      )
  })

  test('that cannot be read is a problem that names it and says why', () => {
    for (const { variable } of Object.values(settings))
      expect(problemsOf({ env: { [`${variable}_FILE`]: '/run/none' } })).toEqual([
        `${variable}_FILE: cannot read /run/none (ENOENT)`,
      ])
  })

  test('that holds a bad value is a problem of NAME_FILE', () => {
    const files = { '/run/log': 'loud' }
    expect(problemsOf({ env: { SHORTCRUST_LOG_FILE: '/run/log' }, files })).toEqual([
      'SHORTCRUST_LOG_FILE: expected text, json or off, not "loud"',
    ])
  })
})

describe('the problems', () => {
  test('are told all at once, one line each, in the order of the table', () => {
    const env = Object.fromEntries(Object.values(settings).map(({ variable }) => [variable, ' ']))
    const problems = problemsOf({ env })
    expect(problems.map((line) => line.split(':')[0])).toEqual(
      Object.values(settings).map(({ variable }) => variable),
    )
  })

  test('never repeat a secret, wherever it came from', () => {
    const tooShort = fc.stringMatching(/^[!-~]{6,15}$/)
    fc.assert(
      fc.property(tooShort, (secret) => {
        const fromVariable = problemsOf({ env: { SHORTCRUST_API_KEY: secret } })
        const env = { SHORTCRUST_API_KEY_FILE: '/run/key' }
        const fromFile = problemsOf({ env, files: { '/run/key': secret } })
        const both = problemsOf({ env: { ...env, SHORTCRUST_API_KEY: secret } })
        for (const problems of [fromVariable, fromFile, both]) expect(problems).toHaveLength(1)
        const lines = [fromVariable, fromFile, both].join('\n')
        fc.pre(!'expected at least 16 visible ASCII characters SHORTCRUST_API_KEY_FILE'.includes(secret))
        expect(lines).not.toContain(secret)
      }),
    )
  })
})

test('serve --help lists every setting with its flag, variable, words and default', () => {
  const text = commandHelp('serve')
    .replace(/\n {4,}/g, ' ')
    .replace(/ {2,}/g, ' ')
  for (const { flag, variable, isBare, doc, default: standard } of Object.values(settings)) {
    const head = flag ? `--${flag}${isBare ? '' : ' VALUE'}` : variable
    const words = `${doc}${standard && !isBare ? ` (${standard})` : ''}`
    expect(text).toContain(`\n ${head} ${words}${flag ? ` [${variable}]` : ''}\n`)
  }
})

describe('a rate of more requests than a database counts', () => {
  const problem = '--rate-limit has more than 1000 requests, the most with --store: give it a shorter period'
  const given = (rate: string, store: string) => problemsOf({ flags: { 'rate-limit': rate, store } })

  test('is a problem with --store alone', () => {
    expect(given('1001/1h', 'postgres://db/shortcrust')).toEqual([problem])
    expect(given('1001/1h', '')).toEqual([])
    for (const rate of ['1000/1h', 'off']) expect(given(rate, 'postgres://db/shortcrust')).toEqual([])
  })
})

describe('a default lifetime', () => {
  const problem = '--default-expiry is above --max-expiry: lower the one or raise the other'
  const given = (standard: string, most: string) =>
    problemsOf({ flags: { 'default-expiry': standard, 'max-expiry': most } })

  test('above the maximum is a problem, whichever unit each is written in', () => {
    expect(given('8d', '1w')).toEqual([problem])
    expect(given('604801s', '1w')).toEqual([problem])
  })

  test.each([
    ['7d', '1w'],
    ['1s', '1w'],
    ['', '1w'],
    ['1w', ''],
    ['', ''],
  ])('of "%s" goes with a maximum of "%s"', (standard, most) => {
    expect(given(standard, most)).toEqual([])
  })
})

test('a log of requests needs a log', () => {
  const problem = '--access-log on needs a log: set --log to text or json'
  expect(problemsOf({ flags: { 'access-log': 'on', log: 'off' } })).toEqual([problem])
  expect(problemsOf({ flags: { 'access-log': 'on', log: 'json' } })).toEqual([])
})

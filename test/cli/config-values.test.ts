import { describe, expect, test } from 'bun:test'
import { isListed } from '../../src/ip-address.ts'
import { compileCheck } from '../../src/items/field.ts'
import { KeyFile } from '../../src/items/schema.ts'
import { type Config, settings } from '../../src/settings/config.ts'
import { parseRate, protocolNames, rateText } from '../../src/settings/values.ts'
import { configOf, type Given, problemsOf } from '../support/config.ts'

const names = Object.keys(settings) as (keyof Config)[]

const address = 'an http:// or https:// address without query'
const rate = 'REQUESTS/PERIOD in s, m or h such as 3/15s, or off'
const size = 'a size from 1 to 64MiB such as 512KiB or 1MiB'
const port = 'a number from 0 to 65535'
const listenAddress = 'an address and a port such as 127.0.0.1:9090 or [::1]:9090'

/** Nothing to see, each alone: joiners, fillers of Hangul, a Braille cell without dots, an accent without a letter. */
const blanks = ['\u200d', '\u200c\u200d', '\u3164', '\u2800 \u2800', '\ufe0f', '\u034f', '\u0301']

const lifetime = {
  expected: 'a duration from 1s to 3650d such as 10m, 2h, 7d or 4w',
  bad: [' ', '0s', '10', '-1d', '1.5h', '1y', '3651d', '315360001s', `${'9'.repeat(400)}s`],
  good: [
    ['', undefined],
    ['1s', 1000],
    ['4w', 2_419_200_000],
    ['3650d', 315_360_000_000],
    ['315360000s', 315_360_000_000],
  ] satisfies [string, unknown][],
}

/** For each setting what it expects, values it refuses, and values it takes with what they become. */
const cases: {
  [K in keyof Config]: {
    expected: string
    bad: string[]
    good: [string, unknown][]
    /** Variables without which the good values do not stand. */
    beside?: Record<string, string>
  }
} = {
  host: {
    expected: 'an address to listen on',
    bad: ['', ' ', ' ::1', 'a\nb'],
    good: [
      ['127.0.0.1', '127.0.0.1'],
      ['::', '::'],
    ],
  },
  port: {
    expected: port,
    bad: ['', '-1', '65536', '80.5', '0x50', '8080 ', 'http', '1e3', '٣'],
    good: [
      ['0', 0],
      ['65535', 65_535],
    ],
  },
  dataFolder: { expected: 'a folder', bad: ['', ' data', 'a\nb'], good: [['/var/my data', '/var/my data']] },
  store: {
    expected: 'postgres://USER:PASSWORD@HOST:PORT/NAME',
    bad: ['nas', 'mysql://nas/db', 'postgres://', 'postgres://nas', 'postgres://nas/', 'http://nas/db'],
    good: [
      ['', undefined],
      ['postgres://ann:pw@nas:5433/db', 'postgres://ann:pw@nas:5433/db'],
      ['postgresql://nas/db?sslmode=verify-full', 'postgresql://nas/db?sslmode=verify-full'],
    ],
  },
  baseUrl: {
    expected: address,
    bad: ['nas', 'ftp://nas', 'http://', 'http://nas/?a', 'http://nas/#a', 'http://me@nas', 'javascript:1'],
    good: [
      ['', undefined],
      ['https://NAS.local/sub//', 'https://nas.local/sub'],
    ],
  },
  publicUrl: {
    expected: address,
    bad: ['//nas', 'nas:80', 'http:nas', 'http://:pw@nas'],
    good: [
      ['', undefined],
      ['http://nas:80', 'http://nas'],
    ],
  },
  trustedProxies: {
    expected: 'comma-separated addresses or CIDRs',
    bad: ['nas', '10.0.0.0/33', '::/129', '10.0.0.1/', '10.0.0.1/8/8', '10.0.0.1,,::1', '10.0.0', '::1/x'],
    good: [['', undefined]],
  },
  guestFrom: {
    expected: 'comma-separated addresses or CIDRs',
    bad: ['lan', '192.168.0.0/33', 'fd00::/129', '192.168.0.0/16;fd00::/8'],
    good: [['', undefined]],
  },
  guestKey: {
    expected: 'the name of a key: 1 to 64 of the characters A-Z a-z 0-9 . _ -',
    bad: ['user:bob', ' guests', 'my guests', 'a'.repeat(65), 'gäste', 'a/b'],
    good: [['guests', 'guests']],
    beside: { SHORTCRUST_GUEST_FROM: '10.0.0.0/8' },
  },
  userHeader: {
    expected: 'a header that says only the user, such as Remote-User',
    bad: [
      'Remote User',
      'Remote-User:',
      'Usér',
      'a'.repeat(65),
      ...['key', 'Authorization', 'Cookie', 'Host', 'Origin', 'X-Forwarded-For', 'Accept', 'Sec-Fetch-Site'],
    ],
    good: [
      ['Remote-User', 'remote-user'],
      ['X-authentik-username', 'x-authentik-username'],
      ['X-Forwarded-User', 'x-forwarded-user'],
    ],
    beside: { SHORTCRUST_TRUST_PROXY: '127.0.0.1' },
  },
  rateLimit: {
    expected: rate,
    bad: [
      '',
      'on',
      '0/15s',
      '3/0s',
      '3/15',
      '3',
      '-1/1s',
      '3.5/1s',
      '3/15d',
      '3/15S',
      '3/1m30s',
      '3/ 1m',
      '3/m',
      '3/01m',
      '3/100000s',
      '1234567/1s',
      'OFF',
    ],
    good: [
      ['off', 'off'],
      ['100/60s', { requests: 100, seconds: 60 }],
      ['10/1m', { requests: 10, seconds: 60 }],
      ['1/2h', { requests: 1, seconds: 7200 }],
      ['999999/99999h', { requests: 999_999, seconds: 359_996_400 }],
    ],
  },
  defaultExpiryMs: lifetime,
  maxExpiryMs: lifetime,
  keepVersions: {
    expected: 'a number from 0 to 100',
    bad: ['', '101', '-1', '1.5', 'all', ' 3'],
    good: [
      ['0', 0],
      ['100', 100],
    ],
  },
  maxPasteBytes: {
    expected: size,
    bad: ['', '0', '0KiB', '1MB', '1 MiB', '65MiB', '67108865', '1.5MiB', '-1', '1GiB', '999999999'],
    good: [
      ['1', 1],
      ['512B', 512],
      ['2KiB', 2048],
      ['64MiB', 67_108_864],
    ],
  },
  logFormat: {
    expected: 'text, json or off',
    bad: ['', 'TEXT', 'yes', 'textjson'],
    good: [
      ['text', 'text'],
      ['json', 'json'],
      ['off', 'off'],
    ],
  },
  allowNetworkFolder: {
    expected: 'on or off',
    bad: ['', 'yes', '1'],
    good: [
      ['on', true],
      ['off', false],
    ],
  },
  accessLog: {
    expected: 'on or off',
    bad: ['', 'yes', 'ON', '1'],
    good: [
      ['on', true],
      ['off', false],
    ],
  },
  metrics: {
    expected: listenAddress,
    bad: [
      '9090',
      ':9090',
      '127.0.0.1',
      '127.0.0.1:65536',
      '::1:9090',
      '[1.2]:9090',
      'http://nas:9090',
      'a b:1',
    ],
    good: [
      ['', undefined],
      ['127.0.0.1:9090', { host: '127.0.0.1', port: 9090 }],
      ['[::1]:0', { host: '::1', port: 0 }],
    ],
  },
  name: {
    expected: '1 to 40 visible characters',
    bad: [' ', 'a\nb', 'a\tb', '\u202eevil', 'a\u200fb', 'a\u2028b', 'x'.repeat(41), '\ud800', ...blanks],
    good: [
      ['', undefined],
      [' Notes & <b>"bold"</b> ', 'Notes & <b>"bold"</b>'],
      ['پیسټ‌ونه', 'پیسټ‌ونه'],
      ['⠓⠊', '⠓⠊'],
      ['❤️', '❤️'],
      ['-', '-'],
      ['👩‍👧'.repeat(13), '👩‍👧'.repeat(13)],
      ['x'.repeat(40), 'x'.repeat(40)],
    ],
  },
  accent: {
    expected:
      'an opaque colour: a name such as teal, #0b6e99, rgb(), hsl(), hwb(), ' +
      'or lab(), lch(), oklab(), oklch() with the lightness in percent',
    bad: [
      ' ',
      '#12345',
      '0b6e99',
      'inherit',
      'transparent',
      '#0b6e9980',
      'rgb(1 2 3 / 50%)',
      'red;}',
      'red blue',
      'var(--ink)',
      'currentColor',
      'color(srgb 1 0 0)',
      'oklch(0.7 0.1 200)',
    ],
    good: [
      ['', undefined],
      ['#0B6E99', '#0b6e99'],
      ['#fff', '#ffffff'],
      ['teal', '#008080'],
      ['RED', '#ff0000'],
      ['RebeccaPurple', '#663399'],
      ['HSL(120 50% 50%)', '#40bf40'],
      ['hwb(120 10% 10%)', '#1ae61a'],
      ['lab(50% 40 20)', '#b95857'],
      ['lch(50% 40 20)', '#b45b62'],
      ['oklab(50% 0 0)', '#636363'],
      ['oklch(70% 0.1 200)', '#40b1b7'],
      ['rgb(255 0 128)', '#ff0080'],
    ],
  },
  footer: {
    expected: 'one line of at most 200 visible characters, with at most one complete address in it',
    bad: [
      ...[' ', 'a\nb', '\u202e', 'x'.repeat(201), 'http://a.example or https://b.example'],
      ...['see https://me:pw@nas.example/', 'see https://[nas', 'mailto:ada', 'mailto:a@b@c'],
    ],
    good: [
      ['', undefined],
      ['javascript:alert(1)', { before: 'javascript:alert(1)', after: '' }],
      ['<a href="ftp://nas">', { before: '<a href="ftp://nas">', after: '' }],
      [
        'Run by Ada (https://Example.org/ada?a=b&c).',
        {
          before: 'Run by Ada (',
          link: { address: 'https://example.org/ada?a=b&c', words: 'Example.org/ada?a=b&c' },
          after: ').',
        },
      ],
      [
        'Questions? mailto:ada@example.org!',
        {
          before: 'Questions? ',
          link: { address: 'mailto:ada@example.org', words: 'ada@example.org' },
          after: '!',
        },
      ],
    ],
  },
  netcat: {
    expected: listenAddress,
    bad: ['9999', 'nas', '0.0.0.0:99999'],
    good: [
      ['', undefined],
      ['0.0.0.0:9999', { host: '0.0.0.0', port: 9999 }],
    ],
    beside: { SHORTCRUST_GUEST_FROM: '10.0.0.0/8', SHORTCRUST_GUEST_KEY: 'guests' },
  },
  protocols: {
    expected: `all, none, or some of ${[...protocolNames, 'yourls-get'].join(', ')}, with commas between them`,
    bad: ['', 'hast', 'haste;shlink', 'all,none', 'haste,'],
    good: [
      ['all', new Set(protocolNames)],
      ['none', new Set()],
      ['haste', new Set(['haste'])],
      ['all,yourls-get', new Set([...protocolNames, 'yourls-get'])],
    ],
  },
  apiKey: {
    expected: 'at least 16 visible ASCII characters',
    bad: ['fifteen-letters', 'with a space in it', 'schlüssel-mit-umlaut', 'sixteen-letters-\n'],
    good: [
      ['', undefined],
      ['sixteen-letters-', 'sixteen-letters-'],
    ],
  },
}

describe.each(names)('the setting %s', (name) => {
  const { flag, variable, isBare } = settings[name]
  const { expected, bad, good, beside } = cases[name]
  const sources = (raw: string): [string, Given][] => [
    ...(flag === undefined || isBare ? [] : [[`--${flag}`, { flags: { [flag]: raw } }] as [string, Given]]),
    [variable, { env: { [variable]: raw } }],
  ]

  test('takes its good values from each source', () => {
    for (const [raw, value] of good)
      for (const [source, given] of sources(raw))
        expect(configOf({ ...given, env: { ...given.env, ...beside } })[name], source).toEqual(value as never)
  })

  test('answers a bad value with one line that says where it stood and what is expected', () => {
    for (const raw of bad)
      for (const [source, given] of sources(raw)) {
        // Who the user is, and the password, stay out of what is printed.
        const withoutUser = raw.replace(/\/\/.*@/, '//…@')
        const shown = flag === undefined ? '' : `, not "${withoutUser}"`
        expect(problemsOf(given), raw).toEqual([`${source}: expected ${expected}${shown}`])
      }
  })
})

describe('a rate', () => {
  test.each(['10/1m', '3/15s', '3/90s', '1/2h', '7/61m', '1/1s', '999999/99999h'])(
    'is shown as %s',
    (text) => {
      expect(rateText(parseRate(text))).toBe(text)
    },
  )

  test.each([
    ['1/60s', '1/1m'],
    ['1/60m', '1/1h'],
    ['1/7200s', '1/2h'],
  ])('typed as %s is shown as %s', (typed, shown) => {
    expect(rateText(parseRate(typed))).toBe(shown)
  })

  test('that can be typed can be stored with a key', () => {
    const { problem } = compileCheck(KeyFile)
    for (const text of ['1/1s', '999999/99999h']) {
      const key = { name: 'a', createdAt: 1, sha256: 'a'.repeat(64), rate: parseRate(text) }
      expect(problem({ keys: [key] })).toBeUndefined()
    }
  })

  test('of a key is never off', () => {
    expect(() => parseRate('off')).toThrow('REQUESTS/PERIOD in s, m or h such as 10/1m')
  })
})

describe('a trusted proxy', () => {
  test('is an address or one within a CIDR, of either family', () => {
    const list = configOf({
      env: { SHORTCRUST_TRUST_PROXY: '10.0.0.0/8, 192.168.1.5,fd00::/8,::1' },
    }).trustedProxies
    for (const [ip, isTrusted] of [
      ['10.255.0.1', true],
      ['11.0.0.1', false],
      ['192.168.1.5', true],
      ['192.168.1.6', false],
      ['fd12::1', true],
      ['::1', true],
      ['::2', false],
    ] as const)
      expect(list && isListed(list, ip), ip).toBe(isTrusted)
  })
})

describe('settings for those without a key', () => {
  test('need each other, and one line says so', () => {
    expect(problemsOf({ flags: { 'guest-from': '10.0.0.0/8' } })).toEqual([
      '--guest-from needs --guest-key NAME, the key that counts for guests; make it with: shortcrust keys add NAME',
    ])
    expect(problemsOf({ flags: { 'guest-key': 'guests' } })).toEqual([
      '--guest-key needs --guest-from CIDRS, the addresses of guests, such as 192.168.0.0/16',
    ])
    expect(problemsOf({ flags: { netcat: '0.0.0.0:9999' } })).toEqual([
      '--netcat needs --guest-from CIDRS, the addresses that may send without a key, such as 192.168.0.0/16',
    ])
    expect(problemsOf({ flags: { 'user-header': 'Remote-User' } })).toEqual([
      '--user-header needs --trust-proxy ADDRESSES: from anybody else the header is not believed',
    ])
  })

  test.each(['guest-from', 'trust-proxy'])(
    'have no zone in --%s, because it would not be checked',
    (flag) => {
      const problems = problemsOf({ flags: { [flag]: '10.0.0.1,fe80::1%eth0' } })
      expect(problems).toEqual([expect.stringMatching(/without a zone such as %eth0/)])
    },
  )

  test('never print a key that was given in the place of its name', () => {
    const key = `sc_${'x1'.repeat(16)}`
    const [problem = ''] = problemsOf({ flags: { 'guest-key': key } })
    expect(problem).toBe('--guest-key: expected the name of a key, not the key itself, not "sc_…"')
  })
})

describe('settings that need each other', () => {
  test.each([
    ['--guest-from', '192.168.0.0/33', { 'guest-key': 'g', netcat: '0.0.0.0:9999' }],
    ['--guest-key', 'my guests', { 'guest-from': '10.0.0.0/8' }],
    ['--trust-proxy', 'nas', { 'user-header': 'Remote-User' }],
    ['--user-header', 'Remote User', { 'trust-proxy': '10.0.0.1' }],
    ['--log', 'loud', { 'access-log': 'on' }],
    ['--max-expiry', '1y', { 'default-expiry': '1d' }],
  ])('are not called missing where %s is wrong', (flag, value, others) => {
    const problems = problemsOf({ flags: { [flag.slice(2)]: value, ...others } })
    expect(problems).toEqual([expect.stringMatching(new RegExp(`^${flag}: expected .*, not "${value}"$`))])
  })

  test('that are right are compared beside one that is wrong', () => {
    const problems = problemsOf({ flags: { port: 'http', 'guest-key': 'g' } })
    expect(problems).toEqual([expect.stringMatching(/^--port/), expect.stringMatching(/^--guest-key needs/)])
  })
})

describe('an address of the service', () => {
  test('may lie at any path but /qr, where both ways of sending a path on would be routes', () => {
    const expected = 'expected an address whose path is not /qr, not "http://nas/qr/"'
    expect(problemsOf({ flags: { 'public-url': 'http://nas/qr/' } })).toEqual([`--public-url: ${expected}`])
    expect(problemsOf({ flags: { 'base-url': 'http://nas/qr/' } })).toEqual([`--base-url: ${expected}`])
    for (const path of ['paste', 'p', 's', 'qrs', 'a/qr'])
      expect(problemsOf({ flags: { 'public-url': `http://nas/${path}` } })).toEqual([])
  })
})

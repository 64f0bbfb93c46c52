import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { AppError } from '../../src/errors.ts'
import { compileCheck } from '../../src/items/field.ts'
import { LinkBody } from '../../src/items/link.ts'
import { isExpired } from '../../src/services/items.ts'
import {
  createLifetimes,
  type ExpiryLimits,
  lifetimeChoices,
  lifetimeText,
} from '../../src/services/options.ts'

const second = 1000
const day = 86_400 * second
const tenYears = 3650 * day
const open = { defaultMs: undefined, maxMs: undefined }

/** What becomes of `expiresIn`: milliseconds, `undefined` for ever, or the message of a refusal. */
const lifetime = (expiresIn: unknown, limits: ExpiryLimits = open) => {
  try {
    return createLifetimes(limits)(expiresIn)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'invalid') throw error
    return error.message
  }
}
const refused = expect.stringContaining('Field "expiresIn" must be a lifetime from 1 second to 10 years')

describe('a lifetime', () => {
  test.each([
    [1, second],
    [1.0, second],
    [600, 600 * second],
    ['1', second],
    ['0600', 600 * second],
    ['30s', 30 * second],
    ['10m', 600 * second],
    ['2h', 7200 * second],
    ['7d', 7 * day],
    ['4w', 28 * day],
    [315_360_000, tenYears],
    ['315360000', tenYears],
    ['3650d', tenYears],
    ['521w', 3647 * day],
  ])('%j is %i ms', (expiresIn, ms) => {
    expect(lifetime(expiresIn)).toBe(ms)
  })

  const unreadable = [0, -1, -0, 1.5, 0.999, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 315_360_001]
  const texts = ['', ' ', '0', '0s', '-1', '1.5', '1.5h', '1y', '10M', '10 m', ' 10m', '1h30m', '1e3', 'NaN']
  const long = ['315360001', '315360001s', '3651d', '522w', '9'.repeat(400), `${'9'.repeat(400)}w`]
  const others: unknown[] = [null, true, [], ['10m'], {}, { valueOf: () => 10 }]
  test.each([...unreadable, ...texts, ...long, ...others].map((value) => [value]))(
    '%j is refused with what is expected',
    (expiresIn) => {
      expect(lifetime(expiresIn)).toEqual(refused)
    },
  )

  test('that is not named is for ever, or what the settings say', () => {
    expect(lifetime(undefined)).toBeUndefined()
    expect(lifetime(undefined, { defaultMs: day, maxMs: undefined })).toBe(day)
    expect(lifetime(undefined, { defaultMs: day, maxMs: 7 * day })).toBe(day)
    expect(lifetime(undefined, { defaultMs: undefined, maxMs: 7 * day })).toBe(7 * day)
  })

  test('may be the maximum but not a second more, and the refusal names the maximum', () => {
    const limits = { defaultMs: day, maxMs: 7 * day }
    expect(lifetime('1w', limits)).toBe(7 * day)
    expect(lifetime(604_801, limits)).toBe('Field "expiresIn" is above the maximum of this server, 1 week')
  })

  test('above the default is taken where no maximum is set', () => {
    expect(lifetime('3650d', { defaultMs: day, maxMs: undefined })).toBe(tenYears)
  })

  test('that is taken is whole seconds within bounds, whatever was sent, and fits the described body', () => {
    const check = compileCheck(LinkBody)
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.integer(), fc.stringMatching(/^\d{1,10}[smhdw]?$/)), (any) => {
        fc.pre(any !== undefined)
        const ms = lifetime(any)
        if (typeof ms === 'string') return
        expect(ms).toBeWithin(second, tenYears + 1)
        expect(Number(ms) % second).toBe(0)
        expect(check.problem({ url: 'http://nas/', expiresIn: any })).toBeUndefined()
      }),
    )
  })
})

describe('an item', () => {
  const at = (time: number) => () => time
  const never = () => {
    throw new Error('the clock was asked')
  }

  test('has expired at the very instant, and not a millisecond before', () => {
    expect(isExpired({ expiresAt: 1000 }, at(999))).toBe(false)
    expect(isExpired({ expiresAt: 1000 }, at(1000))).toBe(true)
    expect(isExpired({ expiresAt: 1000 }, at(1001))).toBe(true)
  })

  test('without an expiry costs no look at the clock', () => {
    expect(isExpired({}, never)).toBe(false)
  })
})

test.each([
  [second, '1 second'],
  [90 * second, '90 seconds'],
  [60 * second, '1 minute'],
  [day, '1 day'],
  [14 * day, '2 weeks'],
  [tenYears, '3650 days'],
])('%i ms is in words %s', (ms, text) => {
  expect(lifetimeText(ms)).toBe(text)
})

describe('the forms', () => {
  const labels = (limits: ExpiryLimits) => lifetimeChoices(limits).map(({ label }) => label)
  const all = ['10 minutes', '1 hour', '1 day', '1 week', '4 weeks', '1 year'].map((text) => `after ${text}`)

  test('offer lifetimes up to the maximum, and first what happens without a choice', () => {
    expect(labels(open)).toEqual(['Never', ...all])
    expect(labels({ defaultMs: 7 * day, maxMs: undefined })).toEqual([
      'after 1 week (default)',
      ...all.filter((label) => label !== 'after 1 week'),
    ])
    expect(labels({ defaultMs: undefined, maxMs: 2 * day })).toEqual([
      'after 2 days (default)',
      ...all.slice(0, 3),
    ])
    expect(labels({ defaultMs: second, maxMs: second })).toEqual(['after 1 second (default)'])
  })

  test.each([open, { defaultMs: day, maxMs: 9 * day }, { defaultMs: undefined, maxMs: second }])(
    'offer nothing that %j refuses',
    (limits) => {
      for (const { value } of lifetimeChoices(limits))
        expect(lifetime(value || undefined, limits), value).not.toBeString()
    },
  )
})

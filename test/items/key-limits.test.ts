import { describe, expect, test } from 'bun:test'
import { AppError } from '../../src/errors.ts'
import { isKeyExpired, isScope, parseLifetime, requireScope } from '../../src/services/keys.ts'

describe('the lifetime of a key', () => {
  test.each([
    ['1s', 1000],
    ['90d', 7_776_000_000],
    ['3650d', 315_360_000_000],
    ['315360000s', 315_360_000_000],
    ['521w', 315_100_800_000],
  ])('may be %s', (text, milliseconds) => {
    expect(parseLifetime(text)).toBe(milliseconds)
  })

  test.each(['0s', '3651d', '315360001s', '522w', '90', 'never', ''])('may not be %j', (text) => {
    expect(parseLifetime(text)).toBeUndefined()
  })
})

describe('a key is expired', () => {
  test.each([
    [999, false],
    [1000, true],
    [1001, true],
  ])('at %i, where it expires at 1000: %p', (now, expected) => {
    expect(isKeyExpired({ expiresAt: 1000 }, now)).toBe(expected)
  })

  test('never where it has no expiry', () => {
    expect(isKeyExpired({}, Number.MAX_SAFE_INTEGER)).toBe(false)
  })
})

describe('a scope', () => {
  test('is paste or shorten, and nothing that every object has', () => {
    expect(['paste', 'shorten', 'Paste', 'pastes', '', 'constructor', 'toString'].filter(isScope)).toEqual([
      'paste',
      'shorten',
    ])
  })

  const outcome = (only: 'paste' | 'shorten' | undefined, scope: 'paste' | 'shorten') => {
    try {
      requireScope(only === undefined ? {} : { only }, scope)
      return 'allowed'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return `${error.kind}: ${error.message}`
    }
  }
  const onlyPastes = 'forbidden: This API key may create pastes only; use a key that may create short links'
  const onlyLinks = 'forbidden: This API key may create short links only; use a key that may create pastes'

  test.each([
    [undefined, 'paste', 'allowed'],
    [undefined, 'shorten', 'allowed'],
    ['paste', 'paste', 'allowed'],
    ['shorten', 'shorten', 'allowed'],
    ['paste', 'shorten', onlyPastes],
    ['shorten', 'paste', onlyLinks],
  ] as const)('of a key, %p, asked for %p: %s', (only, scope, expected) => {
    expect(outcome(only, scope)).toBe(expected)
  })
})

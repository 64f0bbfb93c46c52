import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  asSentence,
  countText,
  dateFacts,
  expiryFacts,
  formatLines,
  formatVisits,
  sizeText,
} from '../../src/format.ts'

describe('a moment', () => {
  test.each([
    [Date.UTC(2024, 1, 29, 12, 30, 0, 5), '2024-02-29T12:30:00.005Z', '29 Feb 2024, 12:30 UTC'],
    [Date.UTC(2026, 8, 1, 0, 0, 59), '2026-09-01T00:00:59.000Z', '1 Sep 2026, 00:00 UTC'],
    [0, '1970-01-01T00:00:00.000Z', '1 Jan 1970, 00:00 UTC'],
  ])('%d is %s, and %s for people', (time, createdAt, createdAtText) => {
    expect(dateFacts({ createdAt: time })).toEqual({ createdAt, createdAtText })
    expect(expiryFacts({ expiresAt: time })).toEqual({ expiresAt: createdAt, expiresAtText: createdAtText })
  })

  test('is not told of an item that never expires', () => {
    expect(expiryFacts({})).toEqual({})
  })
})

describe('a count', () => {
  test('is written as English writes it', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (count) => {
        expect(countText(count)).toBe(count.toLocaleString('en'))
      }),
    )
  })

  test('of one is a word of its own', () => {
    expect([0, 1, 2, 1234].map(formatVisits)).toEqual([
      'No visits yet',
      '1 visit',
      '2 visits',
      '1,234 visits',
    ])
    expect([1, 2, 1_234_567].map(formatLines)).toEqual(['1 line', '2 lines', '1,234,567 lines'])
  })
})

describe('a size', () => {
  test.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1,000 bytes'],
    [1023, '1,023 bytes'],
    [1024, '1 KiB'],
    [1536, '1.5 KiB'],
    [10_239, '9.9 KiB'],
    [12_500, '12 KiB'],
    [1_000_000, '976 KiB'],
    [1_048_575, '1,023 KiB'],
    [1_048_576, '1 MiB'],
    [1_600_000, '1.5 MiB'],
    [64 * 1024 ** 2, '64 MiB'],
    [1024 ** 3 - 1, '1,023 MiB'],
    [3.46 * 1024 ** 4, '3.4 TiB'],
    [5000 * 1024 ** 4, '5,000 TiB'],
  ])('of %d bytes is %s', (bytes, shown) => {
    expect(sizeText(bytes)).toBe(shown)
  })

  test('is never said to be larger than it is, nor smaller by more than a tenth', () => {
    const factors: Readonly<Record<string, number>> = {
      KiB: 1024,
      MiB: 1024 ** 2,
      GiB: 1024 ** 3,
      TiB: 1024 ** 4,
    }
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (bytes) => {
        const [amount = '', unit = ''] = sizeText(bytes).replaceAll(',', '').split(' ')
        const said = Number(amount) * (factors[unit] ?? 1)
        expect(said).toBeLessThanOrEqual(bytes)
        expect(said).toBeGreaterThanOrEqual(bytes * 0.9)
      }),
    )
  })
})

describe('an error', () => {
  test.each([
    ['This paste has expired', 'This paste has expired.'],
    ['Storage failed. Try again later.', 'Storage failed. Try again later.'],
    ['Did you mean http://nas?', 'Did you mean http://nas?'],
  ])('is a sentence: %s', (message, shown) => {
    expect(asSentence(message)).toBe(shown)
  })

  test.each([
    'The pages are at http://nas/',
    'make one with: shortcrust keys add NAME',
    'type: sudo chown -R 5 /data',
  ])('has no full stop that would be copied with an address or a command: %s', (message) => {
    expect(asSentence(message)).toBe(message)
  })
})

import { describe, expect, test } from 'bun:test'
import { parseDuration } from '../../src/items/durations.ts'

describe('a duration', () => {
  test.each([
    ['1s', 1000],
    ['30s', 30_000],
    ['10m', 600_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['90d', 7_776_000_000],
    ['4w', 2_419_200_000],
    ['315360000s', 315_360_000_000],
    ['9007199254740s', 9_007_199_254_740_000],
    ['14892855w', 9_007_198_704_000_000],
  ])('%s is %i milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds)
  })

  test.each(['', '0s', '00m', '0w', '01m', '-1m', '+1m', '1.5h', '1e3s', '0x1s', '１m', '१m'])(
    'is not written as %j: it is a whole number above zero',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  test.each(['10', 's', '10 m', ' 10m', '10m ', '10m\n', '1h30m', '10M', '10ms', '1y', '10min', 'forever'])(
    'is not written as %j: it ends with one unit of s m h d w',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  test.each(['9007199254741s', '14892856w', '9'.repeat(16).concat('s'), '9'.repeat(400).concat('s')])(
    'is not as long as %s: no integer holds its milliseconds exactly',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )
})

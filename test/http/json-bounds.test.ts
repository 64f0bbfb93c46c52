import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { brokenBound } from '../../src/http/body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const [anyDepth, anyCommas] = [{ depth: Number.POSITIVE_INFINITY }, { commas: Number.POSITIVE_INFINITY }]

/** How deep a value is, by looking at the parsed value. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

/** How many values stand behind another one. */
const commasOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return Math.max(0, inner.length - 1) + inner.reduce((sum: number, one) => sum + commasOf(one), 0)
}

describe('the bounds of JSON', () => {
  test('are those of the parsed value, whatever stands in its texts', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 8 }), (json, most) => {
        const value = JSON.parse(json)
        expect(brokenBound({ depth: most, ...anyCommas }, bytes(json))).toBe(
          depthOf(value) > most ? 'depth' : undefined,
        )
        // A key that stands twice is parsed once.
        const plain = JSON.stringify(value)
        expect(brokenBound({ ...anyDepth, commas: most }, bytes(plain))).toBe(
          commasOf(value) > most ? 'commas' : undefined,
        )
      }),
    )
  })

  const bounds = { depth: 64, commas: 100 }

  test.each([
    ['64 arrays', '['.repeat(64) + ']'.repeat(64), undefined],
    ['65 arrays', '['.repeat(65) + ']'.repeat(65), 'depth'],
    ['65 objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'depth'],
    ['101 arrays beside each other', `[${'[],'.repeat(100)}[]]`, undefined],
    ['102 arrays beside each other', `[${'[],'.repeat(101)}[]]`, 'commas'],
    ['brackets and commas in a text', `{"text":"${'[,'.repeat(200)}"}`, undefined],
    ['brackets behind an escaped quote', `{"text":"\\"${'['.repeat(100)}"}`, undefined],
    ['brackets behind a text that ends in a backslash', `["\\\\",${'['.repeat(64)}`, 'depth'],
    ['brackets that nobody closes', '['.repeat(100), 'depth'],
  ] as const)('are found in %s', (_, json, broken) => {
    expect(brokenBound(bounds, bytes(json))).toBe(broken)
  })
})

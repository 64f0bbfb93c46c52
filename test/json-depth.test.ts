import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isDeeperThan } from '../src/routes/json-depth.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

/** How deep a value is, by looking at the parsed value. */
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe('the depth of JSON', () => {
  test('is that of the parsed value, whatever stands in its texts', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 8 }), (json, levels) => {
        expect(isDeeperThan(levels, bytes(json))).toBe(depthOf(JSON.parse(json)) > levels)
      }),
    )
  })

  test.each([
    ['64 arrays', '['.repeat(64) + ']'.repeat(64), false],
    ['65 arrays', '['.repeat(65) + ']'.repeat(65), true],
    ['65 objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, true],
    ['many arrays beside each other', `[${'[],'.repeat(1000)}[]]`, false],
    ['brackets in a text', `{"text":"${'['.repeat(100)}"}`, false],
    ['brackets behind an escaped quote', `{"text":"\\"${'['.repeat(100)}"}`, false],
    ['brackets behind a text that ends in a backslash', `["\\\\",${'['.repeat(64)}`, true],
    ['brackets that nobody closes', '['.repeat(100), true],
  ])('of %s is measured against 64 levels', (_, json, isDeeper) => {
    expect(isDeeperThan(64, bytes(json))).toBe(isDeeper)
  })
})

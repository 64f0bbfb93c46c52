import { describe, expect, test } from 'bun:test'
import { countedFindings, findSecrets, linesText, sumText, sumUp } from '../../src/mask/mask.ts'

describe('what was found, in words', () => {
  test.each([
    ['line 3', [3]],
    ['lines 3 and 9', [3, 9]],
    ['lines 1, 2, 3, 4 and 5', [1, 2, 3, 4, 5]],
    ['lines 1, 2, 3, 4, 5 and 1 more', [1, 2, 3, 4, 5, 6]],
    ['lines 1, 2, 3, 4, 5 and 2,000 more', Array.from({ length: 2005 }, (_, at) => at + 1)],
  ])('says %s', (expected, lines) => {
    expect(linesText(lines)).toBe(expected)
  })

  test.each([
    ['ip', 1, '1 private address'],
    ['mac', 2, '2 MAC addresses'],
    ['cookie', 1200, '1,200 session cookies'],
  ])('counts %s', (kind, count, expected) => {
    expect(countedFindings(kind, count)).toBe(expected)
  })

  test('counts each value once, and names secrets before what is personal', () => {
    const text = '10.1.2.3 10.1.2.3\n10.1.2.4\nPASSWORD=swordfish'
    expect(sumUp(findSecrets(text)).map(sumText)).toEqual([
      '1 password (line 3)',
      '2 private addresses (lines 1 and 2)',
    ])
  })
})

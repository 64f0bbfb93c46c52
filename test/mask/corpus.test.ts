import { describe, expect, test } from 'bun:test'
import { corpusOf, isFoundIn, recallOf } from '../../scripts/mask/corpus.ts'
import { findSecrets, maskKinds } from '../../src/mask/mask.ts'

const seeds = [1, 2, 3, 4, 5]

describe('the corpus of secrets', () => {
  test.each(seeds)(
    'of seed %d has 200 of them, of 25 kinds at least, all of which the table knows',
    (seed) => {
      const corpus = corpusOf(seed)
      expect(corpus.length).toBeGreaterThanOrEqual(200)
      const found = new Set(corpus.map(({ kind }) => kind))
      expect(found.size).toBeGreaterThanOrEqual(25)
      expect([...found].filter((kind) => !maskKinds.includes(kind))).toEqual([])
    },
  )

  test.each(seeds)('of seed %d is found, except 5 %% at most', (seed) => {
    const { share, missed } = recallOf(corpusOf(seed))
    console.log(
      `seed ${seed}: ${(share * 100).toFixed(1)} % found, missed: ${missed.map(({ kind }) => kind).join(' ')}`,
    )
    expect(share).toBeGreaterThanOrEqual(0.95)
  })

  test('is found whatever stands around it: no finding takes more than its value', () => {
    for (const one of corpusOf(1)) {
      const finding = findSecrets(one.text).find((found) => isFoundIn(one, found))
      if (finding) expect(finding.value, one.text).toBe(one.value)
    }
  })
})

import { describe, expect, test } from 'bun:test'
import { corpusOf, isFoundIn, recallOf } from '../../scripts/mask/corpus.ts'
import { createValues } from '../../scripts/mask/secrets.ts'
import { findSecrets, mask, maskKinds } from '../../src/mask/mask.ts'

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

const { below, pick } = createValues(2026)
const corpus = corpusOf(9)
const marks = [
  '"',
  "'",
  '\\',
  '\n',
  '\r\n',
  '<ip-1>',
  '<password-2>',
  '@',
  '://',
  '=',
  ':',
  ' ',
  'é',
  '😀',
  '\0',
  '-----',
  '\x1b[36m',
  '\x1b[2K',
  '\\u001b[0m',
  '\\n',
  '\\/',
]

/** Cases, cut somewhere, with marks between them. */
const textByChance = () =>
  Array.from({ length: 1 + below(12) }, () => {
    const { text } = pick(corpus)
    const from = below(4) === 0 ? below(text.length) : 0
    return text.slice(from, below(4) === 0 ? from + below(text.length) : undefined) + pick(marks)
  }).join('')

describe('texts by chance', () => {
  test('have findings that are apart, in order, and say their line, column and value', () => {
    for (let round = 0; round < 600; round++) {
      const text = textByChance()
      let end = 0
      for (const { from, length, line, column, value } of findSecrets(text)) {
        expect(from, text).toBeGreaterThanOrEqual(end)
        end = from + length
        expect(text.slice(from, end)).toBe(value)
        const before = text.slice(0, from).split('\n')
        expect([line, column], text).toEqual([before.length, (before.at(-1) ?? '').length + 1])
      }
    }
  })

  test('lose no character: with every placeholder put back, they are what they were', () => {
    for (let round = 0; round < 600; round++) {
      const text = textByChance()
      const { text: result, masked } = mask(text, findSecrets(text))
      const back = masked.reduce(
        (left, { placeholder, value }) => left.replaceAll(placeholder, () => value),
        result,
      )
      expect(back).toBe(text)
    }
  })
})

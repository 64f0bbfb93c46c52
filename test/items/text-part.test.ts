import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { grepProblem, parseLineRange, partOf, type TextPart } from '../../src/items/text/text-part.ts'

const part = (text: string, wanted: TextPart) => [...partOf(text, wanted)].join('')

/** The lines with their ends; the end of the text starts no new one. */
const split = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

describe('a range of lines', () => {
  test.each([
    ['10', 10, 10],
    ['10-40', 10, 40],
    ['7-7', 7, 7],
    ['10-', 10, Number.POSITIVE_INFINITY],
    ['-40', 1, 40],
    ['999999999', 999_999_999, 999_999_999],
  ])('%s is from line %d to %d', (raw, first, last) => {
    expect(parseLineRange(raw)).toEqual({ first, last })
  })

  test.each([
    ...[
      '',
      '-',
      '--',
      '0',
      '0-4',
      '-0',
      '40-10',
      '010',
      '1-02',
      '1,3',
      '1-2-3',
      ' 1',
      '1 ',
      '+1',
      '1.5',
      '1e3',
    ],
    ...['1234567890', '１', 'x', '10:40', '1-\n', '-1-2'],
  ])('%j is none', (raw) => expect(parseLineRange(raw)).toBeUndefined())
})

describe('a word to search for', () => {
  test.each(['e', '.*', ' ', '\t', 'a'.repeat(200), '😀'.repeat(200)])('may be %j', (word) => {
    expect(grepProblem(word)).toBeUndefined()
  })
  test.each(['', 'a\nb', '\r', 'a'.repeat(201), '😀'.repeat(201), 'a'.repeat(1e6)])(
    'is refused with a reason: %#',
    (word) => expect(grepProblem(word)).toMatch(/^must /),
  )
})

describe('the part of a text', () => {
  test('with a word has the lines that contain it, in any case and without special characters', () => {
    const log = 'An ERROR\r\nfine\nerrors.* happen\nÄRGER\nlast error'
    expect(part(log, { grep: 'error' })).toBe('An ERROR\r\nerrors.* happen\nlast error')
    expect(part(log, { grep: 's.*' })).toBe('errors.* happen\n')
    expect(part(log, { grep: 'ärger' })).toBe('ÄRGER\n')
    expect(part(log, { grep: 'happen\\n' })).toBe('')
    expect(part('straßE\n\u212a\n', { grep: 'STRAẞe' })).toBe('straßE\n')
    expect(part('x\u212a\n', { grep: 'k' })).toBe('x\u212a\n')
  })

  test('is found where a word or a line lies across the pieces that are searched', () => {
    for (const before of [32 * 1024 - 5, 32 * 1024 - 1, 32 * 1024, 64 * 1024 + 3]) {
      const line = `${'x'.repeat(before)}wörd${'y'.repeat(70_000)}\n`
      expect(part(`first\n${line}last\n`, { grep: 'WÖRD' })).toBe(line)
    }
    const emoji = `${'x'.repeat(32 * 1024 - 1)}😀😀\n`
    expect(part(`${emoji}-\n`, { grep: '😀' })).toBe(emoji)
  })

  test('of any text is what splitting it into lines gives', () => {
    const letters = fc.constantFrom('a', 'A', 'b', '\n', '\r\n', '\r', 'é', 'É', '😀')
    const anyText = fc.array(letters, { maxLength: 60 }).map((all) => all.join(''))
    const number = fc.integer({ min: 1, max: 25 })
    fc.assert(
      fc.property(anyText, number, number, fc.constantFrom('a', 'b', 'É', 'ab', '😀'), (text, a, b, grep) => {
        const lines = { first: Math.min(a, b), last: Math.max(a, b) }
        const inRange = split(text).slice(lines.first - 1, lines.last)
        expect(part(text, { lines })).toBe(inRange.join(''))
        const has = (line: string) => line.toLowerCase().includes(grep.toLowerCase())
        expect(part(text, { lines, grep })).toBe(inRange.filter(has).join(''))
        expect(part(text, { grep })).toBe(split(text).filter(has).join(''))
      }),
      { numRuns: 2000 },
    )
  })

  test('comes in small steps, whatever the text', () => {
    const mebibyte = 1024 ** 2
    for (const [text, wanted] of [
      ['a'.repeat(mebibyte), { grep: `${'a'.repeat(199)}b` }],
      ['\n'.repeat(mebibyte), { lines: { first: mebibyte, last: mebibyte } }],
      ['a\nb\n'.repeat(mebibyte / 4), { grep: 'a' }],
    ] as const)
      expect([...partOf(text, wanted)].length).toBeGreaterThan(30)
  })
})

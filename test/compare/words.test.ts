import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { changedWords, pairLines, patchLinesOf, type Span } from '../../src/highlight/compare/words.ts'

const budget = () => ({ left: 1_000_000 })
const cut = (line: string, spans: readonly Span[]) => spans.map(([from, to]) => line.slice(from, to))
const words = (before: string, after: string) => {
  const marks = changedWords(before, after, budget())
  return [cut(before, marks.before), cut(after, marks.after)]
}

describe('the changed words of two lines', () => {
  test.each([
    ['const most = 3', 'const most = 5', ['3'], ['5']],
    ['a quick brown fox', 'a slow brown fox', ['quick'], ['slow']],
    ['one two three four five', 'one 2 3 four five', ['two three'], ['2 3']],
    ['return done', '    return done', [], ['    ']],
    ['naïve Größe', 'naive Größe', ['naïve'], ['naive']],
    ['f(a, b, c)', 'f(a, c)', ['b, '], []],
  ])('%j → %j', (before, after, removed, added) => {
    expect(words(before, after)).toEqual([removed, added])
  })

  test('are not marked in lines that have nothing to do with each other', () => {
    expect(words('import { a } from "b"', 'export const limit = 3')).toEqual([[], []])
  })

  test('are one stretch in a long line, from the first difference to the last', () => {
    const line = `${'a'.repeat(2000)}🍎${'b'.repeat(2000)}`
    expect(words(line, line.replace('🍎', '🍏'))).toEqual([['🍎'], ['🍏']])
  })

  test('leave, when they are taken away, the same text on both sides', () => {
    const anyLine = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '(', 'é', '🍎', 'word'), maxLength: 40 })
    const without = (line: string, spans: readonly Span[]) => {
      let [text, at] = ['', 0]
      for (const [from, to] of spans) {
        expect(from).toBeGreaterThanOrEqual(at)
        expect(to).toBeGreaterThan(from)
        text += line.slice(at, from)
        at = to
      }
      return (text + line.slice(at)).replaceAll(/\s/g, '')
    }
    fc.assert(
      fc.property(anyLine, anyLine, (before, after) => {
        const marks = changedWords(before, after, budget())
        if (marks.before.length + marks.after.length === 0) return
        expect(without(before, marks.before)).toBe(without(after, marks.after))
      }),
      { numRuns: 3000 },
    )
  })

  test('are no longer marked when the budget is spent', () => {
    expect(changedWords('a b c', 'a x c', { left: 0 })).toEqual({ before: [], after: [] })
  })
})

describe('the lines of a change', () => {
  test('stand beside those with the most words in common, in order', () => {
    const before = ['const most = 3', 'const message = "Too many"']
    const after = [
      'import { now } from "./clock.ts"',
      'const most = 5',
      '',
      'const message = "Too many of them"',
    ]
    expect(pairLines(before, after, budget())).toEqual([
      [0, 1],
      [1, 3],
    ])
  })

  test('stand beside each other in their order where there are too many', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`)
    expect(pairLines(lines, lines.toReversed(), budget())).toHaveLength(100)
  })
})

const kinds = (text: string) => patchLinesOf(text.split('\n')).map(({ kind }) => kind)

describe('the lines of a diff', () => {
  test('are what the heads of hunks say: a removed line may begin with two dashes', () => {
    expect(kinds('--- a\n+++ b\n@@ -1,2 +1,2 @@\n--- x\n+++ y\n z\n--- outside\n')).toEqual([
      'from',
      'to',
      'hunk',
      'del',
      'ins',
      '',
      '',
      '',
    ])
  })

  test('go on behind a note that there is no line end', () => {
    const note = '\\ No newline at end of file'
    expect(kinds(`@@ -1 +1 @@\n-a\n${note}\n+b\n${note}`)).toEqual(['hunk', 'del', '', 'ins', ''])
  })

  test('are known without heads too, by their signs', () => {
    expect(kinds('-a\n+b\n c')).toEqual(['del', 'ins', ''])
    expect(kinds('5c5\n< a\n---\n> b')).toEqual(['hunk', 'del', '', 'ins'])
  })

  test('have their changed words marked, behind the sign', () => {
    const lines = ['@@ -1 +1 @@', '-const most = 3', '+const most = 5']
    expect(patchLinesOf(lines).map(({ marks }) => marks)).toEqual([[], [[14, 15]], [[14, 15]]])
  })

  test('are as many as the text has, whatever it is', () => {
    const anyLine = fc.oneof(
      fc.constantFrom(
        '@@ -1,2 +1,2 @@',
        '@@ -0,0 +1 @@',
        '-',
        '+',
        '\\',
        ' ',
        '5c5',
        '< a',
        '> b',
        '---',
        '',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 30 }), (lines) => {
        const found = patchLinesOf(lines)
        expect(found).toHaveLength(lines.length)
        for (const [at, { marks }] of found.entries())
          for (const [from, to] of marks) {
            expect(from).toBeGreaterThan(0)
            expect(to).toBeLessThanOrEqual((lines[at] ?? '').length)
          }
      }),
      { numRuns: 1000 },
    )
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { patchLinesOf } from '../../src/highlight/compare/patch-lines.ts'

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

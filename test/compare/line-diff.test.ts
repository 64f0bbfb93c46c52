import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Comparison, compareLines } from '../../src/highlight/compare/line-diff.ts'
import { hunksOf, patchHead, patchLines } from '../../src/highlight/compare/patch.ts'
import { temporaryFolder } from '../support/process.ts'

const compare = (before: string, after: string): Comparison => {
  const comparison = compareLines(before, after)
  if (!comparison) throw new Error('given up')
  return comparison
}

const anyLines = fc
  .array(fc.constantFrom('one\n', 'two\n', 'three\n', '\n', 'crlf\r\n', '-- x\n', '\\ y\n', '\x1b[31mé\n'), {
    maxLength: 40,
  })
  .map((lines) => lines.join(''))
const anyText = fc.tuple(anyLines, fc.constantFrom('', 'no end', '\r')).map(([lines, last]) => lines + last)

/** The newer text, from the older one and the changes. */
const changed = ({ before, after, changes }: Comparison) => {
  let text = ''
  let line = 0
  for (const change of changes) {
    while (line < change.before) text += before.at(line++)
    line += change.removed
    for (let at = 0; at < change.added; at++) text += after.at(change.after + at)
  }
  while (line < before.count) text += before.at(line++)
  return text
}

const numbered = (count: number, lineOf: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => `${lineOf(at)}\n`).join('')

describe('the changes between two texts', () => {
  test('make the newer one of the older one, and there are none between equal texts', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const comparison = compare(before, after)
        expect(changed(comparison)).toBe(after)
        if (before === after) expect(comparison.changes).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  test('are the fewest: a line that moved is one removed and one added', () => {
    const { added, removed } = compare('a\nb\nc\nd\n', 'b\nc\nd\na\n')
    expect([added, removed]).toEqual([1, 1])
  })

  test('count a line whose end is missing as changed', () => {
    expect(compare('a\nb', 'a\nb\n').changes).toEqual([{ before: 1, removed: 1, after: 1, added: 1 }])
  })

  test('are found in texts without a common line, and in those of a million lines', () => {
    const other = compare(
      numbered(18_000, (at) => `a ${at}`),
      numbered(18_000, (at) => `b ${at}`),
    )
    expect([other.added, other.removed]).toEqual([18_000, 18_000])
    const long = '\n'.repeat(1_000_000)
    expect(compare(long, `${long}x\n`)).toMatchObject({ added: 1, removed: 0 })
    expect(compare('x'.repeat(1_000_000), 'y'.repeat(1_000_000))).toMatchObject({ added: 1, removed: 1 })
  })

  test('are given up for the same two texts on every machine', () => {
    const shuffled = [7919, 104_729].map((step) => numbered(20_000, (at) => String((at * step) % 20_000)))
    expect(compareLines(shuffled[0] ?? '', shuffled[1] ?? '')).toBeUndefined()
    const [before, after] = [numbered(2000, String), numbered(2000, (at) => String((at + 500) % 2000))]
    expect(compareLines(before, after, { left: 1000 })).toBeUndefined()
    expect(compareLines(before, after)).toMatchObject({ added: 500, removed: 500 })
  })
})

describe('hunks', () => {
  test('have three lines around a change, and join where these would meet', () => {
    const text = numbered(40, String)
    const changedAt = (...lines: number[]) =>
      numbered(40, (at) => (lines.includes(at) ? `changed ${at}` : String(at)))
    const placesOf = (after: string) =>
      [...hunksOf(compare(text, after))].map(({ before, beforeCount }) => [before, beforeCount])
    expect(placesOf(changedAt(10, 17))).toEqual([[7, 14]])
    expect(placesOf(changedAt(10, 18))).toEqual([
      [7, 7],
      [15, 7],
    ])
    expect(placesOf(changedAt(0, 39))).toEqual([
      [0, 4],
      [36, 4],
    ])
  })
})

describe('a patch', () => {
  test('is taken by patch, and makes the newer text to the byte', () => {
    const folder = temporaryFolder()
    const file = join(folder, 'text')
    const options = { numRuns: 60 }
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        fc.pre(before !== after && before !== '' && after !== '')
        writeFileSync(file, before)
        const head = patchHead([
          { name: 'a.txt', about: 'paste a' },
          { name: 'b.txt', about: 'paste b' },
        ])
        const patch = head + [...patchLines(compare(before, after))].join('')
        const { exitCode, stdout } = Bun.spawnSync(['patch', '--binary', '--posix', file], {
          stdin: Buffer.from(patch),
        })
        expect(exitCode, `${stdout}\n${patch}`).toBe(0)
        expect(new TextDecoder().decode(Bun.spawnSync(['cat', file]).stdout)).toBe(after)
      }),
      options,
    )
  })

  test('of equal texts is empty', () => {
    expect([...patchLines(compare('a\n', 'a\n'))]).toEqual([])
  })
})

import { describe, expect, test } from 'bun:test'
import type { DiffLook } from '../../src/highlight/compare/line-diff.ts'
import { renderComparison } from '../../src/highlight/compare/rows.ts'
import { parsePage } from '../support/html.ts'
import { xssPayloads } from '../support/xss.ts'

const htmlOf = (before: string, text: string, as: DiffLook = 'unified') =>
  renderComparison(before, { text, as }).html.join('')
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')

describe('the rows of a comparison', () => {
  test('have the numbers of both sides, signs, and marks for changed words', () => {
    expect(htmlOf('a\nconst b = 1\n', 'a\nconst b = 2\nc')).toBe(
      '<div class=rows><div data-a=1 data-b=1>a</div>' +
        '<del data-a=2><i>&minus;</i>const b = <mark>1</mark></del>' +
        '<ins data-b=2><i>+</i>const b = <mark>2</mark></ins>' +
        '<ins data-b=3><i>+</i>c <small>No line end here</small></ins></div>',
    )
  })

  test('stand beside each other where they belong together', () => {
    expect(htmlOf('const b = 1\n', 'import a\nconst b = 2\n', 'split')).toBe(
      '<div class=rows><div class=change><div class=pair><p class=none></p><ins data-b=1><i>+</i>import a</ins></div>' +
        '<div class=pair><del data-a=1><i>&minus;</i>const b = <mark>1</mark></del>' +
        '<ins data-b=2><i>+</i>const b = <mark>2</mark></ins></div></div></div>',
    )
  })

  test('have the colours of their own text, with the changed words marked within them', () => {
    const tokens = (...words: string[]) =>
      words.map((content, at) => ({ content, classes: at === 0 ? 't2' : '' }))
    const colours = [
      [tokens('a'), tokens('let', ' b = 1')],
      [tokens('a', ''), tokens('let', ' b = 2')],
    ] as const
    const rowsOf = (as: DiffLook, after: string) =>
      renderComparison('a\nlet b = 1\r\n', { text: after, as }, colours).html.join('')
    expect(rowsOf('unified', 'a\nlet b = 2\n')).toBe(
      '<div class=rows><div data-a=1 data-b=1><span class=t2>a</span></div>' +
        '<del data-a=2><i>&minus;</i><span class=t2>let</span> b = <mark>1</mark><mark><span class=x role=img ' +
        'title="U+000D carriage return" data-x=CR>&#13;</span></mark></del>' +
        '<ins data-b=2><i>+</i><span class=t2>let</span> b = <mark>2</mark></ins></div>',
    )
    expect(rowsOf('split', 'a\nlet b = 2\n').match(/<span class=t2>a/g)).toHaveLength(2)
  })

  test('tell how many unchanged lines are left out: before, between and after', () => {
    const before = lines(2000)
    const after = before.replace('line 5\n', 'five\n').replace('line 13\n', 'thirteen\n')
    const folds = [...htmlOf(before, after).matchAll(/<p class=fold>([^<]+)/g)].map(([, text]) => text)
    expect(folds).toEqual(['1 unchanged line', '1 unchanged line', '1,984 unchanged lines'])
  })

  test('are none where the texts are the same', () => {
    expect(htmlOf('a\n', 'a\n')).toBe('')
  })

  test('show CR only where some lines have it and others do not', () => {
    expect(htmlOf('a\r\nb\r\n', 'a\r\nc\r\n')).not.toContain('data-x=CR')
    expect(htmlOf('a\r\nb\r\n', 'a\r\nb\n')).toContain('data-x=CR')
  })

  test.each(['unified', 'split'] as const)('%s, are never elements of the texts', (look) => {
    const known = /^(div|del|ins|i|mark|p|small|span|html|head|body)$/
    for (const [at, payload] of xssPayloads.entries()) {
      const other = xssPayloads[(at + 1) % xssPayloads.length] ?? ''
      for (const [before, after] of [
        [payload, other],
        [`x ${payload} y`, `x ${payload} z`],
        [`${payload}\nsame\n`, `same\n${payload}\n`],
      ] as const) {
        const elements = parsePage(`<!doctype html>${htmlOf(before, after, look)}`)
        expect(elements.filter(({ name }) => !known.test(name))).toEqual([])
        for (const { attributes } of elements)
          expect(
            Object.keys(attributes).filter((name) => !/^(class|data-[abx]|role|title)$/.test(name)),
          ).toEqual([])
      }
    }
  })

  test('end with the room of a page, which the page says', () => {
    const result = renderComparison('x\n', { text: '\n'.repeat(1_000_000), as: 'unified' })
    expect(result.isPartial).toBe(true)
    expect(result.compared).toEqual({ added: 1_000_000, removed: 1 })
    const bytes = result.html.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
    expect(bytes).toBeWithin(9_000_000, 10_000_000)
    expect(Math.max(...result.html.map(({ length }) => length))).toBeLessThan(300_000)
  })
})

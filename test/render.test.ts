import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { plainPieces } from '../src/highlight/plain.ts'
import { countLines, escapeText, renderTokens, type Token } from '../src/highlight/render.ts'
import { plainHtml } from './support/highlighting.ts'
import { type Element, parseRendering } from './support/html.ts'

const visibleNul = (text: string) => text.replaceAll('\0', '␀')

const awkward = [
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '\0',
  '\t',
  ' ',
  '&',
  '<',
  '>',
  '"',
  "'",
  '&lt;',
  '&#0;',
  '<b>',
  '\ufeff',
]
const breakouts = [
  '</code></pre>',
  '</span>',
  '<script>',
  '<!--',
  ']]>',
  '<plaintext>',
  '<svg onload=x>',
  '&amp',
]
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...awkward), fc.constantFrom(...breakouts), fc.string({ unit: 'grapheme' })),
    {
      minLength: 1,
    },
  )
  .map((parts) => parts.join(''))

/** Cuts lines at random places into tokens of random looks, as a grammar would. */
const tokensOf = (lines: readonly string[], cuts: readonly number[], styles: readonly number[]): Token[][] =>
  lines.map((line) => {
    const places = [...new Set(cuts.map((cut) => cut % (line.length + 1)))].sort((a, b) => a - b)
    return [0, ...places].map((from, at) => ({
      content: line.slice(from, places[at] ?? line.length),
      color: `#00000${(styles[at] ?? 0) % 3}`,
      fontStyle: styles[at] ?? 0,
    }))
  })
const classOfColour = (colour: string) => (colour === '#000000' ? '' : `t${colour.slice(-1)}`)

const hasOnly = (attributes: Record<string, string>, name: string, value: RegExp) =>
  Object.entries(attributes).every(([attribute, text]) => attribute === name && value.test(text))

/** A list of lines, a line, or a token. */
const isPart = ({ name, attributes }: Element) =>
  (name === 'ol' && hasOnly(attributes, 'start', /^\d*1$/)) ||
  (name === 'li' && hasOnly(attributes, 'id', /^L\d+$/)) ||
  (name === 'span' && hasOnly(attributes, 'class', /^(t\d+)?( ?[ibus])*$/))

const lineIds = (elements: readonly Element[]) =>
  elements.filter(({ name }) => name === 'li').map(({ attributes }) => attributes.id)

describe('the plain rendering', () => {
  test('gives every character back, NUL as its symbol, and holds no element but lines', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { text: shown, elements } = parseRendering(plainHtml(source))
        expect(shown).toBe(visibleNul(source))
        expect(elements.filter((element) => element.name === 'span' || !isPart(element))).toEqual([])
        expect(lineIds(elements)).toEqual(Array.from({ length: countLines(source) }, (_, at) => `L${at + 1}`))
      }),
    )
  })

  test.each([
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\r\nb\r\n', 2],
    ['a\rb', 1],
    ['a\r', 1],
    ['\n', 1],
    ['\n\n\n', 3],
    ['\r\n', 1],
    ['\n\r', 2],
    ['\r\r\n', 1],
    ['a\n\n', 2],
  ])('of %j has as many lines as its reader sees: %i', (source, lines) => {
    const { text: shown, elements } = parseRendering(plainHtml(source))
    expect(shown).toBe(source)
    expect(lineIds(elements)).toHaveLength(lines)
    expect(countLines(source)).toBe(lines)
  })

  test('is exactly this', () => {
    expect(plainHtml('a<b\r\n\0 & c\r\n')).toBe(
      '<ol start=1><li id=L1>a&lt;b&#13;\n<li id=L2>␀ &amp; c&#13;\n</ol>',
    )
  })
})

describe('a large text', () => {
  const longLine = 'a<b '.repeat(50_000)
  test.each([
    ['of many lines', 'if (a < b) {\r\n'.repeat(50_000), 11],
    ['without an end of its last line', `${'x\n'.repeat(200_000)}x`, 7],
    ['with a line longer than a piece', `a\n${longLine}\nb\n`, 2],
    ['of one line', longLine, 1],
  ])('%s is rendered in pieces, which together are the whole', (_, source, count) => {
    const pieces = [...plainPieces(source)]
    // The last is the end tag.
    expect(pieces).toHaveLength(count + 1)
    const { text: shown, elements } = parseRendering(pieces.join(''))
    expect(shown).toBe(source)
    expect(lineIds(elements)).toEqual(Array.from({ length: countLines(source) }, (_, at) => `L${at + 1}`))
  })
})

describe('more than a hundred lines', () => {
  test('stand in lists of a hundred, each of which knows its first number', () => {
    const { elements } = parseRendering(plainHtml('x\n'.repeat(250)))
    const starts = elements.filter(({ name }) => name === 'ol').map(({ attributes }) => attributes.start)
    expect(starts).toEqual(['1', '101', '201'])
    expect(lineIds(elements)).toHaveLength(250)
  })
})

describe('the rendering of tokens', () => {
  const numbers = fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 6 })

  test('gives every character back wherever the tokens begin, and holds no element but lines and tokens', () => {
    fc.assert(
      fc.property(text, numbers, numbers, (source, cuts, styles) => {
        const tokens = tokensOf(source.split(/\r?\n/), cuts, styles)
        const { text: shown, elements } = parseRendering(renderTokens(source, tokens, classOfColour))
        expect(shown).toBe(visibleNul(source))
        expect(elements.filter((element) => !isPart(element))).toEqual([])
      }),
    )
  })

  test('names colours and styles by classes, and leaves ordinary text bare', () => {
    const tokens: Token[][] = [
      [
        { content: 'a', color: '#000000', fontStyle: 0 },
        { content: 'b', color: '#000001', fontStyle: -1 },
        { content: 'c', color: '#000002', fontStyle: 3 },
        { content: 'd', fontStyle: 12 },
      ],
    ]
    expect(renderTokens('abcd', tokens, classOfColour)).toBe(
      '<ol start=1><li id=L1>a<span class=t1>b</span><span class="t2 i b">c</span><span class="u s">d</span></ol>',
    )
  })
})

describe('escaping', () => {
  test('leaves no character that HTML reads, and leaves other text as it is', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect(escapeText(source)).not.toMatch(/[<>\r]|\0|&(?!(amp|lt|gt|#13);)/)
      }),
    )
    expect(escapeText('plain text')).toBe('plain text')
  })
})

import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { countLines, escapeText, renderPlain, renderTokens, type Token } from '../src/highlight/render.ts'
import { parseRendering } from './support/html.ts'

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

const allowedSpan = (kind: RegExp) => (name: string, attributes: Record<string, string>) =>
  name === 'span' &&
  Object.entries(attributes).every(
    ([attribute, value]) =>
      (attribute === 'class' && kind.test(value)) || (attribute === 'id' && /^L\d+$/.test(value)),
  )

describe('the plain rendering', () => {
  test('gives every character back, NUL as its symbol, and holds no element but lines', () => {
    const isLine = allowedSpan(/^l$/)
    fc.assert(
      fc.property(text, (source) => {
        const { text: shown, elements } = parseRendering(renderPlain(source))
        expect(shown).toBe(visibleNul(source))
        expect(elements.filter(({ name, attributes }) => !isLine(name, attributes))).toEqual([])
        expect(elements.map(({ attributes }) => attributes.id)).toEqual(
          Array.from({ length: countLines(source) }, (_, at) => `L${at + 1}`),
        )
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
    const { text: shown, elements } = parseRendering(renderPlain(source))
    expect(shown).toBe(source)
    expect(elements).toHaveLength(lines)
    expect(countLines(source)).toBe(lines)
  })

  test('is exactly this', () => {
    expect(renderPlain('a<b\r\n\0 & c\r\n')).toBe(
      '<span class="l" id="L1">a&lt;b&#13;\n</span><span class="l" id="L2">␀ &amp; c&#13;\n</span>',
    )
  })
})

describe('the rendering of tokens', () => {
  const numbers = fc.array(fc.nat({ max: 15 }), { minLength: 1, maxLength: 6 })

  test('gives every character back wherever the tokens begin, and holds no element but lines and tokens', () => {
    const isSpan = allowedSpan(/^(l|(t\d+)?( ?[ibus])*)$/)
    fc.assert(
      fc.property(text, numbers, numbers, (source, cuts, styles) => {
        const tokens = tokensOf(source.split(/\r?\n/), cuts, styles)
        const { text: shown, elements } = parseRendering(renderTokens(source, tokens, classOfColour))
        expect(shown).toBe(visibleNul(source))
        expect(elements.filter(({ name, attributes }) => !isSpan(name, attributes))).toEqual([])
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
      '<span class="l" id="L1">a<span class="t1">b</span><span class="t2 i b">c</span><span class="u s">d</span></span>',
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

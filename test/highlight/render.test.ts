import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { plainPieces, renderTokens, type Token } from '../../src/highlight/lines.ts'
import { countLines, escapeText } from '../../src/highlight/show-text.ts'
import { plainHtml } from '../support/highlighting.ts'
import { type Element, parseRendering } from '../support/html.ts'

const visibleNul = (text: string) => text.replaceAll('\0', '␀')

const awkward = ['\n', '\r\n', '\r', '\n\n', '\0', '\t', ' ', ...'& < > " \' &lt; &#0; <b> \ufeff'.split(' ')]
const breakouts = '</code></pre> </span> <script> <!-- ]]> <plaintext> <svg\tonload=x> &amp'.split(' ')
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
      classes: ['', 't1', 't2 i b'][(styles[at] ?? 0) % 3] ?? '',
    }))
  })

const hasOnly = (attributes: Record<string, string>, name: string, value: RegExp) =>
  Object.entries(attributes).every(([attribute, text]) => attribute === name && value.test(text))

/** What stands around a character that nobody would see. */
const isMark = ({ name, attributes }: Pick<Element, 'name' | 'attributes'>) =>
  name === 'span' && (attributes.class === 'x' || attributes.class === 'n')

/** What the browser skips out of sight, a list of lines, a line, or a token. */
const isPart = ({ name, attributes }: Element) =>
  (name === 'div' && Object.keys(attributes).length === 0) ||
  (name === 'ol' && hasOnly(attributes, 'start', /^\d*1$/)) ||
  (name === 'li' && hasOnly(attributes, 'id', /^L\d+$/)) ||
  (name === 'span' && hasOnly(attributes, 'class', /^(t\d+)?( ?[ibus])*$/)) ||
  isMark({ name, attributes })

const lineIds = (elements: readonly Element[]) =>
  elements.filter(({ name }) => name === 'li').map(({ attributes }) => attributes.id)

describe('the plain rendering', () => {
  test('gives every character back, NUL as its symbol, and holds no element but lines', () => {
    fc.assert(
      fc.property(text, (source) => {
        const { text: shown, elements } = parseRendering(plainHtml(source))
        expect(shown).toBe(visibleNul(source))
        expect(
          elements.filter((element) => !isPart(element) || (element.name === 'span' && !isMark(element))),
        ).toEqual([])
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
      '<div><ol start=1><li id=L1>a&lt;b&#13;\n<li id=L2>␀ &amp; c&#13;\n</ol></div>',
    )
  })
})

/** The pieces and what they tell at the end. */
const readPieces = (...input: Parameters<typeof plainPieces>) => {
  const generator = plainPieces(...input)
  const pieces: string[] = []
  for (;;) {
    const { done, value } = generator.next()
    if (done) return { pieces, html: pieces.join(''), ...value }
    pieces.push(value)
  }
}

describe('a large text', () => {
  const longLine = 'a<b '.repeat(50_000)
  test.each([
    ['of many lines', 'if (a < b) {\r\n'.repeat(50_000)],
    ['of empty lines', '\n'.repeat(200_000)],
    ['without an end of its last line', `${'x\n'.repeat(200_000)}x`],
    ['with a line longer than a piece', `a\n${longLine}\nb\n`],
    ['of one line', longLine],
    ['whose pieces end within characters', 'a😀'.repeat(100_000)],
  ])('%s is rendered in pieces, which together are the whole', (_, source) => {
    const { pieces, html, ...lines } = readPieces(source)
    const total = countLines(source)
    expect(lines).toEqual({ shown: total, total, isPartial: false })
    const { text: shown, elements } = parseRendering(html)
    expect(shown).toBe(source)
    expect(lineIds(elements)).toEqual(Array.from({ length: total }, (_, at) => `L${at + 1}`))
    // Each holds up the server for a moment: 64 Ki characters, the last of them whole, or 2,000 lines.
    for (const piece of pieces) {
      expect(piece.isWellFormed()).toBe(true)
      expect(piece.replaceAll('&lt;', '<').replace(/<[^<>]*>/g, '').length).toBeLessThanOrEqual(65_537)
      expect(piece.split('<li').length - 1).toBeLessThanOrEqual(2001)
    }
  })
})

describe('a text that has no room on the page', () => {
  test('is shown by its first whole lines', () => {
    const { pieces: _, html, ...lines } = readPieces('a < b\n'.repeat(1000), 'text', 1000)
    expect(lines).toEqual({ shown: expect.any(Number), total: 1000, isPartial: false })
    expect(Buffer.byteLength(html)).toBeWithin(950, 1010)
    const { text: shown, elements } = parseRendering(html)
    expect(shown).toBe('a < b\n'.repeat(lines.shown))
    expect(lineIds(elements)).toHaveLength(lines.shown)
  })

  test('is measured in bytes', () => {
    const { html, shown } = readPieces('жжжж\n'.repeat(1000), 'text', 1000)
    expect(shown).toBeLessThan(50)
    expect(Buffer.byteLength(html)).toBeWithin(950, 1010)
  })

  test('is shown by the beginning of a line that is longer than the page', () => {
    const source = `${'&'.repeat(1_000_000)}\nb\n`
    const { pieces: _, html, ...lines } = readPieces(source, 'text', 1_000_000)
    expect(lines).toEqual({ shown: 1, total: 2, isPartial: true })
    expect(Buffer.byteLength(html)).toBeWithin(600_000, 1_000_010)
    expect(source).toStartWith(parseRendering(html).text)
  })

  test('is shown highlighted by its first whole lines, too', () => {
    const source = 'a < b\n'.repeat(1000)
    const tokens = Array.from({ length: 1001 }, (_, at) =>
      at < 1000 ? [{ content: 'a < b', classes: 't1' }] : [],
    )
    const { html: pieces, ...lines } = renderTokens(source, tokens, { maxBytes: 1000 })
    const html = pieces.join('')
    expect(lines).toEqual({ shown: expect.any(Number), total: 1000, isPartial: false })
    expect(Buffer.byteLength(html)).toBeWithin(950, 1010)
    expect(parseRendering(html).text).toBe('a < b\n'.repeat(lines.shown))
  })

  test('has no page of more than 10 MB, highlighted or not, whatever it is', () => {
    const ends = '\n'.repeat(620_000)
    const { html: highlighted, shown } = renderTokens(ends, Array(620_001).fill([]))
    expect(shown).toBeLessThan(620_000)
    expect(Buffer.byteLength(highlighted.join(''))).toBeLessThan(9_800_100)
    for (const source of ['\n', '&\n', 'a', '&', 'ж&']) {
      const { html } = readPieces(source.repeat(Math.ceil((8 * 1024 ** 2) / source.length)))
      expect(Buffer.byteLength(html), source).toBeLessThan(9_800_100)
    }
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
        const { text: shown, elements } = parseRendering(renderTokens(source, tokens).html.join(''))
        expect(shown).toBe(visibleNul(source))
        expect(elements.filter((element) => !isPart(element))).toEqual([])
      }),
    )
  })

  test('names colours and styles by classes, and leaves ordinary text bare', () => {
    const tokens = [
      ['a', ''],
      ['b', 't1'],
      ['c', 't2 i b'],
    ].map(([content = '', classes = '']) => ({ content, classes }))
    expect(renderTokens('abc', [tokens]).html.join('')).toBe(
      '<div><ol start=1><li id=L1>a<span class=t1>b</span><span class="t2 i b">c</span></ol></div>',
    )
  })

  test('shows the beginning of a line that is longer than the page', () => {
    const source = `a\n${'&'.repeat(100_000)}\nb\n`
    const tokens = source.split('\n').map((content) => [{ content, classes: 'i' }])
    const { html, ...lines } = renderTokens(source, tokens, { maxBytes: 200_000 })
    expect(lines).toEqual({ shown: 2, total: 3, isPartial: true })
    expect(Buffer.byteLength(html.join(''))).toBeWithin(100_000, 200_010)
    expect(source).toStartWith(parseRendering(html.join('')).text)
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

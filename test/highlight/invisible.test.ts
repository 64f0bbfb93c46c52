import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { replaceInvisible, showText } from '../../src/highlight/show-text.ts'
import { plainHtml } from '../support/highlighting.ts'
import { parseRendering } from '../support/html.ts'

/** What is marked in a text, by the name that is shown and read out. */
const marksIn = (text: string) =>
  parseRendering(showText(text))
    .elements.filter(({ name }) => name === 'span')
    .map(({ attributes }) => attributes.title)

describe('a character that shows nothing', () => {
  test.each([
    ['\u202e', 'U+202E right-to-left override'],
    ['\u202a', 'U+202A left-to-right embedding'],
    ['\u202c', 'U+202C pop directional formatting'],
    ['\u2066', 'U+2066 left-to-right isolate'],
    ['\u2069', 'U+2069 pop directional isolate'],
    ['\u200e', 'U+200E left-to-right mark'],
    ['\u061c', 'U+061C Arabic letter mark'],
    ['\u200b', 'U+200B zero width space'],
    ['\u200c', 'U+200C zero width non-joiner'],
    ['\u200d', 'U+200D zero width joiner'],
    ['\u2060', 'U+2060 word joiner'],
    ['\ufeff', 'U+FEFF byte order mark'],
    ['\xad', 'U+00AD soft hyphen'],
    ['\xa0', 'U+00A0 no-break space'],
    ['\x07', 'U+0007 control character'],
    ['\x1b', 'U+001B escape'],
    ['\x0c', 'U+000C control character'],
    ['\x7f', 'U+007F delete'],
    ['\x85', 'U+0085 next line'],
    ['\x9b', 'U+009B control character'],
    ['\u2028', 'U+2028 line separator'],
    ['\u3164', 'U+3164 invisible character'],
    ['\u{e0041}', 'U+E0041 invisible character'],
    ['\r', 'U+000D carriage return'],
  ])('%j is marked as %s, and copied as it is', (character, name) => {
    const text = `a${character}b`
    const { text: copied, elements } = parseRendering(showText(text))
    expect(marksIn(text)).toEqual([name])
    expect(elements.at(-1)?.text).toBe(character)
    expect(copied).toBe(text)
  })

  test.each([
    ['a tab and line ends', '\ta\r\nb\n'],
    ['a family', '👨‍👩‍👧‍👦'],
    ['a profession with a colour of skin', '👩🏽‍🚒'],
    ['a heart on fire', '❤️‍🔥'],
    ['the flag of Wales', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}'],
    ['Persian', 'می‌خواهم'],
    ['Hindi', 'क्‍ष'],
    ['Arabic and Hebrew without marks', 'مرحبا שלום'],
  ])('is not marked where it does its work: %s', (_, text) => {
    expect(marksIn(text)).toEqual([])
    expect(replaceInvisible(text)).toBe(text)
  })

  test('is marked where it only looks so: joiners in Latin and at the end of an emoji', () => {
    expect(marksIn('pass\u200dword')).toEqual(['U+200D zero width joiner'])
    expect(marksIn('👩\u200d')).toEqual(['U+200D zero width joiner'])
    expect(marksIn('a\u{e0067}')).toEqual(['U+E0067 invisible character'])
  })

  test('is a replacement character where no mark can stand', () => {
    expect(replaceInvisible('a\u202eb\u200bc\xa0d\x1be')).toBe('a\ufffdb\ufffdc\xa0d\ufffde')
  })

  test('never stands outside of a mark, whatever the text', () => {
    const parts = fc.constantFrom(...'\u202e\u2066\u200b\u200d\x01\r\n<aا👩👧')
    fc.assert(
      fc.property(fc.array(parts), (list) => {
        const html = plainHtml(list.join(''))
        const bare = html.replace(/<span [^>]*>[^<]*<\/span>/g, '')
        expect(
          ['\u202e', '\u2066', '\u200b', '\x01'].filter((character) => bare.includes(character)),
        ).toEqual([])
        expect(parseRendering(html).text).toBe(list.join(''))
      }),
    )
  })
})

describe('a line end', () => {
  test('is not torn by the end of a piece, and its CR is not marked', () => {
    const source = `${'x'.repeat(65_535)}\r\n${'x'.repeat(10)}`
    expect(plainHtml(source)).not.toContain('<span')
    expect(parseRendering(plainHtml(source)).text).toBe(source)
  })
})

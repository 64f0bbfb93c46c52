import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { jsonLine, withoutControls } from '../../src/output.ts'
import { anyText } from '../support/text.ts'

const control = /[\p{Cc}\p{Cf}]/u

describe('a text for a terminal', () => {
  test.each([
    ['escape sequence', 'a\x1b[31mb', 'a [31mb'],
    ['C1 control', 'a\x9b2Jb', 'a 2Jb'],
    ['DEL', 'a\x7fb', 'a b'],
    ['line ends and tabs', 'a\r\n\tb', 'a b'],
    ['change of direction', 'a\u202eb', 'a b'],
    ['tag beyond U+FFFF', 'a\u{e0041}b', 'a b'],
  ])('has no %s', (_, text, shown) => {
    expect(withoutControls(text)).toBe(shown)
  })

  test('has no character of Cc or Cf, and every other as it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(withoutControls(text)).not.toMatch(control)
        if (!control.test(text)) expect(withoutControls(text)).toBe(text)
      }),
    )
  })
})

describe('JSON in a line', () => {
  test('holds the same data, and no character of Cc or Cf', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, fc.array(anyText)), (value) => {
        const line = jsonLine(value)
        expect(line).not.toMatch(control)
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  test('escapes them as JSON does', () => {
    expect(jsonLine('\x1b\x7f\x9b\xad\u202e\u{e0041}')).toBe(
      String.raw`"\u001b\u007f\u009b\u00ad\u202e\udb40\udc41"`,
    )
  })
})

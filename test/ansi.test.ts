import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { dropControls, keepColours, nearestOfSixteen } from '../src/highlight/ansi.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/

describe('a log with escape sequences', () => {
  test.each([
    ['a colour', '\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m', 'red'],
    ['colours of 256 and RGB', '\x1b[38;5;208ma\x1b[48;2;1;2;3mb', '\x1b[38;5;208ma\x1b[48;2;1;2;3mb', 'ab'],
    ['a cleared line', 'a\x1b[2Kb', 'ab', 'ab'],
    ['a moved cursor', '\x1b[10;20Ha\x1b[?25l', 'a', 'a'],
    ['a window title ended by BEL', '\x1b]0;title\x07a', 'a', 'a'],
    ['a link ended by ST', '\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\', 'a', 'a'],
    ['a private sequence that ends in m', '\x1b[>4;2ma', 'a', 'a'],
    ['a charset', '\x1b(Ba', 'a', 'a'],
    ['an intermediate byte before m', '\x1b[(ma\x1b[31 mb', 'ab', 'ab'],
    ['a device string', '\x1bPq#0\x1b\\a', 'a', 'a'],
    ['bells and backspaces', 'a\x07\x08b\x7f', 'ab', 'ab'],
    ['controls of eight bits', 'a\x9b1\x85b', 'a1b', 'a1b'],
    ['tabs and line ends', 'a\tb\r\nc\n', 'a\tb\r\nc\n', 'a\tb\r\nc\n'],
    ['a lone escape at the end', 'a\x1b', 'a', 'a'],
    ['an unfinished sequence', 'a\x1b[31', 'a31', 'a31'],
  ])('with %s keeps its colours and nothing else', (_, source, coloured, plain) => {
    expect(keepColours(source)).toBe(coloured)
    expect(dropControls(source)).toBe(plain)
  })

  const pieces = fc.constantFrom(
    '\x1b',
    '[',
    ']',
    '0',
    ';',
    'm',
    'K',
    '\x07',
    '\\',
    'a',
    '\n',
    '\0',
    '\x9b',
    'P',
    '(',
    '3',
    '1',
  )
  test('has no control character left, whatever it held, and no line more or less', () => {
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (source) => {
          expect(dropControls(source)).not.toMatch(control)
          // biome-ignore lint/suspicious/noControlCharactersInRegex: what is left of colours
          expect(keepColours(source).replaceAll(/\x1b\[[0-9;:]*m/g, '')).not.toMatch(control)
          expect(dropControls(source).split('\n')).toHaveLength(source.split('\n').length)
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('a colour that is not one of the sixteen', () => {
  test.each([
    ['#000000', 0],
    ['#c80101', 1],
    ['#ff0000', 9],
    ['#00ff01', 10],
    ['#ffffff', 15],
    ['#808080', 8],
  ])('%s becomes the nearest, number %i', (colour, index) => {
    expect(nearestOfSixteen(colour)).toBe(index)
  })
})

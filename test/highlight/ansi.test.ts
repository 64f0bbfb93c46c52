import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { changeStyle, ordinaryStyle, terminalLines, terminalText } from '../../src/highlight/ansi.ts'
import { classesOfStyle } from '../../src/highlight/theme.ts'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { parsePage } from '../support/html.ts'
import { withServer } from '../support/server.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

describe('a text for a terminal', () => {
  test.each([
    ['a colour', '\x1b[31mred\x1b[0m', 'red'],
    ['colours of 256 and RGB', '\x1b[38;5;208ma\x1b[48;2;1;2;3mb', 'ab'],
    ['a moved cursor', '\x1b[10;20Ha\x1b[?25l', 'a'],
    ['a window title ended by BEL', '\x1b]0;title\x07a', 'a'],
    ['a link ended by ST', '\x1b]8;;http://x\x1b\\a\x1b]8;;\x1b\\', 'a'],
    ['a private sequence that ends in m', '\x1b[>4;2ma', 'a'],
    ['a charset', '\x1b(Ba', 'a'],
    ['an intermediate byte before m', '\x1b[(ma\x1b[31 mb', 'ab'],
    ['a device string', '\x1bPq#0\x1b\\a', 'a'],
    ['bells and deletes', 'a\x07b\x7f', 'ab'],
    ['controls of eight bits', 'a\x9b1\x85b', 'a1b'],
    ['tabs and line ends', 'a\tb\r\nc\n', 'a\tb\r\nc\n'],
    ['a lone escape at the end', 'a\x1b', 'a'],
    ['an unfinished sequence', 'a\x1b[31', 'a31'],
    ['progress', ' 10 %\r 20 %\r100 %\r\n', '100 %\r\n'],
    ['progress that becomes shorter', 'loading\rok', 'okading'],
    ['progress that erases its line', 'loading\r\x1b[Kok\nnext', 'ok\nnext'],
    ['progress that erases its line first', 'loading\x1b[2K\rok', 'ok'],
    ['progress in colours', '\x1b[31mfail\x1b[0m\r\x1b[32mok\x1b[K', 'ok'],
    ['a spinner', '-\b\\\b|\b/\bdone', 'done'],
    ['a return at the end of a line', 'a\r\r\nb\r', 'a\r\nb'],
    ['more backspaces than text', 'a\b\b\bb', 'b'],
    ['combined characters under a cursor', 'e\u0301x\rab', 'ab'],
  ])('with %s is shown as a terminal leaves it', (_, source, shown) => {
    expect(terminalText(source)).toBe(shown)
  })

  const pieces = fc.constantFrom(...'\x1b[]0;mK\r\b\x07\\a\n\0\x9bP(31')
  test('has no control character left, whatever it held, and no line more or less', () => {
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join('')),
        (source) => {
          expect(terminalText(source).replaceAll('\r\n', '\n')).not.toMatch(control)
          expect(terminalText(source).split('\n')).toHaveLength(source.split('\n').length)
          const lines = terminalLines(source).map((runs) => runs.map(({ content }) => content).join(''))
          expect(terminalText(source).split(/\r?\n/)).toEqual(lines)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('of a million controls is shown in no time', () => {
    const text = `${'x'.repeat(500_000)}${'\r\x1b[K\x1b[2Kx\b'.repeat(100_000)}`
    const started = performance.now()
    expect(terminalText(text)).toBe('x')
    expect(performance.now() - started).toBeLessThan(60_000)
  })
})

/** The classes of a character after these parameters of `CSI … m`. */
const classesAfter = (...parameters: string[]) =>
  classesOfStyle(parameters.reduce(changeStyle, ordinaryStyle))

describe('the style of a terminal', () => {
  test.each([
    ['1', 'b'],
    ['3', 'i'],
    ['4', 'u'],
    ['4:3', 'u'],
    ['4:0', ''],
    ['9', 's'],
    ['1;3;4;9', 'i b u s'],
    ['2', 'q'],
    ['7', 'v'],
    ['7;27', ''],
    ['1;22', ''],
    ['31;39', ''],
    ['41;49', ''],
    ['31;0', ''],
    ['31;', ''],
    ['', ''],
    ['58;5;1', ''],
    ['58;2;1;2;3;1', 'b'],
    ['38;5;1;1', `${classesAfter('31')} b`],
    ['38;7;1', 'b'],
    ['48;2;999;0;0', classesAfter('48;2;255;0;0')],
    ['38:2::128:0:128', classesAfter('38;2;128;0;128')],
    ['38:2:128:0:128', classesAfter('38;2;128;0;128')],
    ['38:5:93', classesAfter('38;5;93')],
    ['38;5;9', classesAfter('91')],
    ['48;5;12', classesAfter('104')],
    ['38;5;231', classesAfter('38;2;255;255;255')],
    ['38;5;244', classesAfter('38;2;128;128;128')],
    ['38;5;90', classesAfter('38;2;128;0;128')],
    ['38;5;1', classesAfter('31')],
    ['44', `on r0 g1 b3 ${classesAfter('44').split(' ')[4]}`],
    ['31;7', classesAfter('41')],
    ['31;41', classesAfter('41;38;5;1')],
  ])('of %s has the classes "%s"', (parameters, classes) => {
    expect(classesAfter(parameters)).toBe(classes)
  })

  test('goes on until it is changed', () => {
    expect(classesAfter('1', '31', '4')).toBe(`${classesAfter('31')} b u`)
  })

  test('is one of its own for each of the sixteen colours, as text and behind it', () => {
    const codes = [30, 90].flatMap((first) => Array.from({ length: 8 }, (_, at) => first + at))
    expect(new Set(codes.map((code) => classesAfter(String(code)))).size).toBe(16)
    expect(new Set(codes.map((code) => classesAfter(String(code + 10)))).size).toBe(16)
  })
})

describe('the page of a terminal text', () => {
  const { server } = withServer()

  test('drops what the raw text keeps', async () => {
    const text =
      '\x1b]0;title\x07\x1b[2J\x1b[31mred\x1b[0m \x1b[10;20Hgone\x07\x08\x1b(B\r\n\x1bPq\x1b\\end\0\x9b\n'
    const { pasteUrl = '', rawUrl = '' } = await createClient(server.url).paste({ text, language: 'ansi' })
    expect(await (await fetch(rawUrl)).text()).toBe(text)
    const html = await (await fetch(pasteUrl, { headers: browser })).text()
    expect(html).not.toMatch(control)
    const code = parsePage(html).find(({ attributes }) => attributes.id === 'code')
    expect(code?.text).toBe('red gone\r\nend\n')
  })
})

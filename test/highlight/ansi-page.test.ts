import { afterAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { terminalText } from '../../src/highlight/ansi.ts'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { withRealChild } from '../support/highlighting.ts'
import { parsePage, parseRendering } from '../support/html.ts'
import { withServer } from '../support/server.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const control = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/

const { render, close, failures } = withRealChild()
afterAll(close)

/** What stands in colour or in another style, and how. */
const tokensOf = async (text: string) => {
  const { elements } = parseRendering((await render(text, 'ansi')).html)
  return elements
    .filter(({ name }) => name === 'span')
    .map((element) => [element.text, element.attributes.class])
}

describe('the rendering of a log', () => {
  test('names a colour the same however it was asked for', async () => {
    const [[, red] = []] = await tokensOf('\x1b[31mx')
    expect(await tokensOf('\x1b[38;5;1mx')).toEqual([['x', red as string]])
    const [[, purple] = []] = await tokensOf('\x1b[38;2;128;0;128mx')
    for (const parameters of ['38;5;90', '38:2::130:2:120'])
      expect(await tokensOf(`\x1b[${parameters}mx`), parameters).toEqual([['x', purple as string]])
    expect(await tokensOf('\x1b[38;2;0;0;230mx')).not.toEqual([['x', purple as string]])
  })

  test('shows backgrounds, inverse and dim text', async () => {
    expect(await tokensOf('\x1b[44mx')).toEqual([['x', expect.stringMatching(/^on r0 g1 b3 k\w+$/)]])
    expect(await tokensOf('\x1b[7mx')).toEqual([['x', 'v']])
    expect(await tokensOf('\x1b[2mx')).toEqual([['x', 'q']])
  })

  test('shows the last state of progress', async () => {
    expect((await render('10 %\r20 %\r\x1b[32m100 %\x1b[0m\r\n', 'ansi')).html).toMatch(
      /<li id=L1><span class=t\w+>100 %<\/span>&#13;\n</,
    )
  })

  test('has bold, italic, underlined and struck-through text', async () => {
    expect(await tokensOf('\x1b[1mx')).toEqual([['x', 'b']])
    expect(await tokensOf('\x1b[3mx')).toEqual([['x', 'i']])
    expect(await tokensOf('\x1b[4mx')).toEqual([['x', 'u']])
    expect(await tokensOf('\x1b[9mx')).toEqual([['x', 's']])
    expect(await tokensOf('\x1b[1mx\x1b[0my')).toEqual([['x', 'b']])
  })

  const sequences = ['\x1b[31m', '\x1b[1;4m', '\x1b[38;5;', '\x1b[38;2;300;1;999m', '\x1b[;m', '\x1b[99999m']
  const pieces = [
    '\x1b',
    '[',
    ']0;',
    '8',
    ';',
    'm',
    'K',
    '\x07',
    '\\',
    '<b>',
    '&',
    '\n',
    '\r\n',
    '\0',
    '\x9b',
  ]
  const log = fc.array(fc.constantFrom(...sequences, ...pieces)).map((parts) => parts.join(''))

  test('has no control character, and not one other character more or less, whatever came in', async () => {
    await fc.assert(
      fc.asyncProperty(log, async (source) => {
        const { text, elements } = parseRendering((await render(source, 'ansi')).html)
        expect(text.replaceAll('\r\n', '\n')).not.toMatch(control)
        expect(text).toBe(terminalText(source))
        expect(elements.filter(({ name }) => !['div', 'ol', 'li', 'span'].includes(name))).toEqual([])
      }),
      { numRuns: 500 },
    )
    expect(failures).toEqual([])
  })
})

describe('the page of a log', () => {
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

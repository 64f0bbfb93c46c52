import { describe, expect, test } from 'bun:test'
import { viewRenderer } from '../../src/highlight/child.ts'
import { countLines } from '../../src/highlight/lines.ts'

const chars = 256 * 1024
const units = [
  ...[
    '>',
    '[',
    '![',
    '*',
    '*_',
    '**_* ',
    '`',
    '~~a ',
    '- ',
    '- a\n',
    '> - ',
    '|',
    'a|b\n',
    '[a](',
    '[a][',
    '[^a] ',
    '^[a',
  ],
  ...[
    '# a\n',
    'a\n=\n',
    '```\n',
    '<',
    '<a@',
    '&',
    '\\',
    '\n',
    ' ',
    '\t',
    'http://a.b/(',
    'a\n',
    '[a]: b\n',
    '[^a]: b\n',
  ],
  ...[
    '"',
    ',',
    '"a",',
    ';',
    '{',
    '{"a":',
    '[],',
    '1,',
    '1\n',
    '{}\n',
    '/*',
    '//\n',
    '\\u',
    '-',
    '\0',
    '\r',
    '😀',
  ],
]

/** Blocks of code would only load grammars. */
const tools = {
  tokensOf: async (text: string) => text.split(/\r?\n/).map((content) => [{ content }]),
  classOfColour: () => '',
}

describe.each([
  ['preview', 'markdown'],
  ['table', 'csv'],
  ['formatted', 'json'],
  ['formatted', 'jsonl'],
] as const)('a view of a hostile text, %s of %s,', (view, language) => {
  test.each(units)('fits a page and says how much it shows: %j again and again', async (unit) => {
    const text = unit.repeat(Math.ceil(chars / unit.length))
    const { html, shown, total } = await (await viewRenderer(view))({ text, language }, tools, () => {})
    const bytes = html.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
    expect(bytes).toBeLessThan(10_000_000)
    expect(total).toBe(countLines(text))
    expect(shown).toBeGreaterThan(0)
    expect(shown).toBeLessThanOrEqual(total)
  })

  test('starts its deadline once', async () => {
    let starts = 0
    await (await viewRenderer(view))({ text: '1\n', language }, tools, () => void starts++)
    expect(starts).toBe(1)
  })
})

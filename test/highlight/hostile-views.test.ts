import { describe, expect, test } from 'bun:test'
import { viewRenderers } from '../../src/highlight/child.ts'
import { countLines } from '../../src/highlight/show-text.ts'
import { foreignIn, shownAs } from '../support/shown.ts'
import { hostile } from '../support/views.ts'
import { asJson, asTable, markdownPayloads, xssPayloads } from '../support/xss.ts'

const chars = 256 * 1024
const units = [
  ...'> [ ![ * *_ ` | [a]( [a][ ^[a < <a@ & \\ http://a.b/( " , "a", ; { {"a": [], 1, /* \\u - \0 😀'.split(
    ' ',
  ),
  ...['**_* ', '~~a ', '- ', '- a\n', '> - ', 'a|b\n', '[^a] ', '# a\n', 'a\n=\n', '```\n', '\n', ' ', '\t'],
  ...['<details>\n', '</details>\n', '<details>\n</details>\n', '> <details>\n', '> [!NOTE]\n\n'],
  ...['a\n', '[a]: b\n', '[^a]: b\n', '1\n', '{}\n', '//\n', '\r'],
]

/** Blocks of code would only load grammars. */
const tokensOf = async (text: string) => text.split(/\r?\n/).map((content) => [{ content, classes: '' }])

describe.each([
  ['preview', 'markdown'],
  ['table', 'csv'],
  ['formatted', 'json'],
  ['formatted', 'jsonl'],
] as const)('a view of a hostile text, %s of %s,', (view, language) => {
  test.each(units)('fits a page and says how much it shows: %j again and again', async (unit) => {
    const text = unit.repeat(Math.ceil(chars / unit.length))
    const { html, shown, total } = await (await viewRenderers[view]())({ text, language }, tokensOf, () => {})
    const bytes = html.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
    expect(bytes).toBeLessThan(10_000_000)
    expect(total).toBe(countLines(text))
    expect(shown).toBeGreaterThan(0)
    expect(shown).toBeLessThanOrEqual(total)
  })

  test('starts its deadline once', async () => {
    let starts = 0
    await (await viewRenderers[view]())({ text: '1\n', language }, tokensOf, () => void starts++)
    expect(starts).toBe(1)
  })
})

const inOneLine = (text: string) => text.replaceAll('\n', ' ')
const asTextOf = {
  preview: (text: string) => [text, `> - ${inOneLine(text)}`, `# ${inOneLine(text)}`],
  table: (text: string) => [text, asTable(text)],
  formatted: (text: string) => [text, asJson(text), `// ${text}\n1`],
}

describe.each([...xssPayloads, ...hostile, ...markdownPayloads])('hostile: %j', (payload) => {
  test.each([
    ['preview', ['markdown']],
    ['table', ['csv', 'tsv']],
    ['formatted', ['json', 'jsonl', 'jsonc']],
  ] as const)('is only words in the view %s', async (view, languages) => {
    for (const language of languages)
      for (const text of asTextOf[view](payload)) {
        const { elements } = await shownAs(view, text, language)
        const allowed = view === 'table' ? 'ol' : undefined
        expect(foreignIn(elements.filter(({ name }) => name !== allowed))).toEqual([])
      }
  })
})

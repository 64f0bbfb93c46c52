import { describe, expect, test } from 'bun:test'
import { bundledLanguages } from 'shiki/langs'
import { createRenderer, openGrammars } from '../../src/highlight/child.ts'
import { languages } from '../../src/highlight/languages/languages.ts'
import { parseRendering } from '../support/html.ts'

/** Something of every family of languages: comments, strings, blocks, markup, keys and values, numbers, operators. */
const sample = [
  '#!/usr/bin/env tool',
  '// a comment, /* another */ -- and # one more; % and " the last',
  'import "module"; use Some::Thing; #include <stdio.h>',
  'fn main(args: [String], n = 0x1F) -> Result<int, Error> {',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template looks like
  '\tlet text = "double \\"quoted\\" ${n + 1} é€😀";\r',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template looks like
  "    const other = 'single' + `back ${tick}` ?? null;",
  '  if (a >= b && c != 1.5e-3 || !d) { return a[0]?.b; } else { yield }',
  '}',
  '<div class="a" id=b>text &amp; <!-- comment --><br/></div>',
  'key: value, "json": [1, true, null], key = "toml"',
  '- item [link](http://example.org) **bold** _italic_',
  "SELECT * FROM t WHERE a = 'x' ORDER BY b;",
  '\\section{Title} $x^2$ @decorator :symbol %w[a b]',
  '',
  '  trailing space  ',
  '</li></ol></section><script>alert(1)</script> </span> <!-- &lt; ]]>',
  '# <img src=x onerror=y>',
  'last line without an end',
].join('\n')

/** Their grammars know nothing of the sample. */
const colourless = ['ansi', 'jinja', 'log', 'mermaid', 'text', 'wenyan']

describe('every language', () => {
  test('has in the pack what its package has', async () => {
    const grammarsOf = await openGrammars()
    for (const [language, load] of Object.entries(bundledLanguages))
      expect(grammarsOf(language), language).toEqual((await load()).default)
  })

  test('there is, more than 235 of them, loses not one character of a text and is highlighted without failing', async () => {
    expect(languages.length).toBeGreaterThan(235)
    // Here and not in the child, whose low priority gets a twentieth of a core on a busy machine.
    const render = await createRenderer()
    const plain: string[] = []
    for (const { id } of languages) {
      const html = (await render({ text: sample, language: id }, () => {})).html.join('')
      const { text, elements } = parseRendering(html)
      expect(text, id).toBe(sample)
      const foreign = elements.filter(({ name }) => !['div', 'span', 'ol', 'li'].includes(name))
      expect(foreign, id).toEqual([])
      if (!html.includes('<span')) plain.push(id)
    }
    expect(plain.sort()).toEqual(colourless)
  }, 300_000)

  test('keeps the lines with a word, whole and with their numbers, and marks the word', async () => {
    const render = await createRenderer()
    const kept = sample.split('\n').filter((line) => /comment/i.test(line))
    for (const { id } of languages) {
      const job = { text: sample, language: id, show: { grep: 'COMMENT' } }
      const lines = await render(job, () => {})
      const { text, elements } = parseRendering(lines.html.join(''))
      expect(text.split('\n').filter(Boolean), id).toEqual(kept)
      expect(lines.kept, id).toBe(kept.length)
      expect(elements.filter(({ name }) => name === 'mark').length, id).toBeGreaterThanOrEqual(kept.length)
    }
  }, 300_000)
})

import { describe, expect, test } from 'bun:test'
import { detectLanguage, languageOfForm } from '../../src/highlight/languages/detect/detect-language.ts'

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`

const program = ["const a = require('x')", 'console.log(a)']

describe('the detection of a short text', () => {
  test.each([
    ['diff', 'as diff prints it', lines('2c2', '< old', '---', '> new', '5a6,7', '> added', '> more')],
    ['diff', 'of one line', lines('3d2', '< removed')],
    [
      'diff',
      'with context',
      lines('*** a', '--- b', '***************', '*** 1,2 ****', '! two', '--- 1,2 ----', '! 2'),
    ],
    [
      'diff',
      'of a merge',
      lines('diff --cc a', '--- a/a', '+++ b/a', '@@@ -1,3 -1,3 +1,3 @@@', '  one', '- two', '++2'),
    ],
    ['markdown', 'that is a table', lines('|a|b|', '|-|-|', '|1|2|')],
    ['markdown', 'with a table', lines('Ages', '', '| Name | Age |', '|:-----|----:|', '| Ann  | 31  |')],
    [
      'html',
      'that is a part of a page',
      lines('<div class="card">', '  <h1>Title</h1>', '  <p>Text <b>x</b></p>', '</div>'),
    ],
    ['html', 'of one element', '<button type="submit">Log in</button>\n'],
    ['csv', 'of words below a header', lines('name,city,country', 'Ann,Rome,Italy', 'Ben,New York,USA')],
    [
      'javascript',
      'of Express',
      lines(
        "const express = require('express')",
        'const app = express()',
        "app.get('/', (req, res) => {",
        "  res.send('Hello')",
        '})',
        'app.listen(3000, () => console.log(`ready`))',
      ),
    ],
    [
      'csharp',
      'that the model takes for C++',
      lines(
        'public async Task<IActionResult> Get(int id)',
        '{',
        '    var user = await _context.Users.FindAsync(id);',
        '    foreach (var role in user.Roles)',
        '    {',
        '        Console.WriteLine($"{role.Name}");',
        '    }',
        '    return Ok(user);',
        '}',
      ),
    ],
    [
      'elixir',
      'that the model takes for Ruby',
      lines(
        'defmodule Shop.Cart do',
        '  use GenServer',
        '  def handle_call({:add, item}, _from, state) do',
        '    {:reply, :ok, Map.put(state, item.id, item)}',
        '  end',
        'end',
      ),
    ],
    [
      'r',
      'that the model takes for Lua',
      lines('library(ggplot2)', 'df <- read.csv("data.csv")', 'summary(df)', 'model <- lm(y ~ x, data = df)'),
    ],
  ])('says %s of one %s', (language, _, text) => {
    expect(detectLanguage(text)).toBe(language)
  })

  test.each([
    [
      'a recipe',
      lines(
        'Pancakes',
        'Ingredients:',
        '- 200 g flour',
        '- 2 eggs',
        '- 300 ml milk',
        'Mix the flour and the salt. Add the eggs, then the milk, and stir until it is smooth.',
        'Heat a pan with some butter. Fry each pancake for two minutes on each side.',
        'Tips:',
        '- Let the batter rest for half an hour.',
      ),
    ],
    [
      'fstab with tabs',
      lines('# disks', '/dev/sda1\t/\text4\tdefaults\t0\t1', 'UUID=12\tnone\tswap\tsw\t0\t0'),
    ],
    [
      'what a router of MikroTik exports',
      lines(
        '# software id = ABCD',
        '/interface wireless security-profiles',
        'set [ find default=yes ] supplicant-identity=MikroTik',
        '/ip pool',
        'add name=dhcp ranges=192.168.88.10-192.168.88.254',
      ),
    ],
    ['a line below a number and a letter', lines('3d2', 'to do', '> later')],
    ['lines with pipes', lines('a | b', '|---|', 'c')],
    ['names after commas', lines('Smith, John, London', 'Jones, Mary, Paris', 'Brown, Peter, Rome')],
    ['a list of words with commas', lines('a,b,c', 'b,c,a', 'a,b,c')],
    [
      'a mail with lines of a program',
      lines('Hi Bob,', 'I tried this:', ...program, 'It fails.', 'Best,', 'Ann'),
    ],
    ['a script that writes a program', lines("cat > a.js <<'END'", ...program, 'END')],
    [
      'TypeScript that the model does not know, with lines of JavaScript',
      lines('interface A {', '  b: string', '}', "const y = require('y')", 'console.log(x as string)'),
    ],
    [
      'few lines of a program among lines that the model takes for Lua',
      lines(...Array.from({ length: 20 }, (_, at) => `| ${at} ; the milk = fridge`), ...program),
    ],
    [
      'few lines of a program among others',
      lines(...Array.from({ length: 20 }, (_, at) => `Ann ${at} Rome`), ...program),
    ],
    ['one sign of a language', lines('x <- y', 'a <- b', 'Console.WriteLine("a")')],
  ])('says plain text of %s', (_, text) => {
    expect(detectLanguage(text)).toBe('text')
  })

  test('does not take templates, components, or Markdown with tags for a part of a page', () => {
    for (const line of [
      '{{ name }}',
      '<p v-if="a">x</p>',
      '<p className="a">x</p>',
      '<?php x ?>',
      '## Title',
      '- item',
    ])
      expect(languageOfForm(lines('<div>', '<p>x</p>', line, '</div>')), line).not.toBe('html')
    expect(languageOfForm(lines('<p align="center">', '<img src="a">', '</p>', 'Text after it.'))).not.toBe(
      'html',
    )
  })

  test.each([
    ['javascript', program],
    ['csharp', ['using System.Text;', 'Console.WriteLine("a");']],
    ['elixir', ['defmodule Shop.Cart do', '  @impl true', 'end']],
    ['r', ['library(shop)', 'cart <- add("a")', 'summary(cart)']],
  ])('says Markdown of a page with a program of %s', (language, own) => {
    const fenced = [`\`\`\`${language}`, ...own, '```']
    const page = lines(
      '# Shop',
      '',
      'A cart for a **shop**.',
      '',
      '## Use',
      '',
      ...fenced,
      '',
      '- `a` or `b`',
    )
    expect(detectLanguage(page)).toBe('markdown')
    expect(detectLanguage(lines('my cart', '~~~', ...own, ...own, '~~~'))).not.toBe(language)
  })

  test('says what the model is sure of, unless it confuses the two', () => {
    const script = [
      'jobs:',
      '  a:',
      '    steps:',
      '      - uses: x@v7',
      '        with:',
      '          script: |',
    ]
    const own = ['foreach (var a in b)', '  Console.WriteLine(a);'].map((line) => `            ${line}`)
    expect(detectLanguage(lines(...script, ...own))).toBe('yaml')
  })

  test('says JavaScript below a licence', () => {
    const text = lines('/*', 'Copyright Ann.', '*/', ...program, 'module.exports = (b) => a(b)')
    expect(detectLanguage(text)).toBe('javascript')
  })

  test('says the same with CRLF', () => {
    const table = lines('| Name | Age |', '|------|-----|', '| Ann | 31 |')
    expect(detectLanguage(table.replaceAll('\n', '\r\n'))).toBe('markdown')
  })
})

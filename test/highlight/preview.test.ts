import { describe, expect, test } from 'bun:test'
import { shownAs } from '../support/shown.ts'

const preview = (text: string) => shownAs('preview', text, 'markdown')
const links = async (text: string) =>
  (await preview(text)).named('a').map(({ attributes: { href }, text }) => [text, href])

describe('a preview of Markdown', () => {
  test('has headings below the title of the page, named after their words', async () => {
    const { elements } = await preview('# One\n\nTwo\n---\n\n# One\n\n###### Six & `more`\n')
    const headings = elements.filter(({ name }) => /^h\d$/.test(name))
    expect(headings.map(({ name, text, attributes: { id } }) => [name, text, id])).toEqual([
      ['h2', 'One', 'md-one'],
      ['h3', 'Two', 'md-two'],
      ['h2', 'One', 'md-one-1'],
      ['h6', 'Six & more', 'md-six--more'],
    ])
  })

  test('links inside of itself to these names', async () => {
    expect(await links('[a](#one) [b](#Ünd%20x)')).toEqual([
      ['a', '#md-one'],
      ['b', '#md-%C3%9Cnd%20x'],
    ])
  })

  test('has lists, tasks, quotes, tables, struck-out words and line breaks', async () => {
    const { named, textsOf } = await preview(
      '- [ ] a\n- [x] b\n- c\n\n3. d\n\n> e\n\n| f | g |\n|--:|:-:|\n| h | `i` |\n\n~~j~~  \n**k** *l*\n',
    )
    expect(named('input').map(({ attributes }) => attributes)).toEqual([
      { type: 'checkbox', disabled: '', 'aria-label': 'To do' },
      { type: 'checkbox', disabled: '', 'aria-label': 'Done', checked: '' },
    ])
    expect(named('ol')[0]?.attributes).toEqual({ start: '3' })
    expect(textsOf('blockquote')).toEqual(['e\n'])
    expect(textsOf('th')).toEqual(['f', 'g'])
    expect(named('td').map(({ attributes, text }) => [attributes.class, text.trim()])).toEqual([
      ['r', 'h'],
      ['c', 'i'],
    ])
    expect([...textsOf('s'), ...textsOf('strong'), ...textsOf('em')]).toEqual(['j', 'k', 'l'])
    expect(named('br')).toHaveLength(1)
  })

  test('has footnotes in the order in which they are named, each with links there and back', async () => {
    const { named, textsOf } = await preview(
      'a[^x] b[^y] c[^x]\n\n[^y]: Second[^z]\n[^x]: First\n[^z]: Third\n[^q]: No\n',
    )
    expect(textsOf('sup')).toEqual(['1', '2', '1', '3'])
    const ids = named('li').map(({ attributes: { id }, text }) => [id, text.replace(/ ↩/g, '').trim()])
    expect(ids).toEqual([
      ['note-1', 'First'],
      ['note-2', 'Second3'],
      ['note-3', 'Third'],
    ])
    const hrefs = named('a').map(({ attributes: { href } }) => href)
    const targets = new Set(
      named('a')
        .concat(named('li'))
        .map(({ attributes: { id } }) => `#${id}`),
    )
    expect(hrefs.filter((href = '') => !targets.has(href))).toEqual([])
    expect(hrefs).toContain('#noteref-1-2')
  })

  test('colours its blocks of code as pages do, and shows code of no language as it is', async () => {
    const { html } = await preview(
      '```ts title="a"\nconst a = 1 // <b>\n```\n\n```nonsense\n<b>\n```\n\n    <i>\n',
    )
    expect(html).toContain('<span class=t2>const</span>')
    expect(html).toContain('<span class=t1>// &lt;b&gt;</span>')
    expect(html).toContain('<code>&lt;b&gt;\n</code>')
    expect(html).toContain('<code>&lt;i&gt;\n</code>')
  })

  test('shows facts before the text as code, not as a heading', async () => {
    const { textsOf, elements } = await preview('---\ntitle: A\n---\n# B\n')
    expect(textsOf('pre')).toEqual(['title: A'])
    expect(elements.filter(({ name }) => /^h\d$/.test(name)).map(({ text }) => text)).toEqual(['B'])
  })

  test('shows HTML as text', async () => {
    const { text, elements } = await preview('<div onclick=x>a</div>\n\nb <b>c</b> <!-- d -->\n')
    expect(text.trim()).toBe('<div onclick=x>a</div>\nb <b>c</b> <!-- d -->')
    expect(elements.map(({ name }) => name)).toEqual(['div', 'p', 'p'])
  })

  test("shows GitHub's alerts, also without words of their own", async () => {
    const { named, textsOf } = await preview(
      '> [!NOTE]\n> a *b*\n\n> [!warning]  \n>\n> c\n\n> [!CAUTION]\n\n> [!NOTE] d\n\n> [!OTHER]\n> e\n',
    )
    expect(named('blockquote').map(({ attributes, text }) => [attributes.class, text.trim()])).toEqual([
      ['alert note', 'Notea b'],
      ['alert warning', 'Warning\nc'],
      ['alert caution', 'Caution'],
      [undefined, '[!NOTE] d'],
      [undefined, '[!OTHER]\ne'],
    ])
    expect(textsOf('em')).toEqual(['b'])
  })

  test.each([
    ['<details>\n<summary><b>A</b> `b`</summary>\n\n- c\n\n</details>\n\nd\n', [undefined, 'A b', 'c']],
    ['<details open><summary>A</summary>\n- c\n</details>\n', ['', 'A', 'c']],
    ['<details>\n<summary>\nA\n</summary>\n\n- c\n</details>\n', [undefined, 'A', 'c']],
    ['<details>\n\n- c\n\n</details>\n', [undefined, 'Details', 'c']],
    ['> <details>\n> <summary>A</summary>\n>\n> - c\n> </details>\n', [undefined, 'A', 'c']],
    ['1. x\n\n   <details>\n   <summary>A</summary>\n\n   - c\n\n   </details>\n', [undefined, 'A', 'c']],
    ['<details>\n<summary>A</summary>\n\n```\n</details>\n```\n\n- c\n</details>\n', [undefined, 'A', 'c']],
  ])('folds what is between <details> and </details>, as Markdown: %j', async (text, expected) => {
    const { named, textsOf } = await preview(text)
    const [folded, ...more] = named('details')
    expect([folded?.attributes.open, textsOf('summary')[0], named('ul')[0]?.text.trim()]).toEqual(expected)
    expect(folded?.text).toContain('c')
    expect(folded?.text).not.toContain('d\n')
    expect(more).toEqual([])
  })

  test('folds details inside of others', async () => {
    const { textsOf } = await preview(
      '<details>\n<summary>A</summary>\n\n<details>\n<summary>B</summary>\nc\n</details>\n\n</details>\n\nd\n',
    )
    expect(textsOf('summary')).toEqual(['A', 'B'])
    expect(textsOf('details').map((text) => text.replace(/\s+/g, ' ').trim())).toEqual(['A B c', 'B c'])
  })

  test.each([
    '<details>\n<summary>A</summary>\n\nb\n',
    'a\n\n</details>\n',
    '> <details>\n\n</details>\n',
    '- <details>\n\n</details>\n',
    '<details ontoggle=x>\n\na\n\n</details>\n',
    '```\n<details>\na\n</details>\n```\n',
    '    <details>\n    a\n    </details>\n',
  ])('shows details that do not begin or end where they are as text: %j', async (text) => {
    const { named, text: shown } = await preview(text)
    expect(named('details')).toEqual([])
    expect(shown).toContain('details')
  })

  test('has an outline of a long text, down to the third level', async () => {
    const text = '# A <b>\n\n## B\n\n### C `d`\n\n#### E\n\n## B\n'
    expect((await preview(text)).named('details')).toEqual([])
    const { named, textsOf } = await preview(`${text}${'word\n'.repeat(100)}`)
    expect(textsOf('summary')).toEqual(['Contents'])
    expect(named('details')[0]?.attributes).toEqual({ class: 'outline' })
    expect(named('li').map(({ attributes, text }) => [attributes.class, text])).toEqual([
      ['l1', 'A <b>'],
      ['l2', 'B'],
      ['l3', 'C d'],
      ['l2', 'B'],
    ])
    const ids = named('h2')
      .concat(named('h3'), named('h4'))
      .map(({ attributes: { id } }) => `#${id}`)
    expect(ids.toSorted()).toEqual(
      named('a')
        .filter(({ attributes }) => attributes.class === undefined)
        .map(({ attributes: { href } }) => href ?? '')
        .toSorted(),
    )
  })

  test('loads no picture: it links to it, with its description', async () => {
    const { html, named } = await preview(
      '![A *cat*](https://e.org/c.png "T") [![badge](https://e.org/b)](https://e.org/)',
    )
    expect(html).not.toContain('<img')
    expect(named('a').map(({ attributes: { href, class: name }, text }) => [href, name, text])).toEqual([
      ['https://e.org/c.png', 'picture', 'A cat'],
      ['https://e.org/', undefined, 'badge'],
    ])
  })

  test('links only to the web, to mail and to itself; other addresses are shown, not linked', async () => {
    const text =
      '[a](http://e.org) [b](HTTPS://e.org) [c](mailto:a@b.c) [d](docs/x.md) [e](//e.org) [f](ftp://e.org) [g](javascript:x)'
    expect(await links(text)).toEqual([
      ['a', 'http://e.org'],
      ['b', 'HTTPS://e.org'],
      ['c', 'mailto:a@b.c'],
    ])
    const { named } = await preview(text)
    expect(named('span').map(({ attributes: { title }, text }) => [text, title])).toEqual([
      ['d', 'Not linked: docs/x.md'],
      ['e', 'Not linked: //e.org'],
      ['f', 'Not linked: ftp://e.org'],
      ['g', 'Not linked: javascript:x'],
    ])
    expect(named('a').map(({ attributes: { rel } }) => rel)).toEqual(
      Array(3).fill('noopener noreferrer nofollow'),
    )
  })

  test('links bare addresses, but no words that only look like one', async () => {
    expect(await links('https://e.org/a. README.md a@b.c www.e.org')).toEqual([
      ['https://e.org/a', 'https://e.org/a'],
    ])
  })

  test('marks invisible characters, in words, code and names', async () => {
    const { html } = await preview('a\u202eb `c\u200bd`\n\n```\n\u2066\n```\n')
    expect([...html.matchAll(/data-x=(\w+)/g)].map(([, name]) => name)).toEqual(['RLO', 'ZWSP', 'LRI'])
  })

  test('ends before a part that is nested too deeply, and says how far it goes', async () => {
    const { text, facts } = await preview(`one\n\ntwo\n\n${'>'.repeat(10_000)} deep\n\nthree\n`)
    expect(text.trim()).toBe('one\ntwo')
    expect(facts).toEqual({ shown: 4, total: 7, isPartial: false })
  })

  test('is refused if that part is the first one', async () => {
    const { text, facts } = await preview(`${'>'.repeat(200)} deep\n`)
    expect(text).toBe(`${'>'.repeat(200)} deep\n`)
    expect(facts.refused?.why).toContain('nested too deeply')
  })
})

import { type Element, parsePage } from './html.ts'

/** Texts that would become something else in a page that forgot to escape them. */
export const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)' x='`,
  '" onfocus="alert(1)" autofocus="" style="color:red" x="',
  '</title><script src=//evil></script>',
  '</textarea></pre></code></main></body></html><svg onload=alert(1)>',
  '<!--',
  '--><b>',
  ']]>',
  '<plaintext>',
  '<style>*{color:red}</style>',
  '<base href=//evil>',
  '&lt;script&gt; &amp; &quot; &#60; &copy &notit;',
  '&copy=1&reg;&#x6A;avascript:',
  'javascript:alert(1)',
  'data:text/html,<script>',
  '\0<\0script\0>',
  'a\r\nb\rc\nd',
  '\u202e\u2028\ufeff😀é\u0301',
  '`#{1}` {{1}} <%= 1 %>',
  '\x1b[31m\x7f\x80',
]

/** What the HTML standard makes of a text: line ends are LF, and NUL goes. */
export const asParsed = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\0', '')
/** In a title NUL becomes U+FFFD. */
export const asTitle = (text: string) => text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd')

/** What the routes hand to every view. */
export const site = {
  name: 'Shortcrust',
  root: '../',
  styles: ['assets/style-a.css', 'assets/code-b.css'],
  formStyle: 'assets/forms.css',
  docsStyle: 'assets/docs.css',
  adminStyle: 'assets/admin.css',
  editStyle: 'assets/edit-l.css',
  diffStyle: 'assets/diff.css',
  viewStyles: { preview: 'assets/preview-p.css', table: 'assets/table-q.css' },
  itemsStyle: 'assets/items-n.css',
  logStyle: 'assets/log.css',
  maskingStyle: 'assets/masking-n.css',
  markedStyle: 'assets/marked-n.css',
  madeStyle: 'assets/made-n.css',
  icon: 'assets/icon-c.svg',
  languages: 'assets/languages-i.json',
  scripts: {
    early: 'assets/early-d.js',
    ages: 'assets/ages-d.js',
    picker: 'assets/picker-j.js',
    every: 'assets/every-e.js',
    paste: 'assets/paste-f.js',
    made: 'assets/made-r.js',
    log: 'assets/log.js',
    view: 'assets/view-o.js',
    follow: 'assets/follow-k.js',
    home: 'assets/home-g.js',
    items: 'assets/items-o.js',
    masking: 'assets/masking-p.js',
    marked: 'assets/marked-p.js',
    masker: 'assets/masker-q.js',
    edit: 'assets/edit-m.js',
    docs: 'assets/docs-h.js',
    admin: 'assets/admin-h.js',
  },
}
/** What the page of a paste gets for its language menu, and its version. */
export const menu = {
  version: 1,
  versions: 1,
  digits: 1,
  languageId: 'c',
  languages: [{ id: 'c', name: 'C', spellings: '' }],
}
export const dates = { createdAt: '2024-02-29T12:30:00.005Z', createdAtText: '29 Feb 2024, 12:30 UTC' }

/** An element and its attributes, as `name[attribute=value]`. */
const shapeOf = ({ name, attributes }: Element) =>
  name +
  Object.keys(attributes)
    .map((attribute) => `[${attribute}=${attributes[attribute]}]`)
    .join('')

/** A view as a browser would build it. */
export const open = (view: unknown) => {
  const elements = parsePage(view as string)
  return {
    shape: elements.map(shapeOf),
    title: elements.find(({ name }) => name === 'title')?.text,
    elements,
    texts: elements.map(({ text }) => text),
  }
}

const harmless = 'harmless-word'

/** Elements in which the HTML standard turns NUL into U+FFFD; it does so in attributes, too. */
const isReplacing = (name: string) => name === 'title' || name === 'textarea'

/** What stands around a title has its U+FFFD, too, where a NUL elsewhere is gone. */
const withoutReplaced = ({ name, attributes, text }: Pick<Element, 'name' | 'attributes' | 'text'>) => ({
  name,
  attributes,
  text: isReplacing(name) ? text : text.replaceAll('\ufffd', ''),
})

/**
 * What a view shows of a text, and what it should: the page of a harmless word with the text in the place of the word.
 * Both are equal where the text is only text, in elements and in attributes.
 */
export const comparedWithHarmless = (view: (text: string) => unknown, text: string) => {
  const own = open(view(text)).elements
  const expected = open(view(harmless)).elements.map(({ name, attributes, text: shown }) => ({
    name,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        value.replaceAll(harmless, () => asTitle(text)),
      ]),
    ),
    text: shown.replaceAll(harmless, () => (isReplacing(name) ? asTitle(text) : asParsed(text))),
  }))
  return { own: own.map(withoutReplaced), expected: expected.map(withoutReplaced) }
}

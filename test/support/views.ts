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
  root: '../',
  styles: ['assets/style-a.css', 'assets/code-b.css'],
  icon: 'assets/icon-c.svg',
  scripts: {
    theme: 'assets/theme-d.js',
    plain: 'assets/plain-e.js',
    paste: 'assets/paste-f.js',
    home: 'assets/home-g.js',
  },
}
export const dates = { createdAt: '2024-02-29T12:30:00.005Z', createdAtText: '29 Feb 2024, 12:30 UTC' }

/** An element and its attributes, as `name[attribute=value]`. */
const shapeOf = ({ name, attributes }: Element) =>
  name +
  Object.keys(attributes)
    .map((attribute) => `[${attribute}=${attributes[attribute]}]`)
    .join('')

const page = [
  'html[lang=en]',
  'head',
  'meta[charset=utf-8]',
  'meta[name=viewport][content=width=device-width, initial-scale=1]',
  'meta[name=color-scheme][content=light dark]',
  'meta[name=robots][content=noindex, nofollow]',
  'title',
  // The preview card stands here on the page of a paste.
  'link[rel=stylesheet][href=../assets/style-a.css]',
  'link[rel=stylesheet][href=../assets/code-b.css]',
  'link[rel=icon][href=../assets/icon-c.svg][type=image/svg+xml]',
  'script[src=../assets/theme-d.js]',
  'script[src=../assets/SCRIPT][type=module]',
  'body',
  'header[class=bar]',
  'a[class=brand][href=../]',
  'button[class=button quiet-button][id=theme][type=button][data-js=][hidden=]',
  'button[class=button quiet-button][id=help][type=button][data-js=][hidden=][aria-label=Keyboard shortcuts]',
  'main',
]

/** The shapes of the elements that every page begins with, and those it ends with. */
export const frame = (script: string, card: readonly string[] = []) => {
  const head = page.map((shape) => shape.replace('SCRIPT', script))
  const at = head.indexOf('title') + 1
  return [...head.slice(0, at), ...card, ...head.slice(at)]
}
export const ending = (shortcuts: number) => [
  'p[id=status][role=status]',
  'dialog[id=shortcuts][aria-labelledby=shortcuts-title]',
  'h2[id=shortcuts-title]',
  'dl',
  ...Array.from({ length: shortcuts }, () => ['div', 'dt', 'kbd', 'dd']).flat(),
  'form[method=dialog]',
  'button[class=button][type=submit]',
]
export const time = `time[datetime=${dates.createdAt}]`

/** A view as a browser would build it. */
export const open = (view: unknown) => {
  const elements = parsePage(view as string)
  const texts = elements.map(({ text }) => text)
  return {
    shape: elements.map(shapeOf),
    title: elements.find(({ name }) => name === 'title')?.text,
    elements,
    texts,
  }
}

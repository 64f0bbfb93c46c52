import type { Token } from 'markdown-it'
import { showText } from '../show-text.ts'
import { linkAttributes, quoted } from './markdown-links.ts'
import type { Parser, Shared } from './markdown-parser.ts'

/** Longer runs of words stay plain text. No paragraph is that long, and its tokens would take 400 times the memory. */
const maxWords = 64 * 1024

/** A link back to each place that names a footnote; more would be longer than the text. */
export const maxReturns = 20

/** Whether each open link of a run is one, or text; they do not nest. */
type Run = { isLinked: boolean[] }
type Show = (token: Token, run: Run) => string

const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' '
      return type === 'image' ? textOf(children ?? []) : content
    })
    .join('')

const addressOf = (token: Token, name: string) => String(token.attrGet(name) ?? '')

const titleOf = (token: Token) => {
  const title = addressOf(token, 'title')
  return title === '' ? '' : ` title=${quoted(title)}`
}

/** Not a link, but its address can still be read. */
const unlinked = (address: string) => `<span class=off title=${quoted(`Not linked: ${address}`)}>`

const openLink: Show = (token, { isLinked }) => {
  const address = addressOf(token, 'href')
  const attributes = linkAttributes(address)
  isLinked.push(attributes !== undefined)
  return attributes === undefined ? unlinked(address) : `<a ${attributes}${titleOf(token)}>`
}

/** A picture is a link to it, with its description: a page loads nothing from elsewhere. */
const showImage: Show = (token, { isLinked }) => {
  const address = addressOf(token, 'src')
  const words = showText(textOf(token.children ?? [])) || 'Image'
  if (isLinked.length) return words
  const attributes = linkAttributes(address)
  if (attributes === undefined) return `${unlinked(address)}${words}</span>`
  return `<a class=picture ${attributes}${titleOf(token)}>${words}</a>`
}

const showReference: Show = ({ meta }) => {
  const [id, at] = [Number(meta?.id) + 1, Number(meta?.subId)]
  const own = at < maxReturns ? ` id=noteref-${id}-${at + 1}` : ''
  return `<sup><a href=#note-${id}${own} aria-label="Footnote ${id}">${id}</a></sup>`
}

/** Everything that may be in a run of words; other tokens are left out. */
const shows: Readonly<Record<string, Show>> = {
  text: ({ content }) => showText(content),
  code_inline: ({ content }) => `<code>${showText(content)}</code>`,
  softbreak: () => '\n',
  hardbreak: () => '<br>',
  strong_open: () => '<strong>',
  strong_close: () => '</strong>',
  em_open: () => '<em>',
  em_close: () => '</em>',
  s_open: () => '<s>',
  s_close: () => '</s>',
  link_open: openLink,
  link_close: (_, { isLinked }) => (isLinked.pop() ? '</a>' : '</span>'),
  image: showImage,
  footnote_ref: showReference,
}

/** Makes the HTML of words with markup. @returns the HTML, and the words alone */
export const createWords = (parser: Parser, shared: Shared) => (words: string) => {
  if (words.length > maxWords) return { html: showText(words), text: words }
  const tokens = parser.parseInline(words, shared as Record<string, unknown>)[0]?.children ?? []
  const run: Run = { isLinked: [] }
  return { html: tokens.map((token) => shows[token.type]?.(token, run) ?? '').join(''), text: textOf(tokens) }
}

import type { StateBlock, Token } from 'markdown-it'
import MarkdownIt from 'markdown-it'
import footnotes from 'markdown-it-footnote'
import { replaceInvisible, showText } from './show-text.ts'

/** The words of a paragraph, a cell or a heading, with their markup. */
export type Words = { words: string; heading?: number }
/** A block of code. */
export type Code = { code: string; info: string }
/** Finished HTML, or what becomes HTML when all of the text is read: an address may follow its use. */
export type Part = string | Words | Code

/** A block of the outermost level, such as a paragraph or a list. */
export type Block = { firstLine: number; parts: Part[] }

export type Blocks = {
  blocks: Block[]
  /** The parts of footnotes, by label. */
  notes: Map<string, Part[]>
  /** The first line of a block that is too large or too deep; nothing after it was read. */
  firstLeft?: number
  shared: Shared
  parser: Parser
}

/** Tokens of one block, 600 bytes each. A table with 7,000 rows of four cells has as many. */
const maxTokens = 100_000

/** Deeper quotes and lists end a preview: the library would leave out what is in them. */
const maxNesting = 40

const full = Symbol('the block is too large')

/** Block tokens with a tag of their own. */
const tags: Readonly<Record<string, string>> = {
  paragraph: 'p',
  blockquote: 'blockquote',
  bullet_list: 'ul',
  list_item: 'li',
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  summary: 'summary',
}

const task = /^\[([ xX])\][ \t]+/

/** The box of a task, which is the first thing in its list item. */
const taskIn = (tokens: readonly Token[], at: number) => {
  const words = tokens[at + 1]?.type === 'paragraph_open' ? tokens[at + 2] : undefined
  return words?.type === 'inline' ? task.exec(words.content)?.[1] : undefined
}

const boxOf = (mark: string) =>
  `<input type=checkbox disabled aria-label="${mark === ' ' ? 'To do' : 'Done'}"${mark === ' ' ? '' : ' checked'}> `

const alert = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

/** The kind of a quote that begins as GitHub's alerts do. */
const alertIn = (tokens: readonly Token[], at: number) => {
  const words = tokens[at + 1]?.type === 'paragraph_open' ? tokens[at + 2] : undefined
  return tokens[at]?.type === 'blockquote_open'
    ? alert.exec(words?.content ?? '')?.[1]?.toLowerCase()
    : undefined
}

const alertHtml = (kind: string) =>
  `<blockquote class="alert ${kind}"><p class=kind>${kind.charAt(0).toUpperCase()}${kind.slice(1)}</p>`

const cellClass = (token: Token) => {
  const side = /^text-align:(right|center)$/.exec(String(token.attrGet('style') ?? ''))?.[1]
  return side === undefined ? '' : ` class=${side === 'right' ? 'r' : 'c'}`
}

/** An empty cell heads nothing. */
const cellTag = (tokens: readonly Token[], at: number) =>
  tokens[at]?.type === 'th_open' && tokens[at + 1]?.content === '' ? 'td' : (tokens[at]?.tag ?? 'td')

type Open = (tokens: readonly Token[], at: number) => string

const opening: Readonly<Record<string, Open>> = {
  list_item_open: (tokens, at) => {
    const mark = taskIn(tokens, at)
    return mark === undefined ? '<li>' : `<li class=task>${boxOf(mark)}`
  },
  blockquote_open: (tokens, at) => {
    const kind = alertIn(tokens, at)
    return kind === undefined ? '<blockquote>' : alertHtml(kind)
  },
  details_open: (tokens, at) => (tokens[at]?.info === 'open' ? '<details open>' : '<details>'),
  details_close: () => '</details>\n',
  ordered_list_open: (tokens, at) => {
    const start = Number(tokens[at]?.attrGet('start') ?? 1)
    return start === 1 ? '<ol>' : `<ol start=${start}>`
  },
  ordered_list_close: () => '</ol>',
  table_open: () => '<div class=wide role=group aria-label=Table tabindex=0><table>',
  table_close: () => '</table></div>',
  th_open: (tokens, at) => `<${cellTag(tokens, at)}${cellClass(tokens[at] as Token)}>`,
  th_close: () => '',
  td_open: (tokens, at) => `<td${cellClass(tokens[at] as Token)}>`,
  td_close: () => '',
  hr: () => '<hr>',
}

/** The HTML of a token that has no words. Unknown tokens have none. */
const htmlOf = (tokens: readonly Token[], at: number) => {
  const { type, hidden } = tokens[at] as Token
  if (hidden) return type === 'paragraph_close' ? '\n' : ''
  const open = opening[type]
  if (open) return open(tokens, at)
  const [name = '', kind] = type.split(/_(?=open$|close$)/)
  const tag = tags[name]
  return tag === undefined ? '' : kind === 'open' ? `<${tag}>` : `</${tag}>\n`
}

const headingWords = (tokens: readonly Token[], at: number): Words => {
  const { content } = tokens[at] as Token
  const before = tokens[at - 1]
  if (before?.type === 'heading_open') return { words: content, heading: Number(before.tag.slice(1)) }
  if (alertIn(tokens, at - 2) !== undefined) return { words: content.replace(alert, '') }
  const isTask = taskIn(tokens, at - 2) !== undefined && tokens[at - 2]?.type === 'list_item_open'
  return { words: isTask ? content.replace(task, '') : content }
}

const push = (parts: Part[], part: Part) => {
  const last = parts.at(-1)
  if (part === '') return
  if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
  else parts.push(part)
}

/** Turns tokens into parts, which take a tenth of the memory. Footnotes go where they belong. */
const partsOf = (tokens: readonly Token[], notes: Map<string, Part[]>) => {
  const parts: Part[] = []
  const targets = [parts]
  for (const [at, { type, content, info, meta }] of tokens.entries()) {
    const target = targets.at(-1) as Part[]
    if (type === 'footnote_reference_open') {
      const note: Part[] = []
      notes.set(String(meta?.label), note)
      targets.push(note)
    } else if (type === 'footnote_reference_close') targets.pop()
    else if (type === 'inline') target.push(headingWords(tokens, at))
    else if (type === 'fence' || type === 'code_block') target.push({ code: content, info })
    else push(target, htmlOf(tokens, at))
  }
  return parts
}

/** Facts about a text that some programs put before it, between two lines of dashes: short, and with a name first. */
const frontMatter = /^---\n(?=[\w-]+:)((?:(?!---\n).*\n){1,100})---\n/

/** The facts before a text as code, and the text with empty lines in their place. */
const splitFacts = (text: string): { facts: Block[]; rest: string } => {
  const [all = '', code = ''] = frontMatter.exec(text) ?? []
  const rest = '\n'.repeat(all.split('\n').length - 1) + text.slice(all.length)
  return { facts: all === '' ? [] : [{ firstLine: 0, parts: [{ code, info: 'yaml' }] }], rest }
}

/**
 * Reads the blocks of a text, one of the outermost level after the other, so only the tokens of one are in memory.
 * @param text with LF as its only line end
 */
export const readBlocks = (text: string): Blocks => {
  const shared: Shared = {}
  const notes = new Map<string, Part[]>()
  const { facts: blocks, rest } = splitFacts(text)
  const tokens: Token[] = []
  let firstLine = 0

  const flush = () => {
    const parts = partsOf(tokens, notes)
    tokens.length = 0
    if (parts.length) blocks.push({ firstLine, parts })
  }
  const parser = createParser(({ level }, line) => {
    if (level >= maxNesting) throw full
    if (level > 0) return
    flush()
    firstLine = line
  })
  const state = new parser.block.State(rest, parser, shared, tokens)
  const { push: pushToken } = state
  state.push = (...token) => {
    if (tokens.length >= maxTokens) throw full
    return pushToken.apply(state, token)
  }
  const read = { blocks, notes, shared, parser }
  try {
    parser.block.tokenize(state, 0, state.lineMax)
    flush()
    return read
  } catch (error) {
    if (error !== full) throw error
    return { ...read, firstLeft: firstLine }
  }
}

/** Longer runs of words stay plain text. No paragraph is that long, and its tokens would take 400 times the memory. */
const maxWords = 64 * 1024

/** A link back to each place that names a footnote; more would be longer than the text. */
export const maxReturns = 20

/** Whether each open link of a run is one, or text; they do not nest. */
type Run = { isLinked: boolean[] }
type Show = (token: Token, run: Run) => string

const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' '
      return type === 'image' ? plainText(children ?? []) : content
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
  const words = showText(plainText(token.children ?? [])) || 'Image'
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
  return {
    html: tokens.map((token) => shows[token.type]?.(token, run) ?? '').join(''),
    text: plainText(tokens),
  }
}

/** Escapes an attribute's value, with its quotes. Invisible characters have no marks there. */
export const quoted = (text: string) =>
  `"${replaceInvisible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\0', '␀')
    .replaceAll('\r', '&#13;')}"`

/** Begins what the preview names itself, so no heading takes the name of a part of the page. */
export const idPrefix = 'md-'

const safeDecode = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Addresses that a preview links to. Without `//`, a browser would read `https:x` relative to the page. */
const isOutward = (address: string) =>
  /^mailto:[^\s]/i.test(address) || (/^https?:\/\//i.test(address) && URL.canParse(address))

/** The attributes of a link, or `undefined` if the address may not be linked to. @param address as the library encodes it */
export const linkAttributes = (address: string): string | undefined => {
  if (/^#./.test(address))
    return `href=${quoted(`#${idPrefix}${encodeURIComponent(safeDecode(address.slice(1)))}`)}`
  return isOutward(address) ? `href=${quoted(address)} rel="noopener noreferrer nofollow"` : undefined
}

const detailsOpen = /^<details( open)?>[ \t]*(?=<summary>|$)/i
const detailsClose = /^<\/details>[ \t]*$/i
/** What may be before both in a line: quotes and lists. */
const around = /^[ \t>*+-]*(?:\d{1,9}[.)][ \t]+)?/
const fenceMark = /^(?:```|~~~)/

/** Where each `<details>` of a text ends, by line. Made once: to look for each end on its own takes quadratic time. */
const pairsOf = (text: string) => {
  const pairs = new Map<number, number>()
  if (!/<details/i.test(text)) return pairs
  const open: number[] = []
  let fence = ''
  for (const [at, whole] of text.split('\n').entries()) {
    const line = whole.replace(around, '')
    const mark = fenceMark.exec(line)?.[0] ?? ''
    if (mark !== '' && (fence === '' || fence === mark)) fence = fence === '' ? mark : ''
    else if (fence !== '') continue
    else if (detailsOpen.test(line)) open.push(at)
    else if (detailsClose.test(line)) {
      const start = open.pop()
      if (start !== undefined) pairs.set(start, at)
    }
  }
  return pairs
}

/** The tags that often are in a summary, and are left out. */
const boldTags = /<\/?(?:b|strong|i|em|code|h[1-6])>/gi
const summaryTag = /^\s*<summary>([\s\S]*?)<\/summary>[ \t]*(?:\n|$)/i
/** Lines that a summary may take. */
const summaryLines = 10

/** `<details>` and `<summary>` on lines of their own, with Markdown between them. Everything else that looks like HTML is text. */
const useDetails = (parser: InstanceType<typeof MarkdownIt>) => {
  const known = new WeakMap<StateBlock, Map<number, number>>()
  const lineOf = ({ src, bMarks, tShift, eMarks }: StateBlock, line: number) =>
    src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line])

  const endOf = (state: StateBlock, first: number, last: number) => {
    const pairs = known.get(state) ?? pairsOf(state.src)
    known.set(state, pairs)
    const end = pairs.get(first)
    if (end === undefined || end >= last || (state.sCount[end] ?? 0) < state.blkIndent) return undefined
    return detailsClose.test(lineOf(state, end)) ? end : undefined
  }

  const rule = (state: StateBlock, first: number, last: number, isSilent: boolean) => {
    const opening = detailsOpen.exec(lineOf(state, first))
    const end = opening ? endOf(state, first, last) : undefined
    if (!opening || end === undefined) return false
    if (isSilent) return true

    const head = [lineOf(state, first).slice(opening[0].length)]
    const next = Math.min(end, first + summaryLines)
    for (let line = first + 1; line < next; line++) head.push(lineOf(state, line))
    const [taken = '', words = 'Details'] = summaryTag.exec(head.join('\n')) ?? []
    const begin = first + Math.max(1, taken.split('\n').length - (taken.endsWith('\n') ? 1 : 0))

    state.push('details_open', 'details', 1).info = opening[1] ? 'open' : ''
    state.push('summary_open', 'summary', 1)
    const inline = state.push('inline', '', 0)
    inline.content = words.replace(boldTags, '').trim() || 'Details'
    inline.children = []
    state.push('summary_close', 'summary', -1)
    const { lineMax, parentType } = state
    state.lineMax = end
    state.parentType = 'root'
    parser.block.tokenize(state, begin, end)
    state.lineMax = lineMax
    state.parentType = parentType
    state.push('details_close', 'details', -1)
    state.line = end + 1
    return true
  }
  parser.block.ruler.before('heading', 'details', rule, { alt: ['paragraph', 'reference', 'blockquote'] })
}

/**
 * CommonMark with tables, struck-out text, footnotes, details and links to bare addresses; no other HTML. Other modules make
 * the blocks and the HTML: the library's own renderer is not used.
 * @param onBlock called where a block of any level begins
 */
export const createParser = (onBlock: (state: StateBlock, line: number) => void) => {
  const parser = new MarkdownIt({ html: false, linkify: true })
  parser.use(footnotes)
  parser.use(useDetails)
  // `^[…]` belongs to another dialect, and takes quadratic time; the tail needs all tokens of a text at once.
  parser.disable(['footnote_inline', 'footnote_tail'])
  // Only addresses that say how they begin: "README.md" and "a@b.c" are words.
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  for (const scheme of ['ftp:', '//', 'mailto:']) parser.linkify.add(scheme, null)
  // What may be a link is decided when its HTML is made, where it can be shown as text.
  parser.validateLink = () => true
  // Is asked before all other rules, and never matches.
  parser.block.ruler.before('table', 'beginning', (state, line) => {
    onBlock(state, line)
    return false
  })
  return parser
}
export type Parser = ReturnType<typeof createParser>

/** What the plugin for footnotes knows: the number of each label, and the labels by number. */
export type Footnotes = {
  refs?: Record<string, number>
  list?: { label: string; count: number }[]
}

/** What the parts of one text share: the addresses of `[label]: address`, and the footnotes. */
export type Shared = { references?: Record<string, { title: string; href: string }>; footnotes?: Footnotes }

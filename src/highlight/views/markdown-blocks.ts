import type { Token } from 'markdown-it'
import { createParser, type Parser, type Shared } from './markdown-parser.ts'

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
}

const task = /^\[([ xX])\][ \t]+/

/** The box of a task, which is the first thing in its list item. */
const taskIn = (tokens: readonly Token[], at: number) => {
  const words = tokens[at + 1]?.type === 'paragraph_open' ? tokens[at + 2] : undefined
  return words?.type === 'inline' ? task.exec(words.content)?.[1] : undefined
}

const boxOf = (mark: string) =>
  `<input type=checkbox disabled aria-label="${mark === ' ' ? 'To do' : 'Done'}"${mark === ' ' ? '' : ' checked'}> `

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

const wordsOf = (tokens: readonly Token[], at: number): Words => {
  const { content } = tokens[at] as Token
  const before = tokens[at - 1]
  if (before?.type === 'heading_open') return { words: content, heading: Number(before.tag.slice(1)) }
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
    else if (type === 'inline') target.push(wordsOf(tokens, at))
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

import MarkdownIt, { type StateBlock } from 'markdown-it'
import footnotes from 'markdown-it-footnote'

/**
 * CommonMark with tables, struck-out text, footnotes and links to bare addresses; no HTML. Other modules make the blocks and
 * the HTML: the library's own renderer is not used.
 * @param onBlock called where a block of any level begins
 */
export const createParser = (onBlock: (state: StateBlock, line: number) => void) => {
  const parser = new MarkdownIt({ html: false, linkify: true })
  parser.use(footnotes)
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

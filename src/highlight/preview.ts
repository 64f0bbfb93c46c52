import GithubSlugger from 'github-slugger'
import { findLanguage } from './languages/languages.ts'
import {
  createLargeHtml,
  htmlOfToken,
  type Lines,
  maxLinesBytes,
  type Renderer,
  renderRefused,
  type TokensOf,
} from './lines.ts'
import {
  type Block,
  type Blocks,
  type Code,
  createWords,
  idPrefix,
  maxReturns,
  type Part,
  quoted,
  readBlocks,
} from './markdown.ts'
import { countLines, showText } from './show-text.ts'

/** Longest name of a heading, in UTF-16 units. */
const maxNameChars = 200

/** A text with as many lines and headings has an outline, of so many entries at most. */
const [longLines, fewEntries, maxEntries] = [100, 4, 300]

type Make = (parts: readonly Part[]) => Promise<string>

/** A heading that the outline links to. */
type Heading = { id: string; level: number; text: string }

/** Makes the HTML of parts in their order: headings, footnotes and coloured code are counted. */
const createMaker = ({ parser, shared }: Blocks, fences: Fences, outline: Heading[]): Make => {
  const wordsOf = createWords(parser, shared)
  const names = new GithubSlugger()

  /** The title of the page is above all headings of the text. */
  const headingOf = (words: string, level: number) => {
    const { html, text } = wordsOf(words)
    const tag = `h${Math.min(6, level + 1)}`
    const id = idPrefix + names.slug(text.slice(0, maxNameChars))
    if (level <= 3 && outline.length < maxEntries)
      outline.push({ id, level, text: text.slice(0, maxNameChars) })
    const link = `<a class=anchor href=${hrefOf(id)} aria-label="Link to this heading"></a>`
    return `<${tag} id=${quoted(id)}>${html}${link}</${tag}>\n`
  }

  return async (parts) => {
    let html = ''
    for (const part of parts) {
      if (typeof part === 'string') html += part
      else if ('code' in part) html += await fences.show(part)
      else if (part.heading === undefined) html += wordsOf(part.words).html
      else html += headingOf(part.words, part.heading)
    }
    return html
  }
}

const hrefOf = (id: string) => quoted(`#${encodeURIComponent(id)}`)

/** The headings of a long text, folded. */
const outlineHtml = (outline: readonly Heading[], lines: number) => {
  if (lines < longLines || outline.length < fewEntries) return ''
  const entries = outline.map(
    ({ id, level, text }) => `<li class=l${level}><a href=${hrefOf(id)}>${showText(text)}</a></li>\n`,
  )
  return `<details class=outline><summary>Contents</summary><ul>${entries.join('')}</ul></details>\n`
}

const returnsTo = (id: number, count: number) =>
  Array.from({ length: Math.min(count, maxReturns) }, (_, at) => {
    const name = at === 0 ? 'Back to the text' : `Back to the text, place ${at + 1}`
    return ` <a class=back href=#noteref-${id}-${at + 1} aria-label="${name}">↩</a>`
  }).join('')

const paragraphEnd = '</p>\n'

/** Those that the text names, in the order of their numbers. One may name another, so the list can grow meanwhile. */
async function* notesOf({ shared, notes }: Blocks, make: Make) {
  for (const [at, { label, count }] of (shared.footnotes?.list ?? []).entries()) {
    const html = await make(notes.get(label) ?? [])
    const returns = returnsTo(at + 1, count)
    const isParagraph = html.endsWith(paragraphEnd)
    const inside = isParagraph ? html.slice(0, -paragraphEnd.length) + returns + paragraphEnd : html + returns
    yield `<li id=note-${at + 1}>${inside}</li>\n`
  }
}

const tooMuch = { why: 'Its first part is too large for a preview, or nested too deeply.' }
const open = '<div class=prose>\n'
const close = '</div>'

/** Collects HTML until the page is full. */
const createPage = () => {
  const html = createLargeHtml()
  let bytes = open.length + close.length
  return {
    /** @returns false if it does not fit any more */
    add: (piece: string) => {
      const size = Buffer.byteLength(piece)
      if (bytes + size > maxLinesBytes) return false
      bytes += size
      html.add(piece)
      return true
    },
    /** @param first what comes before all the rest, if it fits */
    take: (first: string) => {
      html.add(close)
      return [open + (bytes + Buffer.byteLength(first) > maxLinesBytes ? '' : first), ...html.take()]
    },
  }
}

/** @returns the first block that did not fit */
const addBlocks = async ({ blocks }: Blocks, make: Make, add: (piece: string) => boolean) => {
  for (const block of blocks) if (!add(await make(block.parts))) return block
  return undefined
}

const addNotes = async (read: Blocks, make: Make, add: (piece: string) => boolean) => {
  if (!read.shared.footnotes?.list?.length || !add('<section class=notes aria-label=Footnotes><ol>')) return
  for await (const piece of notesOf(read, make)) if (!add(piece)) break
  add('</ol></section>')
}

/** Shows Markdown as it is meant to look. A text that is nested too deeply, or too large, is shown up to there. */
export const renderPreview: Renderer = async ({ text, ...job }, tokensOf, onStart) => {
  const fences = await createFences(tokensOf, text)
  onStart()
  const read = readBlocks(text.replaceAll('\r\n', '\n'))
  const outline: Heading[] = []
  const make = createMaker(read, fences, outline)
  const { add, take } = createPage()
  const left: Block | undefined = await addBlocks(read, make, add)
  const total = countLines(text)
  const shown = left?.firstLine ?? read.firstLeft ?? total
  if (shown === 0) return renderRefused({ text, ...job }, tokensOf, tooMuch)
  await addNotes(read, make, add)
  return { html: take(outlineHtml(outline, shown)), shown, total, isPartial: false } satisfies Lines
}

/**
 * What is coloured in one preview; later code is plain. Each grammar takes 0.1 s, and 10 KiB of code as much. The words of a
 * long text need most of the time for themselves.
 */
const mostOf = (text: string) =>
  text.length > 128 * 1024
    ? { chars: 16 * 1024, blocks: 50, languages: 2 }
    : { chars: 64 * 1024, blocks: 200, languages: 5 }

/** A little of many languages. A grammar is compiled when it is first used, which takes up to 0.5 s of processor time. */
const warmUp = 'const a = ["b", 1] // c\nif (d) { e(f) }\n<g h="i">j</g>\n'

/** Names of languages that are looked up: the nearest one to an unknown name takes a while. */
const maxNames = 100

const firstWord = (info: string) => /^[^\s{,:]{1,30}/.exec(info)?.[0]

/** Lines that begin a block of code, perhaps in quotes or lists. */
const fence = /^[ \t>*+-]{0,40}(?:```+|~~~+)[ \t]*([^\s{,:`]{1,30})/gm

/** The first languages of the blocks of code, by the name that the text gives them. */
const languagesIn = (text: string, most: number) => {
  const names = new Set<string>()
  const languages = new Map<string, string>(text.startsWith('---') ? [['yaml', 'yaml']] : [])
  for (const [, name = ''] of text.matchAll(fence)) {
    if (names.has(name)) continue
    const found = findLanguage(name)
    if ('id' in found && found.id !== 'text') languages.set(name, found.id)
    names.add(name)
    if (names.size >= maxNames || languages.size >= most) break
  }
  return languages
}

/** Makes the grammars of a text ready, and colours its blocks of code as on pages, until there is too much. */
export const createFences = async (tokensOf: TokensOf, text: string) => {
  const most = mostOf(text)
  const languages = languagesIn(text, most.languages)
  for (const language of languages.values()) await tokensOf(warmUp, language)
  let [chars, blocks] = [0, 0]

  const htmlOf = async ({ code, info }: Code) => {
    const language = languages.get(firstWord(info) ?? '')
    if (language === undefined || blocks >= most.blocks || chars + code.length > most.chars)
      return showText(code)
    chars += code.length
    blocks++
    const lines = await tokensOf(code.replace(/\n$/, ''), language)
    return lines.map((tokens) => tokens.map(htmlOfToken).join('')).join('\n')
  }
  return { show: async (code: Code) => `<pre tabindex=0><code>${await htmlOf(code)}</code></pre>\n` }
}
export type Fences = Awaited<ReturnType<typeof createFences>>

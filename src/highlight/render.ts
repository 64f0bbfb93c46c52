import { setImmediate as nextTurn } from 'node:timers/promises'
import { wordPattern } from '../items/text/text-part.ts'
import { terminalText } from './ansi/ansi.ts'
import type { Compared } from './compare/diff-html.ts'
import { createLines } from './lines.ts'
import type { LogFacts } from './log/read-log.ts'
import { hitsIn, markedHtml } from './marks.ts'
import { pieceEnd } from './pieces.ts'
import { escapeText, showText, spanOf } from './show-text.ts'

/** Characters in one style, from shiki or with the names of classes. */
export type Token = { content: string; color?: string; fontStyle?: number; classes?: string }

/** Counts line ends in a loop: splitting 1 MB into lines blocks the server for 6 ms. */
const countLineEnds = (text: string) => {
  let ends = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends++
  return ends
}

/** The number of lines that a reader sees: the line end at the end of the text starts no new line. */
export const countLines = (text: string) => Math.max(1, countLineEnds(text) + (text.endsWith('\n') ? 0 : 1))

/** A sentence for a page, and the line that it is about. */
export type Trouble = { why: string; line?: number }

/** The lines of a text on a page; only the first ones if the text is too long for a page. */
export type Lines = {
  /** Lists of lines as escaped HTML, in pieces: 10 MB at once would block the server. */
  html: readonly string[]
  /** Number of lines that it contains or begins. */
  shown: number
  /** Number of lines of the text. */
  total: number
  /** True if the last line is cut off. */
  isPartial: boolean
  /** How much two texts differ, if another one was compared. */
  compared?: Compared
  /** Number of lines that a filter keeps, if there is one. */
  kept?: number
  /** What a page says of a log. */
  log?: LogFacts
  /** Why a view shows the whole text as it is. */
  refused?: Trouble
  /** What is wrong with the first part that a view shows as it is. */
  problem?: Trouble
}

/** True if the page shows only a part of the text, or of what a filter keeps of it. */
export const isCut = ({ shown, total, kept = total, isPartial }: Omit<Lines, 'html'>) =>
  isPartial || shown < kept

// shiki's font style bits: italic 1, bold 2, underline 4, strikethrough 8.
const styleClasses = ['i', 'b', 'u', 's']
const classesOfStyle = (style: number) => styleClasses.filter((_, bit) => style & (1 << bit))

/** @param classOfColour returns the short class name of a colour in the merged theme; empty for ordinary text */
const createClassesOf =
  (classOfColour: (colour: string) => string) =>
  ({ color, fontStyle = 0, classes }: Token) => {
    if (classes !== undefined) return classes
    const colourClass = color ? classOfColour(color) : ''
    return fontStyle > 0 ? [colourClass, ...classesOfStyle(fontStyle)].join(' ').trim() : colourClass
  }

/** Returns the HTML of a token. @param classOfColour as above */
export const createTokenHtml = (classOfColour: (colour: string) => string) => {
  const classesOf = createClassesOf(classOfColour)
  return (token: Token) => spanOf(classesOf(token), showText(token.content))
}

/** The classes of a line, and its HTML if its tokens are not shown. */
export type TokensLook = { classes: string; html?: string }

type TokensOptions = {
  maxBytes?: number
  /** Only the lines that contain it, which are searched as they are shown. */
  grep?: string | undefined
  /** How a line looks, from 0. */
  lookOf?: ((line: number) => TokensLook) | undefined
}

/** @param classOfColour as above */
export const renderTokens = (
  text: string,
  tokenLines: readonly (readonly Token[])[],
  classOfColour: (colour: string) => string,
  { maxBytes, grep, lookOf }: TokensOptions = {},
): Lines => {
  const classesOf = createClassesOf(classOfColour)
  const htmlOf = createTokenHtml(classOfColour)
  const renderLine = (tokens: readonly Token[]) => tokens.map(htmlOf).join('')
  const pattern = grep === undefined ? undefined : wordPattern(grep)
  const renderHit = (tokens: readonly Token[]) => {
    const hits = pattern ? hitsIn(tokens.map(({ content }) => content).join(''), pattern) : []
    return hits.length ? markedHtml(tokens, hits, classesOf) : undefined
  }
  const ends = [...text.matchAll(/\r?\n/g)].map(([end]) => escapeText(end))
  const lines = createLines(maxBytes)
  let kept = 0
  let isFull = false
  for (const [at, tokens] of tokenLines.entries()) {
    // A line end at the end of the text starts no new line.
    const isLine = at === 0 || at < ends.length || tokens.some(({ content }) => content !== '')
    const { classes = '', html: own } = lookOf?.(at) ?? {}
    const html = pattern ? renderHit(tokens) : (own ?? renderLine(tokens))
    if (!isLine || html === undefined) continue
    kept++
    isFull ||= !lines.add(html + (ends[at] ?? ''), { number: at + 1, classes })
    if (isFull && !pattern) break
  }
  const end = lines.end()
  return {
    html: [`${lines.take()}${end}`],
    ...lines.shown(),
    total: countLines(text),
    ...(pattern && { kept }),
  }
}

/** Either takes a millisecond: this many characters, or this many lines. Characters that all need marks take 15. */
const pieceChars = 16 * 1024
const pieceLines = 2000

/**
 * Renders without a grammar, so it cannot fail. The server itself does this, in pieces, because 1 MB at once would block it
 * for 14 ms. A line may be as long as the text, so a piece may end inside one.
 */
export function* plainPieces(
  text: string,
  language = 'text',
  maxBytes?: number,
): Generator<string, Omit<Lines, 'html'>> {
  const show = language === 'ansi' ? (piece: string) => showText(terminalText(piece)) : showText
  const lines = createLines(maxBytes)
  let hasRoom = lines.add('')
  let isBegun = true
  let lineEnds = 0
  for (let start = 0, next = 0; start < text.length; start = next) {
    // Ends at a line end if possible, because no control sequence crosses one.
    next = text.lastIndexOf('\n', start + pieceChars - 1) + 1
    if (next <= start) next = pieceEnd(text, start, pieceChars)
    // Keeps CRLF together: a CR alone would be marked.
    if (text[next - 1] === '\r' && text[next] === '\n') next++
    const piece = text.slice(start, next)
    lineEnds += countLineEnds(piece)
    if (!hasRoom) {
      yield ''
      continue
    }
    const html = show(piece)
    let inPiece = 0
    for (let at = 0; hasRoom && at < html.length; ) {
      const end = html.indexOf('\n', at) + 1 || html.length
      const line = html.slice(at, end)
      hasRoom = isBegun ? lines.extend(line) : lines.add(line)
      isBegun = !line.endsWith('\n')
      at = end
      if (++inPiece % pieceLines === 0) yield lines.take()
    }
    yield lines.take()
  }
  yield `${lines.take()}${lines.end()}`
  const total = Math.max(1, lineEnds + (text.endsWith('\n') ? 0 : 1))
  return { ...lines.shown(), total }
}

/** Other requests get a turn between pieces. @param language `ansi` removes control sequences */
export const renderPlain = async (text: string, language: string): Promise<Lines> => {
  const pieces = plainPieces(text, language)
  const html: string[] = []
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return { html, ...value }
    html.push(value)
    await nextTurn()
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { terminalText } from './ansi/ansi.ts'
import type { Compared } from './compare/render-comparison.ts'
import { pieceEnd } from './pieces.ts'
import { escapeText, showText } from './show-text.ts'

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
}

/** True if the page shows only a part of the text. */
export const isCut = ({ shown, total, isPartial }: Omit<Lines, 'html'>) => isPartial || shown < total

/** No page is larger than 10 MB. These are its lines; the difference is for the rest of the page. */
const maxLinesBytes = 9_800_000

/** A browser lays out this many lines together, and not before they come into sight. */
const linesPerGroup = 100

/** Comes after the last line. */
const linesEnd = '</ol></div>'

/**
 * Collects lines, each with its end, in one list per group. `start` numbers the lines of a group, so the numbers are not text
 * and are not copied. Browsers skip the layout of groups out of sight, each in a `<div>`: on the list itself, that would
 * restart its numbers at 1. Optional end tags and quotes are left out: they were a fifth of the page.
 */
export const createLines = (maxBytes = maxLinesBytes) => {
  let parts: string[] = []
  let count = 0
  let bytes = 0
  let isPartial = false

  const put = (start: string, html: string) => {
    const size = start.length + Buffer.byteLength(html)
    if (bytes + size > maxBytes) return false
    bytes += size
    parts.push(start, html)
    return true
  }

  return {
    /** @param classes of the line @returns false once the page is full */
    add: (html: string, classes = '') => {
      const group = count % linesPerGroup === 0 ? `${count ? linesEnd : ''}<div><ol start=${count + 1}>` : ''
      const isPut = put(`${group}<li id=L${count + 1}${classes && ` class=${classes}`}>`, html)
      if (isPut) count++
      return isPut
    },
    /** Continues the last line. */
    extend: (html: string) => {
      isPartial = !put('', html)
      return !isPartial
    },
    /** The HTML collected since the last call. */
    take: () => {
      const html = parts.join('')
      parts = []
      return html
    },
    shown: () => ({ shown: count, isPartial }),
  }
}

// shiki's font style bits: italic 1, bold 2, underline 4, strikethrough 8.
const styleClasses = ['i', 'b', 'u', 's']
const classesOfStyle = (style: number) => styleClasses.filter((_, bit) => style & (1 << bit))

/** The class of a line, empty for a usual one; and its HTML, if its tokens are not shown. */
export type LineLook = { classes: string; html?: string }

const usualLook = (): LineLook => ({ classes: '' })

/**
 * @param classOfColour returns the short class name of a colour in the merged theme; empty for ordinary text
 * @param lookOf a line, from 0
 */
export const renderTokens = (
  text: string,
  tokenLines: readonly (readonly Token[])[],
  classOfColour: (colour: string) => string,
  maxBytes = maxLinesBytes,
  lookOf: (line: number) => LineLook = usualLook,
): Lines => {
  const classesOf = ({ color, fontStyle = 0, classes }: Token) => {
    if (classes !== undefined) return classes
    const colourClass = color ? classOfColour(color) : ''
    return fontStyle > 0 ? [colourClass, ...classesOfStyle(fontStyle)].join(' ').trim() : colourClass
  }
  const renderToken = (token: Token) => {
    const classes = classesOf(token)
    const content = showText(token.content)
    return classes
      ? `<span class=${classes.includes(' ') ? `"${classes}"` : classes}>${content}</span>`
      : content
  }
  const ends = [...text.matchAll(/\r?\n/g)].map(([end]) => escapeText(end))
  const lines = createLines(maxBytes)
  for (const [at, tokens] of tokenLines.entries()) {
    const { classes, html = tokens.map(renderToken).join('') } = lookOf(at)
    // A line end at the end of the text starts no new line.
    const isLine = html !== '' || at === 0 || at < ends.length
    if (isLine && !lines.add(html + (ends[at] ?? ''), classes)) break
  }
  return { html: [`${lines.take()}${linesEnd}`], ...lines.shown(), total: countLines(text) }
}

/** Either takes 1 ms: this many characters, or this many lines, even short ones. */
const pieceChars = 64 * 1024
const pieceLines = 2000

/**
 * Renders without a grammar, so it cannot fail. The server itself does this, in pieces, because 1 MB at once would block it
 * for 14 ms. A line may be as long as the text, so a piece may end inside one.
 */
export function* plainPieces(
  text: string,
  language = 'text',
  maxBytes = maxLinesBytes,
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
  yield `${lines.take()}${linesEnd}`
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

import { setImmediate as nextTurn } from 'node:timers/promises'
import { terminalText } from './ansi/ansi.ts'
import { pieceEnd } from './pieces.ts'
import { escapeText, showText } from './show-text.ts'

/** A run of characters with the same looks, as shiki gives it, or with the names of classes. */
export type Token = { content: string; color?: string; fontStyle?: number; classes?: string }

/** How many line ends there are. A loop, for a list of the lines of 1 MB holds everybody up for 6 ms. */
const countLineEnds = (text: string) => {
  let ends = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends++
  return ends
}

/** How many lines a reader sees: a line end at the very end begins no further one. */
export const countLines = (text: string) => Math.max(1, countLineEnds(text) + (text.endsWith('\n') ? 0 : 1))

/** The lines of a text as the page shows them, which are its first ones where it is too long for a page. */
export type Lines = {
  /** Lists of lines of escaped HTML, in pieces: 10 MB at once would hold up the server. */
  html: readonly string[]
  /** How many lines are begun in it. */
  shown: number
  /** How many lines the text has. */
  total: number
  /** True where the last of the lines shown ends too early. */
  isPartial: boolean
}

/** True where the page does not show the whole text. */
export const isCut = ({ shown, total, isPartial }: Omit<Lines, 'html'>) => isPartial || shown < total

/** No page has more than 10 MB: these are its lines, and the rest is for what stands around them. */
const maxLinesBytes = 9_800_000

/** Lines that a browser lays out together, or not at all while they are out of sight. */
const linesPerGroup = 100

/** What stands after the last line. */
const linesEnd = '</ol></div>'

/**
 * Collects lines, each with its end, in one list per group: `start` gives a group its line numbers, which therefore are
 * no text and are not copied. The browser skips whole groups out of sight, and does so by their `<div>`: on the list
 * itself that would make its numbers begin at 1 again. End tags and quotes that HTML does not ask for are left out:
 * they were a fifth of the page.
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
    /** False, from then on, for a line that the page has no room for. */
    add: (html: string) => {
      const group = count % linesPerGroup === 0 ? `${count ? linesEnd : ''}<div><ol start=${count + 1}>` : ''
      const isPut = put(`${group}<li id=L${count + 1}>`, html)
      if (isPut) count++
      return isPut
    },
    /** Goes on with the last line, which was not whole. */
    extend: (html: string) => {
      isPartial = !put('', html)
      return !isPartial
    },
    /** What was collected since it was last asked for. */
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

/** @param classOfColour short class name of a colour of the merged theme; empty for ordinary text */
export const renderTokens = (
  text: string,
  tokenLines: readonly (readonly Token[])[],
  classOfColour: (colour: string) => string,
  maxBytes = maxLinesBytes,
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
    const html = tokens.map(renderToken).join('')
    // A line end at the very end begins no further line.
    const isLine = html !== '' || at === 0 || at < ends.length
    if (isLine && !lines.add(html + (ends[at] ?? ''))) break
  }
  return { html: [`${lines.take()}${linesEnd}`], ...lines.shown(), total: countLines(text) }
}

/** Makes the server busy for 1 ms, and so do this many lines, however short they are. */
const pieceChars = 64 * 1024
const pieceLines = 2000

/**
 * The rendering that needs no grammar and cannot fail, in pieces: the server itself makes them, and 1 MB at once would
 * hold up everybody for 14 ms. A line may be as long as the text, so a piece may end within one.
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
    // After a line end where there is one: no control sequence goes across it.
    next = text.lastIndexOf('\n', start + pieceChars - 1) + 1
    if (next <= start) next = pieceEnd(text, start, pieceChars)
    // Nor does a line end: alone, its CR would be marked.
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

/** Others are answered between the pieces. @param language of `ansi`, no control sequence is shown */
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

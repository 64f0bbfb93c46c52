import { setImmediate as nextTurn } from 'node:timers/promises'
import { terminalText } from './ansi/ansi.ts'
import { pieceEnd } from './pieces.ts'
import { countLineEnds, createLines, type Lines, linesEnd, maxLinesBytes, showText } from './render.ts'

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

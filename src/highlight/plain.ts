import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLines, escapeText } from './render.ts'

/** Makes the server busy for 1 ms. */
const pieceChars = 64 * 1024

/**
 * The rendering that needs no grammar and cannot fail, in pieces: the server itself makes them, and 1 MB at once would
 * hold up everybody for 14 ms.
 */
export function* plainPieces(text: string): Generator<string> {
  const lines = createLines()
  let start = 0
  do {
    const end = text.indexOf('\n', start + pieceChars) + 1 || text.length
    const html = escapeText(text.slice(start, end))
    let lineStart = 0
    for (let at = html.indexOf('\n'); at >= 0; at = html.indexOf('\n', lineStart)) {
      lines.add(html.slice(lineStart, at + 1))
      lineStart = at + 1
    }
    // A line end at the very end begins no further line.
    if (lineStart === 0 || lineStart < html.length) lines.add(html.slice(lineStart))
    yield lines.take()
    start = end
  } while (start < text.length)
  yield '</ol>'
}

/** Others are answered between the pieces. */
export const renderPlain = async (text: string) => {
  const pieces: string[] = []
  for (const piece of plainPieces(text)) {
    pieces.push(piece)
    await nextTurn()
  }
  return pieces.join('')
}

/** Some lines of a text, counted from 1; `last` may be infinite. */
export type LineRange = { first: number; last: number }

/** The lines of a text that are wanted: those of a range, of these the ones that contain a word. */
export type TextPart = { lines?: LineRange | undefined; grep?: string | undefined }

/** In characters, not in UTF-16 units. */
export const longestGrep = 200

const rangeShape = /^(?:([1-9]\d{0,8})(-)?([1-9]\d{0,8})?|-([1-9]\d{0,8}))$/

/** `10`, `10-40`, `10-` and `-40`; `undefined` for everything else, a range that ends before it begins included. */
export const parseLineRange = (raw: string): LineRange | undefined => {
  const [, first, dash, last, only] = rangeShape.exec(raw) ?? []
  if (only !== undefined) return { first: 1, last: Number(only) }
  if (first === undefined || (dash === undefined && last !== undefined)) return undefined
  const end = dash === undefined ? Number(first) : Number(last ?? Number.POSITIVE_INFINITY)
  return end < Number(first) ? undefined : { first: Number(first), last: end }
}

/** What a range of lines must be, for messages. */
export const rangeRule = 'must be lines such as 10-40, 10, 10- or -40, counted from 1'

/** What is wrong with a word to search for; `undefined` if nothing is. */
export const grepProblem = (word: string): string | undefined => {
  if (word === '') return 'must not be empty'
  if (/[\r\n]/.test(word)) return 'must not contain a line end'
  const isLong = word.length > 2 * longestGrep || [...word].length > longestGrep
  return isLong ? `must have at most ${longestGrep} characters` : undefined
}

/** Finds a word everywhere, in any case. Folding case never changes the length, so positions are those of the text. */
export const wordPattern = (word: string) => new RegExp(RegExp.escape(word), 'giu')

/** Either takes about 1 ms; 200 equal letters in a text of the same letter take 5. */
const pieceChars = 32 * 1024
const linesPerPiece = 20_000

/** Where a line begins, counted from the line at `from`; the end of the text if there are not as many. */
function* startOfLine(text: string, line: number, from = 0): Generator<'', number> {
  let at = from
  for (let before = 1; before < line; before++) {
    at = text.indexOf('\n', at) + 1
    if (at === 0) return text.length
    if (before % linesPerPiece === 0) yield ''
  }
  return at
}

/** The lines with the word between two positions, each of them the start of a line or the end of the text. */
function* linesWith(text: string, word: string, start: number, end: number): Generator<string> {
  const pattern = wordPattern(word)
  for (let at = start, next = start; at < end; at = next) {
    const pieceEnd = Math.min(end, at + pieceChars + word.length)
    const piece = text.slice(at, pieceEnd)
    // The word may lie across the end of the piece.
    next = pieceEnd === end ? end : pieceEnd - word.length + 1
    let kept = ''
    pattern.lastIndex = 0
    for (let found = pattern.exec(piece); found; found = pattern.exec(piece)) {
      const lineStart = text.lastIndexOf('\n', at + found.index) + 1
      const lineEnd = text.indexOf('\n', at + pattern.lastIndex) + 1 || end
      kept += text.slice(lineStart, lineEnd)
      next = Math.max(next, lineEnd)
      pattern.lastIndex = lineEnd - at
    }
    yield kept
  }
}

/**
 * The lines of a part as they are in the text, with their line ends. Pieces may be empty, and take a few milliseconds each:
 * a server answers others in between. Joined, they are the part.
 */
export function* partOf(text: string, { lines, grep }: TextPart): Generator<string> {
  const { first, last } = lines ?? { first: 1, last: Number.POSITIVE_INFINITY }
  const start = yield* startOfLine(text, first)
  const end =
    last === Number.POSITIVE_INFINITY ? text.length : yield* startOfLine(text, last - first + 2, start)
  if (grep === undefined) yield text.slice(start, end)
  else yield* linesWith(text, grep, start, end)
}

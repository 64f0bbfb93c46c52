import { setImmediate as nextTurn } from 'node:timers/promises'
import { terminalText } from './ansi/ansi.ts'
import type { Compared } from './compare/diff-html.ts'
import type { LogFacts } from './log/read-log.ts'
import { pieceEnd } from './pieces.ts'
import { showText } from './show-text.ts'

/** Counts line ends in a loop: splitting 1 MB into lines blocks the server for 6 ms. */
const countLineEnds = (text: string) => {
  let ends = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends++
  return ends
}

/** The number of lines that a reader sees: the line end at the end of the text starts no new line. */
export const countLines = (text: string) => Math.max(1, countLineEnds(text) + (text.endsWith('\n') ? 0 : 1))

/** A sentence for a page, the line that it is about, and a title if the usual one does not fit. */
export type Trouble = { title?: string; why: string; line?: number }

/** The lines of a text on a page; only the first ones if the text is too long for a page. */
export type Lines = {
  /** Lists of lines as escaped HTML, in pieces: 10 MB at once would block the server. */
  html: readonly string[]
  /** Number of lines that it contains or begins. */
  shown: number
  /** Number of lines of the text. */
  total: number
  /** The largest number of a line on the page, if it has more lines than the text. */
  last?: number
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

/** Where a page holds lines. It is unique: pages escape `<` in text and `"` in attributes. */
export const linesPlace = '<!--"lines"-->'

/** A page in pieces, because its lines may have 10 MB. @param page with `linesPlace` */
export function* around(page: string, { html }: Lines): Generator<string> {
  const [before = '', after = ''] = page.split(linesPlace)
  yield before
  yield* html
  yield after
}

/** No page is larger than 10 MB. These are its lines; the difference is for the rest of the page. */
export const maxLinesBytes = 9_800_000

/** A browser lays out this many lines together, and not before they come into sight. */
const linesPerGroup = 100

/** What distinguishes a line from an ordinary one. */
export type LineLook = {
  /** Its number in the text; by default the one after the line before. */
  number?: number
  /** Separated by spaces. */
  classes?: string
}

/** What is open at the end of the lines so far. */
type Open = { group: boolean; list: boolean; fold: boolean }

const closed = ({ group, list, fold }: Open) =>
  `${list ? '</ol>' : ''}${fold ? '</details>' : ''}${group ? '</div>' : ''}`

/** Collects HTML up to a size. */
const createParts = (maxBytes: number) => {
  let parts: string[] = []
  let bytes = 0
  return {
    /** @returns false if there is no room */
    put: (start: string, html: string) => {
      const size = start.length + Buffer.byteLength(html)
      if (bytes + size > maxBytes) return false
      bytes += size
      parts.push(start, html)
      return true
    },
    /** End tags have room left for them. */
    close: (tags: string) => void parts.push(tags),
    take: () => {
      const html = parts.join('')
      parts = []
      return html
    },
  }
}

/**
 * Collects lines, each with its end, in one list per group. `start` numbers the lines of a list, so the numbers are not text
 * and are not copied. Browsers skip the layout of groups out of sight, each in a `<div>`: on the list itself, that would
 * restart its numbers at 1. Optional end tags and quotes are left out: they were a fifth of the page.
 */
export const createLines = (maxBytes = maxLinesBytes) => {
  const { put, close, take } = createParts(maxBytes)
  let count = 0
  let inGroup = 0
  let last = 0
  let hasGap = false
  let open: Open = { group: false, list: false, fold: false }
  let isPartial = false

  /** True if the next line or fold begins a group. */
  const isGroupDue = () => !open.group || (inGroup >= linesPerGroup && !open.fold)

  return {
    /** @returns false once the page is full */
    add: (html: string, { number = last + 1, classes = '' }: LineLook = {}) => {
      const isDue = isGroupDue()
      const isListDue = isDue || !open.list
      const before = `${isDue ? `${closed(open)}<div>` : ''}${isListDue ? `<ol start=${number}>` : ''}`
      // Chromium counts on from the start of a list, not from the last `value`: after a gap, each line has its own.
      const isGap = !isListDue && (hasGap || number !== last + 1)
      const value = isGap ? ` value=${number}` : ''
      const look = classes.includes(' ') ? ` class="${classes}"` : classes && ` class=${classes}`
      if (!put(`${before}<li id=L${number}${value}${look}>`, html)) return false
      inGroup = isDue ? 1 : inGroup + 1
      hasGap = isGap
      count++
      last = number
      open = { ...open, group: true, list: true }
      return true
    },
    /** Continues the last line. */
    extend: (html: string) => {
      isPartial = !put('', html)
      return !isPartial
    },
    /** Folds the lines up to `unfold` under a button with this name. The name is an attribute, so it is not copied. */
    fold: (name: string, classes: string) => {
      const isDue = isGroupDue()
      const before = isDue ? `${closed(open)}<div>` : closed({ ...open, group: false })
      if (!put(`${before}<details class="${classes}"><summary aria-label="${name}"></summary>`, '')) return
      if (isDue) inGroup = 0
      open = { group: true, list: false, fold: true }
    },
    unfold: () => {
      if (open.fold) close(closed({ ...open, group: false }))
      if (open.fold) open = { group: true, list: false, fold: false }
    },
    /** What comes after the last line. */
    end: () => closed(open),
    /** The HTML collected since the last call. */
    take,
    shown: () => ({ shown: count, isPartial }),
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

/** The lines of all pieces. Other requests get a turn between two of them. */
export const inTurns = async (pieces: Generator<string, Omit<Lines, 'html'>>): Promise<Lines> => {
  const html: string[] = []
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return { html, ...value }
    if (value) html.push(value)
    await nextTurn()
  }
}

/** @param language `ansi` removes control sequences */
export const renderPlain = (text: string, language: string) => inTurns(plainPieces(text, language))

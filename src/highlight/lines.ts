import { setImmediate as nextTurn } from 'node:timers/promises'
import { terminalText } from './ansi.ts'
import type { Compared, CompareWith } from './compare/line-diff.ts'
import type { LogFacts, Show } from './log.ts'
import { countLineEnds, countLines, pieceEnd, piecesOf, showText, spanOf } from './show-text.ts'

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
  /** True if colours are still to come. */
  isEarly?: true
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

/**
 * @param show what the page shows instead of the whole text as it is
 * @param compare the text is compared with another one
 */
export type Job = { text: string; language: string; show?: Show; compare?: CompareWith }

/** A browser lays out this many lines together, and not before they come into sight. */
const linesPerGroup = 100

export type LineLook = {
  /** Its number in the text; by default the one after the line before. */
  number?: number
  /** Separated by spaces. */
  classes?: string
}

/** Lines that are folded under a button: its name, its classes and the number of the last line. */
export type Fold = { name: string; classes: string; last: number }

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
    /** The HTML collected since the last call. */
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
  let [count, inGroup, last] = [0, 0, 0]
  let [hasGap, isPartial] = [false, false]
  const open = { group: false, list: false }
  let foldEnd: number | undefined

  const endOfList = () => `${open.list ? '</ol>' : ''}${foldEnd === undefined ? '' : '</details>'}`
  const end = () => `${endOfList()}${open.group ? '</div>' : ''}`
  /** True if the next line or fold begins a group. */
  const isGroupDue = () => !open.group || (inGroup >= linesPerGroup && foldEnd === undefined)

  return {
    /** @returns false once the page is full */
    add: (html: string, { number = last + 1, classes = '' }: LineLook = {}) => {
      const isDue = isGroupDue()
      const isListDue = isDue || !open.list
      const before = `${isDue ? `${end()}<div>` : ''}${isListDue ? `<ol start=${number}>` : ''}`
      // Chromium counts on from the start of a list, not from the last `value`: after a gap, each line has its own.
      const isGap = !isListDue && (hasGap || number !== last + 1)
      const value = isGap ? ` value=${number}` : ''
      const look = classes.includes(' ') ? ` class="${classes}"` : classes && ` class=${classes}`
      if (!put(`${before}<li id=L${number}${value}${look}>`, html)) return false
      inGroup = isDue ? 1 : inGroup + 1
      hasGap = isGap
      count++
      last = number
      open.group = true
      open.list = true
      return true
    },
    /** Continues the last line. */
    extend: (html: string) => {
      isPartial = !put('', html)
      return !isPartial
    },
    /** The name is an attribute, so it is not copied. */
    fold: (fold: Fold) => {
      const isDue = isGroupDue()
      const before = isDue ? `${end()}<div>` : endOfList()
      if (!put(`${before}<details class="${fold.classes}"><summary aria-label="${fold.name}"></summary>`, ''))
        return
      if (isDue) inGroup = 0
      open.group = true
      open.list = false
      foldEnd = fold.last
    },
    /** Ends the fold if the last line was its last. */
    unfold: () => {
      if (foldEnd !== last) return
      close(endOfList())
      open.list = false
      foldEnd = undefined
    },
    end,
    take,
    shown: () => ({ shown: count, isPartial }),
  }
}

/** Either takes a millisecond: this many characters, or this many lines. Characters that all need marks take 15. */
const linePieceChars = 16 * 1024
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
    next = text.lastIndexOf('\n', start + linePieceChars - 1) + 1
    if (next <= start) next = pieceEnd(text, start, linePieceChars)
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

/** Characters in one style, with the names of its classes. */
export type Token = { content: string; classes: string }

export const htmlOfToken = ({ content, classes }: Token) => spanOf(classes, showText(content))

/** How a line looks, and its HTML if its tokens are not shown. */
export type TokensLook = { classes: string; html?: string; fold?: Fold | undefined }

/** Where a word begins and ends in a line. */
type Hit = readonly [start: number, end: number]

/** More are not marked in one line. */
const mostHits = 1000
/** A longer line is not searched further than this for hits to mark. */
const markedChars = 32 * 1024

/** The places of a word in a line. @param pattern with the flag `g` */
const hitsIn = (line: string, pattern: RegExp): readonly Hit[] => {
  const hits: Hit[] = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    hits.push([found.index, pattern.lastIndex])
    if (hits.length === mostHits || pattern.lastIndex > markedChars) break
  }
  return hits
}

/** A piece of a line with its hits marked. @param from where the piece begins in the line */
const markedPiece = (content: string, from: number, hits: readonly Hit[]) => {
  let html = ''
  let at = 0
  for (const [start, end] of hits) {
    const [first, after] = [Math.max(start - from, at), Math.min(end - from, content.length)]
    if (first >= after) continue
    html += `${showText(content.slice(at, first))}<mark>${showText(content.slice(first, after))}</mark>`
    at = after
  }
  return html + showText(content.slice(at))
}

/** A line of tokens with its hits marked. */
export const markedHtml = (tokens: readonly Token[], hits: readonly Hit[]) => {
  let from = 0
  let next = 0
  return tokens
    .map((token) => {
      const end = from + token.content.length
      const first = next
      while (next < hits.length && (hits[next] as Hit)[0] < end) next++
      const html = markedPiece(token.content, from, hits.slice(first, next))
      // A hit that goes on in the next token is marked there, too.
      if (next > first && (hits[next - 1] as Hit)[1] > end) next--
      from = end
      return spanOf(token.classes, html)
    })
    .join('')
}

type TokensOptions = {
  maxBytes?: number
  /** Only the lines that contain it, which are searched as they are shown. */
  grep?: string | undefined
  /** Which lines are shown, from 0. */
  isWanted?: ((line: number) => boolean) | undefined
  lookOf?: ((line: number) => TokensLook) | undefined
  /** Called for each line on the page. */
  onShown?: (line: number) => void
}

/** The HTML of a line in pieces; a full page has the first ones. */
const piecesOfLine = (tokens: readonly Token[]) => {
  const chars = tokens.reduce((sum, { content }) => sum + content.length, 0)
  if (chars <= linePieceChars) return [tokens.map(htmlOfToken).join('')]
  return tokens.flatMap(({ content, classes }) =>
    [...piecesOf(content, linePieceChars)].map((piece) => htmlOfToken({ content: piece, classes })),
  )
}

/** Finds a word everywhere, in any case: as in the raw text. */
const wordPattern = (word: string) => new RegExp(RegExp.escape(word), 'giu')

/** The lines of a text without their ends, one at a time: a line end is a byte, an array of a million lines 8 MB. */
export function* linesIn(text: string): Generator<string> {
  for (let start = 0; start >= 0; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    yield text.slice(start, end > start && newline >= 0 && text[end - 1] === '\r' ? end - 1 : end)
    start = newline < 0 ? -1 : newline + 1
  }
}

/** Renders lines of tokens; all lines are read, so a style may go on after a line that is left out. It blocks: only for the child. */
export const renderTokens = (
  text: string,
  tokenLines: Iterable<readonly Token[]>,
  { maxBytes, grep, isWanted, lookOf, onShown }: TokensOptions = {},
): Lines => {
  const pattern = grep === undefined ? undefined : wordPattern(grep)
  const isFiltered = pattern !== undefined || isWanted !== undefined
  const piecesWithHits = (tokens: readonly Token[], word: RegExp) => {
    const hits = hitsIn(tokens.map(({ content }) => content).join(''), word)
    return hits.length ? [markedHtml(tokens, hits)] : undefined
  }
  const lines = createLines(maxBytes)
  let [at, start, kept] = [-1, 0, 0]
  let isFull = false
  for (const tokens of tokenLines) {
    at++
    const newline = text.indexOf('\n', start)
    const lineEnd = newline < 0 ? '' : newline > start && text[newline - 1] === '\r' ? '&#13;\n' : '\n'
    start = newline < 0 ? text.length : newline + 1
    // A line end at the end of the text starts no new line.
    const isLine = at === 0 || newline >= 0 || tokens.some(({ content }) => content !== '')
    if (!isLine || isWanted?.(at) === false) continue
    if (isFull && !isFiltered) break
    if (isFull && !pattern) {
      kept++
      continue
    }
    const { classes = '', html, fold } = lookOf?.(at) ?? {}
    const pieces = pattern
      ? piecesWithHits(tokens, pattern)
      : html === undefined
        ? piecesOfLine(tokens)
        : [html]
    if (!pieces) continue
    kept++
    if (isFull) continue
    if (fold && !pattern) lines.fold(fold)
    const [first = '', ...others] = [...pieces.slice(0, -1), `${pieces.at(-1) ?? ''}${lineEnd}`]
    const isAdded = lines.add(first, { number: at + 1, classes })
    isFull = !isAdded || !others.every(lines.extend)
    if (isAdded) onShown?.(at)
    lines.unfold()
  }
  const end = lines.end()
  return {
    html: [`${lines.take()}${end}`],
    ...lines.shown(),
    total: countLines(text),
    ...(isFiltered && { kept }),
  }
}

export type TokenLines = readonly (readonly Token[])[]

/** The lines of a text as tokens. Calls `onReady` when the grammar is loaded. */
export type TokensOf = (text: string, language: string, onReady?: () => void) => Promise<TokenLines>

/** Renders a text in the child. `onStart` is called when the work itself begins: its deadline counts from there. */
export type Renderer = (job: Job, tokensOf: TokensOf, onStart: () => void) => Lines | Promise<Lines>

/** Colours of longer texts may take too long, after the attempt to show the view. */
const maxColoured = 64 * 1024

/** The text as it is, because a view cannot show it. */
export const renderRefused = async (
  { text, language }: Job,
  tokensOf: TokensOf,
  refused: Trouble,
): Promise<Lines> => {
  const lines =
    text.length > maxColoured
      ? await renderPlain(text, 'text')
      : renderTokens(text, await tokensOf(text, language))
  return { ...lines, refused }
}

/** Joined at this size: many small strings take several times the memory of one. */
const joinedChars = 64 * 1024
/** Memory is freed after this much: 1 MiB of Markdown then takes 50 MB, otherwise 95. */
const charsPerCollection = 768 * 1024

/** Collects the HTML of a view in few pieces, and frees the memory that making it takes meanwhile; only for the child. */
export const createLargeHtml = () => {
  const pieces: string[] = []
  let parts: string[] = []
  let waiting = 0
  let uncollected = 0

  const join = () => {
    pieces.push(parts.join(''))
    parts = []
    uncollected += waiting
    waiting = 0
    if (uncollected < charsPerCollection) return
    uncollected = 0
    Bun.gc(true)
  }
  return {
    add: (html: string) => {
      parts.push(html)
      waiting += html.length
      if (waiting >= joinedChars) join()
    },
    /** All pieces, once everything is added. */
    take: () => {
      join()
      return pieces
    },
  }
}

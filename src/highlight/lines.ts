import { setImmediate as nextTurn } from 'node:timers/promises'
import { createCounter } from '../collector.ts'
import { wordPattern } from '../items/text/text-part.ts'
import { terminalText } from './ansi.ts'
import type { Compared, CompareWith } from './compare/diff-html.ts'
import type { Level, LogFacts } from './log.ts'
import { escapeText, pieceEnd, showText, spanOf } from './show-text.ts'

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

/** Where a word begins and ends in a line. */
export type Hit = readonly [start: number, end: number]

/** A line with more hits is known well enough. */
const mostHits = 1000
/** A longer line is not searched further than this for hits to mark. */
const markedChars = 32 * 1024

/** The places of a word in a line. @param pattern with the flag `g` */
export const hitsIn = (line: string, pattern: RegExp): readonly Hit[] => {
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
export const markedHtml = <T extends { content: string }>(
  tokens: readonly T[],
  hits: readonly Hit[],
  classesOf: (token: T) => string,
) => {
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
      return spanOf(classesOf(token), html)
    })
    .join('')
}

/** What a page may show instead of the text as it is. */
export const views = ['preview', 'table', 'formatted'] as const
export type View = (typeof views)[number]

/** A view, or the lines of this level and above that hold a word (a literal, case ignored). */
export type Show = { view: View } | { level?: Level; grep?: string }

/**
 * @param show what the page shows instead of the whole text as it is
 * @param compare the text is compared with another one
 */
export type Job = { text: string; language: string; show?: Show; compare?: CompareWith }

/** Characters in one style, from shiki or with the names of classes. */
export type Token = { content: string; color?: string; fontStyle?: number; classes?: string }

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

export type TokenLines = readonly (readonly Token[])[]

export type RenderTools = {
  /** The lines of a text as tokens. Calls `onReady` when the grammar is loaded. */
  tokensOf: (text: string, language: string, onReady?: () => void) => Promise<TokenLines>
  /** The short class name of a colour in the merged theme; empty for ordinary text. */
  classOfColour: (colour: string) => string
}

/** Renders a text in the child. `onStart` is called when the work itself begins: its deadline counts from there. */
export type Renderer = (job: Job, tools: RenderTools, onStart: () => void) => Lines | Promise<Lines>

/** Colours of longer texts may take too long, after the attempt to show the view. */
const maxColoured = 64 * 1024

/** The text as it is, because a view cannot show it. */
export const refuse = async (
  { text, language }: Job,
  { tokensOf, classOfColour }: RenderTools,
  refused: Trouble,
): Promise<Lines> => {
  const lines =
    text.length > maxColoured
      ? await renderPlain(text, 'text')
      : renderTokens(text, await tokensOf(text, language), classOfColour)
  return { ...lines, refused }
}

/** Joined at this size: many small strings take several times the memory of one. */
const joinedChars = 64 * 1024
/** Memory is freed after this much: 1 MiB of Markdown then takes 50 MB, otherwise 95. */
const charsPerCollection = 768 * 1024

/** Collects the HTML of a view in few pieces, and frees the memory that making it takes meanwhile. */
export const createLargeHtml = () => {
  const pieces: string[] = []
  let parts: string[] = []
  let waiting = 0
  const collect = createCounter(charsPerCollection)

  const join = () => {
    pieces.push(parts.join(''))
    parts = []
    collect(waiting)
    waiting = 0
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

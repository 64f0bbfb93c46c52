import { partOf, wordPattern } from '../items/text/text-part.ts'
import { createScreen } from './ansi.ts'
import { hasLevels } from './languages/languages.ts'
import type { Job } from './lines.ts'
import { countLines, createLines, hitsIn, inTurns, type Lines, markedHtml, renderPlain } from './lines.ts'
import {
  belongsToLineBefore,
  isFrameOfTrace,
  type LogReading,
  levelOfKind,
  levels,
  looksLikeLog,
  noLevel,
  readLog,
} from './log.ts'
import { escapeText, piecesOf, showText, spanOf } from './show-text.ts'
import { classesOfStyle } from './theme.ts'

/** True for a text that is shown as a log. It needs no grammar, and however long it is, no step takes long. */
export const isShownAsLog = ({ text, language, show }: Job) => {
  if (show && 'view' in show) return false
  if (language === 'log') return true
  return hasLevels(language) && (show?.level !== undefined || looksLikeLog(text))
}

/** A shorter trace is not folded, and a longer one in parts. */
const foldedLines = { least: 3, most: 1000 }

const tints = { warn: levels.indexOf('warn'), error: levels.indexOf('error'), info: levels.indexOf('info') }

/** The class of a level, and another one if the line belongs to the one before. */
const classesOf = (kind: number) => {
  const level = levelOfKind(kind)
  if (level === noLevel) return ''
  const tint = level >= tints.error ? 'le' : level === tints.warn ? 'lw' : level < tints.info ? 'ld' : ''
  return tint && belongsToLineBefore(kind) ? `${tint} lc` : tint
}

/** Either takes about 1 ms. */
const piece = { lines: 500, chars: 16 * 1024 }

type Piece = { content: string; classes: string }
const classesOfPiece = ({ classes }: Piece) => classes

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const controls = /[\x1b\x08]|\r(?!\n?$)/

/** The pieces of each line, in order: its time in a quieter colour, or the colours of a terminal. */
const createPieces = (isForTerminal: boolean) => {
  const { show, isOrdinary } = createScreen()
  return (line: string, timeChars: number): Piece[] => {
    if (isForTerminal && (!isOrdinary() || controls.test(line)))
      return show(line).map(({ content, style }) => ({ content, classes: classesOfStyle(style) }))
    if (timeChars === 0) return [{ content: line, classes: '' }]
    return [
      { content: line.slice(0, timeChars), classes: 'q' },
      { content: line.slice(timeChars), classes: '' },
    ]
  }
}

/** In a text that is no log, the characters that terminals obey are shown. */
const isForTerminal = ({ text, language }: Job) =>
  language === 'ansi' || (hasLevels(language) && text.includes('\x1b['))

/** The HTML of a line that is shown in pieces; `undefined` if it does not contain the word that is searched for. */
const createLineHtml = (pattern: RegExp | undefined) => (pieces: readonly Piece[]) => {
  if (!pattern) return pieces.map(({ content, classes }) => spanOf(classes, showText(content))).join('')
  const hits = hitsIn(pieces.map(({ content }) => content).join(''), pattern)
  return hits.length ? markedHtml(pieces, hits, classesOfPiece) : undefined
}

/** The number of frames from a line on. */
const framesFrom = (kinds: Uint8Array, at: number) => {
  let end = at
  while (end < kinds.length && end - at < foldedLines.most && isFrameOfTrace(kinds[end])) end++
  return end - at
}

/** Collects the lines that are wanted, with their tints, and folds traces. @param isFolding false while a word is searched */
const createLogLines = (kinds: Uint8Array, isFolding: boolean, maxBytes: number | undefined) => {
  const lines = createLines(maxBytes)
  const first: { error?: number; warn?: number } = {}
  let kept = 0
  let foldEnd = 0
  let isFull = false

  const noteFirst = (kind: number, number: number) => {
    const level = belongsToLineBefore(kind) ? noLevel : levelOfKind(kind)
    if (level >= tints.error) first.error ??= number
    if (level === tints.warn) first.warn ??= number
  }

  const fold = (at: number) => {
    if (at < foldEnd || !isFrameOfTrace(kinds[at])) return
    const frames = framesFrom(kinds, at)
    if (frames < foldedLines.least) return
    lines.fold(`${frames} lines of the stack trace`, classesOf(kinds[at] ?? 0))
    foldEnd = at + frames
  }

  return {
    /** @returns false if the line is not on the page, because the page is full */
    add: (at: number, html: string) => {
      kept++
      if (isFull) return false
      if (isFolding) fold(at)
      const kind = kinds[at] ?? 0
      isFull = !lines.add(html, { number: at + 1, classes: classesOf(kind) })
      if (!isFull) noteFirst(kind, at + 1)
      if (at + 1 === foldEnd) lines.unfold()
      return !isFull
    },
    extend: (html: string) => {
      isFull = !lines.extend(html)
      return !isFull
    },
    take: lines.take,
    end: lines.end,
    facts: () => ({ ...lines.shown(), kept, first: first.error ?? first.warn }),
  }
}
type LogLines = ReturnType<typeof createLogLines>

/** Where a line ends: its text, and its line end. */
const endsAt = (text: string, start: number) => {
  const newline = text.indexOf('\n', start)
  if (newline < 0) return { end: text.length, next: text.length }
  const hasReturn = newline > start && text.charCodeAt(newline - 1) === 0x0d
  return { end: hasReturn ? newline - 1 : newline, next: newline + 1 }
}

type LongLine = { at: number; line: string; lineEnd: string; grep: string | undefined }

/** Adds a line in several steps. Its hits are not marked. */
function* addLong(lines: LogLines, { at, line, lineEnd, grep }: LongLine, htmlOf: (part: string) => string) {
  let isWanted = grep === undefined
  for (const found of grep === undefined ? [] : partOf(line, { grep })) {
    isWanted ||= found !== ''
    yield ''
  }
  if (!isWanted) return
  let isFirst = true
  for (const part of piecesOf(line, piece.chars)) {
    const isAdded = isFirst ? lines.add(at, htmlOf(part)) : lines.extend(htmlOf(part))
    if (!isAdded) return
    isFirst = false
    yield lines.take()
  }
  lines.extend(lineEnd)
}

const asked = ({ show }: Job) => (show && !('view' in show) ? show : {})

type Wanted = { reading: Pick<LogReading, 'kinds' | 'times'>; least: number; lines: LogLines }

/** The end of the lines that are rendered next; the end of a line that is too long for a piece. */
const pieceEndAt = (text: string, start: number) => {
  const last = text.lastIndexOf('\n', start + piece.chars - 1) + 1
  if (text.length - start <= piece.chars) return text.length
  return last > start ? last : endsAt(text, start).next
}

/** A time holds nothing that HTML shows otherwise. */
const withTime = (html: string, timeChars: number) =>
  timeChars === 0 ? html : `<span class=q>${html.slice(0, timeChars)}</span>${html.slice(timeChars)}`

/** Lines as they are: many at once are escaped in a third of the time. */
function* addOrdinary(text: string, { reading, least, lines }: Wanted) {
  const { kinds, times } = reading
  const isWanted = (at: number) => levelOfKind(kinds[at]) >= least
  if (text === '') lines.add(0, '')
  for (let start = 0, at = 0; start < text.length; ) {
    const pieceEnd = pieceEndAt(text, start)
    if (pieceEnd - start > piece.chars) {
      const { end } = endsAt(text, start)
      const long = { at, line: text.slice(start, end), lineEnd: escapeText(text.slice(end, pieceEnd)) }
      if (isWanted(at)) yield* addLong(lines, { ...long, grep: undefined }, showText)
      at++
    } else {
      const html = showText(text.slice(start, pieceEnd))
      for (let from = 0; from < html.length; at++) {
        const end = html.indexOf('\n', from) + 1 || html.length
        if (isWanted(at)) lines.add(at, withTime(html.slice(from, end), times[at] ?? 0))
        from = end
        if (at % piece.lines === 0) yield lines.take()
      }
    }
    start = pieceEnd
    yield lines.take()
  }
}

/** Lines with the colours of a terminal, or only those with a word. */
function* addInPieces(job: Job, { reading, least, lines }: Wanted) {
  const { text } = job
  const { grep } = asked(job)
  const { kinds, times } = reading
  const isTerminal = isForTerminal(job)
  const piecesOfLine = createPieces(isTerminal)
  const htmlOf = createLineHtml(grep === undefined ? undefined : wordPattern(grep))
  const wholeOf = createLineHtml(undefined)
  let chars = 0
  for (let at = 0, start = 0; at < Math.max(1, kinds.length); at++) {
    const { end, next } = endsAt(text, start)
    const isWanted = levelOfKind(kinds[at]) >= least
    const lineEnd = escapeText(text.slice(end, next))
    if (end - start > piece.chars) {
      const long = { at, line: text.slice(start, end), lineEnd, grep }
      if (isWanted) yield* addLong(lines, long, (part) => wholeOf(piecesOfLine(part, 0)) ?? '')
    } else if (isWanted || isTerminal) {
      // A colour that a hidden line sets goes on in the next.
      const pieces = piecesOfLine(text.slice(start, end), times[at] ?? 0)
      const html = isWanted ? htmlOf(pieces) : undefined
      if (html !== undefined) lines.add(at, html + lineEnd)
    }
    chars += next - start
    start = next
    if (at % piece.lines === 0 || chars > piece.chars) {
      yield lines.take()
      chars = 0
    }
  }
}

/** Renders lines that were read, in pieces of a millisecond or two: the server gives others a turn in between. */
export function* linesOf(
  job: Job,
  reading: Pick<LogReading, 'kinds' | 'times'>,
  maxBytes?: number,
): Generator<string, Omit<Lines, 'html'> & { first: number | undefined }> {
  const { text } = job
  const { level, grep } = asked(job)
  const lines = createLogLines(reading.kinds, grep === undefined, maxBytes)
  const wanted = { reading, lines, least: level === undefined ? noLevel : levels.indexOf(level) }
  yield* grep === undefined && !isForTerminal(job) ? addOrdinary(text, wanted) : addInPieces(job, wanted)
  const end = lines.end()
  yield `${lines.take()}${end}`
  const { kept, ...shown } = lines.facts()
  const isFiltered = level !== undefined || grep !== undefined
  return { ...shown, total: Math.max(1, reading.kinds.length), ...(isFiltered && { kept }) }
}

/** Renders a log in such pieces. */
export function* logPieces(job: Job, maxBytes?: number): Generator<string, Omit<Lines, 'html'>> {
  const steps = readLog(job.text)
  let step = steps.next()
  for (; !step.done; step = steps.next()) yield ''
  const { facts, ...reading } = step.value
  const { first, ...lines } = yield* linesOf(job, reading, maxBytes)
  return { ...lines, log: first === undefined ? facts : { ...facts, first } }
}

export const renderLog = (job: Job) => inTurns(logPieces(job))

/** True where only the lines with a word are shown. */
export const isOfWord = ({ show }: Pick<Job, 'show'>) => show !== undefined && 'grep' in show

/** True for what the server renders itself: a log, and the lines of a plain text with a word. No step takes long. */
export const needsNoHighlighter = (job: Job) =>
  isShownAsLog(job) || (job.language === 'text' && isOfWord(job))

/** Lines without levels and times. */
const unread = (text: string) => ({ kinds: new Uint8Array(countLines(text)), times: new Uint8Array() })

/** A text without colours, or its lines with a word, however long it is. It cannot fail. */
export const renderWithoutColours = (job: Job): Promise<Lines> => {
  if (hasLevels(job.language) && isShownAsLog(job)) return renderLog(job)
  return isOfWord(job) ? inTurns(linesOf(job, unread(job.text))) : renderPlain(job.text, job.language)
}

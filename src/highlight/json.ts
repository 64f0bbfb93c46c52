import { printParseErrorCode, visit } from 'jsonc-parser'
import type { Job } from './lines.ts'
import {
  createLargeHtml,
  createLines,
  type Lines,
  type Renderer,
  renderRefused,
  type TokensOf,
  type Trouble,
} from './lines.ts'
import { countLines, showText } from './show-text.ts'

type Colours = Readonly<Record<JsonKind, string>>

/** Has a word of each kind, which the grammar colours as on pages. The layout knows the kinds, so no other text needs it. */
const sample = '{"name":"string","a":1,"b":true}//comment'

const coloursFrom = async (tokensOf: TokensOf): Promise<Colours> => {
  const tokens = (await tokensOf(sample, 'jsonc')).flat()
  const of = (word: string) => tokens.find(({ content }) => content.includes(word))?.classes ?? ''
  return {
    ...{ name: of('name'), string: of('string'), number: of('1') },
    ...{ constant: of('true'), mark: '', comment: of('comment') },
  }
}

/** Thrown if a page cannot hold all of it. */
const full = Symbol('the page is full')

/** Collects a value as HTML. @param endLine gets each line with its end */
const createWriter = (colours: Colours, endLine: (html: string) => void) => {
  let line = ''
  return {
    word: (kind: JsonKind, word: string) => {
      const colour = colours[kind]
      line += colour === '' ? showText(word) : `<span class=${colour}>${showText(word)}</span>`
    },
    space: () => {
      line += ' '
    },
    newLine: (depth: number) => {
      endLine(`${line}\n`)
      line = '  '.repeat(depth)
    },
    rest: () => line,
  }
}

/** @param what is not formatted */
const troubleOf = (problem: Problem, what: 'The text' | 'A record'): Trouble => {
  const { line, column } = problem
  const place = `in line ${line}, column ${column}`
  const why =
    'what' in problem
      ? `Not valid JSON ${place}: ${problem.what}.`
      : `${what} is nested too deeply to be formatted: more than ${problem.maxDepth} levels ${place}.`
  return { why, line }
}

/** Collects lines until the page is full. */
const createSheet = () => {
  const lines = createLines()
  const html = createLargeHtml()
  return {
    /** @returns false if the line does not fit any more */
    add: (line: string) => {
      const isAdded = lines.add(line)
      html.add(lines.take())
      return isAdded
    },
    take: () => {
      html.add(lines.end())
      return html.take()
    },
    shown: lines.shown,
  }
}

/** One value, with the numbers of its new lines. */
const showValue = async (job: Job, tokensOf: TokensOf, colours: Colours) => {
  const sheet = createSheet()
  const add = (html: string) => {
    if (!sheet.add(html)) throw full
  }
  const writer = createWriter(colours, add)
  try {
    const problem = layOut(job.text, job.language !== 'json', writer)
    if (problem) return await renderRefused(job, tokensOf, troubleOf(problem, 'The text'))
    add(writer.rest())
  } catch (error) {
    if (error !== full) throw error
    return renderRefused(job, tokensOf, { why: 'Formatted, it would be too large for a page.' })
  }
  const total = countLines(job.text)
  return { html: sheet.take(), shown: total, total, last: sheet.shown().shown, isPartial: false }
}

/** @returns the HTML of a record, or why it is none */
const showRecord = (text: string, colours: Colours): string | Problem => {
  let html = ''
  const writer = createWriter(colours, (line) => {
    html += line
  })
  const problem = text.trim() === '' ? undefined : layOut(text, false, writer)
  return problem ?? html + writer.rest()
}

/** One record for each line, with the number that it has in the text. A line that is none is shown as it is. */
const showRecords = ({ text }: Job, colours: Colours): Lines => {
  const sheet = createSheet()
  const total = countLines(text)
  let problem: Problem | undefined
  for (let start = 0, line = 1; line <= total; line++) {
    const end = text.indexOf('\n', start) + 1 || text.length
    const record = text.slice(start, end).replace(/\r?\n$/, '')
    const shown = showRecord(record, colours)
    start = end
    if (typeof shown !== 'string') problem ??= { ...shown, line }
    if (!sheet.add(`${typeof shown === 'string' ? shown : showText(record)}\n`)) break
  }
  return {
    html: sheet.take(),
    ...sheet.shown(),
    total,
    ...(problem && { problem: troubleOf(problem, 'A record') }),
  }
}

/** Shows JSON and JSON lines with a line for each member. Numbers, the order of names and repeated names stay as they are. */
export const renderFormatted: Renderer = async (job, tokensOf, onStart) => {
  const colours = await coloursFrom(tokensOf)
  onStart()
  return job.language === 'jsonl' ? showRecords(job, colours) : showValue(job, tokensOf, colours)
}

/** What a word of JSON is, for its colour. */
export type JsonKind = 'name' | 'string' | 'number' | 'constant' | 'mark' | 'comment'

/** Receives formatted JSON in its order. */
export type Writer = {
  word: (kind: JsonKind, word: string) => void
  space: () => void
  /** Ends a line and indents the next one; may throw to stop. */
  newLine: (depth: number) => void
}

/** Where and why a text is not JSON, or is nested too deeply to say. Line and column count from 1. */
export type Problem = { line: number; column: number } & ({ what: string } | { maxDepth: number })

/** Deeper values are not formatted: 1 MiB of brackets would be indented by as many spaces. */
const maxDepth = 200

const literalWords: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  EndOfFileExpected: 'there is more after the end of the value',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'a comment is not closed',
  UnexpectedEndOfString: 'a string is not closed',
  UnexpectedEndOfNumber: 'a number is not complete',
  InvalidUnicode: 'an escaped character is not valid',
  InvalidEscapeCharacter: 'an escaped character is not valid',
  InvalidCharacter: 'a string has a control character in it',
}

/** Thrown through the library, which would go on after an error. */
type Stop = { problem: Problem }
const stopAt = (line: number, column: number, why: { what: string } | { maxDepth: number }): never => {
  throw { problem: { line: line + 1, column: column + 1, ...why } } satisfies Stop
}

const valueKind = (value: unknown): JsonKind => {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'number' : 'constant'
}

/** Where lines end: after opening brackets, commas and comments, and before closing brackets that have something in them. */
const createLayout = (text: string, writer: Writer) => {
  let depth = 0
  let needsLine = false
  let isEmpty = false

  const put = (kind: JsonKind, offset: number, length: number) => {
    if (needsLine) writer.newLine(depth)
    needsLine = false
    isEmpty = false
    writer.word(kind, text.slice(offset, offset + length))
  }
  return {
    put,
    open: (offset: number, line: number, column: number) => {
      put('mark', offset, 1)
      if (++depth > maxDepth) stopAt(line, column, { maxDepth })
      isEmpty = true
      needsLine = true
    },
    close: (offset: number) => {
      depth--
      needsLine = !isEmpty
      put('mark', offset, 1)
    },
    separate: (mark: string) => {
      writer.word('mark', mark)
      if (mark === ':') writer.space()
      else needsLine = true
    },
    comment: (offset: number, length: number) => {
      put('comment', offset, length)
      needsLine = true
    },
  }
}

/**
 * Formats JSON: two spaces for each level, every word as it is in the text.
 * @param isLenient with comments and trailing commas
 * @returns why it cannot be formatted, if it cannot
 */
export const layOut = (given: string, isLenient: boolean, writer: Writer): Problem | undefined => {
  // The mark at the beginning of a file, which the library does not know.
  const text = given.startsWith('\ufeff') ? ` ${given.slice(1)}` : given
  const { put, open, close, separate, comment } = createLayout(text, writer)
  const visitor = {
    onObjectBegin: (offset: number, _: number, line: number, column: number) => open(offset, line, column),
    onArrayBegin: (offset: number, _: number, line: number, column: number) => open(offset, line, column),
    onObjectEnd: close,
    onArrayEnd: close,
    onObjectProperty: (_: string, offset: number, length: number) => put('name', offset, length),
    onLiteralValue: (value: unknown, offset: number, length: number) => put(valueKind(value), offset, length),
    onSeparator: separate,
    onComment: comment,
    onError: (code: number, _: number, __: number, line: number, column: number) =>
      stopAt(line, column, { what: literalWords[printParseErrorCode(code)] ?? 'a word is not JSON' }),
  }
  try {
    visit(text, visitor, { disallowComments: !isLenient, allowTrailingComma: isLenient })
    return undefined
  } catch (stop) {
    if (typeof stop === 'object' && stop !== null && 'problem' in stop) return (stop as Stop).problem
    throw stop
  }
}

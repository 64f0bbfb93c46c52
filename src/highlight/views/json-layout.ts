import { printParseErrorCode, visit } from 'jsonc-parser'

/** What a word of JSON is, for its colour. */
export type Kind = 'name' | 'string' | 'number' | 'constant' | 'mark' | 'comment'

/** Receives formatted JSON in its order. */
export type Writer = {
  word: (kind: Kind, word: string) => void
  space: () => void
  /** Ends a line and indents the next one; may throw to stop. */
  newLine: (depth: number) => void
}

/** Where and why a text is not JSON, or is nested too deeply to say. Line and column count from 1. */
export type Problem = { line: number; column: number } & ({ what: string } | { maxDepth: number })

/** Deeper values are not formatted: 1 MiB of brackets would be indented by as many spaces. */
const maxDepth = 200

const words: Readonly<Record<string, string>> = {
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

const kindOf = (value: unknown): Kind => {
  if (typeof value === 'string') return 'string'
  return typeof value === 'number' ? 'number' : 'constant'
}

/** Where lines end: after opening brackets, commas and comments, and before closing brackets that have something in them. */
const createLayout = (text: string, writer: Writer) => {
  let depth = 0
  let needsLine = false
  let isEmpty = false

  const put = (kind: Kind, offset: number, length: number) => {
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
    onLiteralValue: (value: unknown, offset: number, length: number) => put(kindOf(value), offset, length),
    onSeparator: separate,
    onComment: comment,
    onError: (code: number, _: number, __: number, line: number, column: number) =>
      stopAt(line, column, { what: words[printParseErrorCode(code)] ?? 'a word is not JSON' }),
  }
  try {
    visit(text, visitor, { disallowComments: !isLenient, allowTrailingComma: isLenient })
    return undefined
  } catch (stop) {
    if (typeof stop === 'object' && stop !== null && 'problem' in stop) return (stop as Stop).problem
    throw stop
  }
}

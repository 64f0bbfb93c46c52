import { printParseErrorCode, visit } from 'jsonc-parser'
import type { Beginning } from './beginning.ts'

/** Deeper values take the parser long, and nobody reads them. */
const maxDepth = 200

/** A value at the beginning of a text. */
type Value = {
  /** True for JSON with comments or trailing commas. */
  isLenient: boolean
  /** Where more follows behind it, if anything does. */
  end?: number
}

/** Thrown through the library, which would go on. */
type Stop = { at: number; isEnd: boolean; isRest: boolean }

/** What of a value is JSON, and where it is none. */
const createWatch = (text: string) => {
  const seen = { isFilled: false, hasName: false, hasComment: false, hasTrailingComma: false }
  let [depth, wasComma] = [0, false]
  const begin = (offset: number) => {
    seen.isFilled ||= depth > 0
    wasComma = false
    if (++depth > maxDepth) throw { at: offset, isEnd: false, isRest: false } satisfies Stop
  }
  const end = () => {
    depth--
    seen.hasTrailingComma ||= wasComma
    wasComma = false
  }
  const visitor = {
    ...{ onObjectBegin: begin, onArrayBegin: begin, onObjectEnd: end, onArrayEnd: end },
    onObjectProperty: () => {
      seen.isFilled = seen.hasName = true
      wasComma = false
    },
    onLiteralValue: () => {
      seen.isFilled = true
      wasComma = false
    },
    onSeparator: (mark: string) => {
      wasComma = mark === ','
    },
    onComment: () => {
      seen.hasComment = true
    },
    onError: (code: number, at: number, length: number) => {
      const isRest = printParseErrorCode(code) === 'EndOfFileExpected'
      throw { at, isRest, isEnd: !isRest && at + length >= text.length } satisfies Stop
    },
  }
  return { seen, visitor }
}

/** @returns where the library stopped, if it did not reach the end */
const stopIn = (text: string, visitor: object): Stop | undefined => {
  try {
    visit(text, visitor, { disallowComments: false, allowTrailingComma: true })
    return undefined
  } catch (stop) {
    if (typeof stop === 'object' && stop !== null && 'isRest' in stop) return stop as Stop
    throw stop
  }
}

/**
 * Reads an object or a list with something in it: `[]` and `{}` are texts of many languages.
 * @param isWhole false if the text goes on, so its value may
 */
const readValue = (text: string, isWhole: boolean): Value | undefined => {
  const { seen, visitor } = createWatch(text)
  const stop = stopIn(text, visitor)
  if (!seen.isFilled || (stop && !stop.isRest && (isWhole || !stop.isEnd))) return
  const isLenient = seen.hasComment || seen.hasTrailingComma
  // Other languages have lists like this.
  if (isLenient && !seen.hasName) return
  return { isLenient, ...(stop?.isRest && { end: stop.at }) }
}

/** Records that are looked at. */
const mostRecords = 20

/** Values that each have a line. */
const isLines = (text: string, isWhole: boolean) => {
  let rest = text
  for (let record = 0; record < mostRecords; record++) {
    const value = readValue(rest, isWhole)
    if (!value || value.isLenient) return false
    if (value.end === undefined) return record > 0
    const line = rest.slice(0, value.end)
    if (!line.includes('\n', line.trimEnd().length) || line.trim().includes('\n')) return false
    rest = rest.slice(value.end)
  }
  return true
}

const isValid = (text: string) => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const opening = /^\s*[[{]/

/** True if the first line is a whole value, and another one follows. A line that is longer than the text may be whole. */
const isLongRecord = (text: string, next: string) => {
  const from = text.trimStart()
  const end = from.indexOf('\n')
  if (end < 0) return /^.?[\]}]\r?\n\s*[[{]/.test(next)
  return opening.test(from.slice(end)) && isValid(from.slice(0, end))
}

/** What the library reads. The runtime is ten times as fast, but cannot read a part of a value. */
const mostVisited = 16 * 1024

/** JSON, JSON with comments, or JSON lines. Of a text that is longer than what is read, the beginning has to be valid. */
export const languageOfJson = ({ text, isWhole, next }: Beginning) => {
  if (!opening.test(text) && !/^\s*\/[/*]/.test(text)) return
  const head = text.slice(0, mostVisited)
  const isAll = isWhole && head.length === text.length
  const value = readValue(head, isAll)
  if (!value) return
  if (value.end !== undefined) return isLines(head, isAll) ? 'jsonl' : undefined
  if (value.isLenient) return 'jsonc'
  if (!isAll && !head.trim().includes('\n') && isLongRecord(text, next)) return 'jsonl'
  return isAll || !isWhole || isValid(text) ? 'json' : undefined
}

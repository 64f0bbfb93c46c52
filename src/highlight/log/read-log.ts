import { type Level, levels } from '../show.ts'
import { fieldsOfRecord } from './json-records.ts'
import { levelOf, noLevel } from './levels.ts'
import { startOf } from './prefixes.ts'
import { belongsToLineBefore, createLineReader, levelOfKind } from './read-line.ts'
import { type LineTime, spanText, timeOf, timeOfRecord } from './times.ts'

/** What a page says of a whole log. */
export type LogFacts = {
  /** How many lines have each level; those that belong to a line before are not counted. */
  counts: Readonly<Partial<Record<Level, number>>>
  /** From the first time to the last one, and how long that is. */
  times?: string
  /** The number of the first line with an error on the page; without errors, of the first warning. */
  first?: number
}

/** A log line by line: one byte says what each is, another how long the time at its start is. */
export type LogReading = { kinds: Uint8Array; times: Uint8Array; facts: LogFacts }

/** Levels and times stand at the start of a line. No line takes longer than this many characters do. */
const headChars = 250
/** The fields of a record of JSON have any order. */
const recordChars = 2000

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const escapes = /\x1b\[[0-9;:?]{0,30}[a-zA-Z]/g

/** The start of a line, as a terminal shows it. */
const headAt = (text: string, start: number, end: number) => {
  const last = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
  const chars = text.charCodeAt(start) === 0x7b ? recordChars : headChars
  const head = text.slice(start, Math.min(last, start + chars))
  return head.includes('\x1b') ? head.replace(escapes, '') : head
}

const bytes = 64 * 1024

/** Bytes, one after the other. */
const createBytes = () => {
  let all = new Uint8Array(bytes)
  let count = 0
  return {
    add: (byte: number) => {
      if (count === all.length) {
        const more = new Uint8Array(2 * count)
        more.set(all)
        all = more
      }
      all[count++] = byte
    },
    all: () => all.subarray(0, count),
  }
}

/** A time is looked for in this many lines at each end of a text. */
const linesWithTime = 50

const firstTime = (text: string) => {
  for (let n = 0, at = 0; n < linesWithTime && at < text.length; n++) {
    const end = text.indexOf('\n', at)
    const time = timeOf(headAt(text, at, end < 0 ? text.length : end))
    if (time) return time
    if (end < 0) return undefined
    at = end + 1
  }
  return undefined
}

/** @param first the time that it is compared with */
const lastTime = (text: string, first: LineTime) => {
  for (let n = 0, end = text.length; n < linesWithTime && end > 0; n++) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const time = timeOf(headAt(text, start, end))
    if (time && time.isSinceStart === first.isSinceStart) return time
    end = start - 1
  }
  return undefined
}

const timesOf = (text: string) => {
  const first = firstTime(text)
  const last = first && lastTime(text, first)
  return first && last ? { times: spanText(first, last) } : {}
}

/** Either takes about 1 ms: so many lines, or so many characters. */
const piece = { lines: 1000, chars: 64 * 1024 }

/** Reads a log once from its start to its end, in steps of a millisecond. */
export function* readLog(text: string): Generator<undefined, LogReading> {
  const [kinds, times] = [createBytes(), createBytes()]
  const counts = levels.map(() => 0)
  const { read, readBlank } = createLineReader()

  const readLine = (head: string) => {
    const start = startOf(head)
    const kind = read(start)
    kinds.add(kind)
    times.add(start.timeChars)
    const level = levelOfKind(kind)
    if (level !== noLevel && !belongsToLineBefore(kind)) counts[level] = (counts[level] ?? 0) + 1
  }

  for (let start = 0, n = 1, from = 0; start < text.length; n++) {
    const lineEnd = text.indexOf('\n', start)
    const end = lineEnd < 0 ? text.length : lineEnd
    const head = headAt(text, start, end)
    if (head !== '') readLine(head)
    else {
      readBlank()
      kinds.add(0)
      times.add(0)
    }
    start = end + 1
    if (n % piece.lines !== 0 && start - from < piece.chars) continue
    from = start
    yield
  }
  const found = levels.map((level, at) => [level, counts[at] ?? 0] as const).filter(([, count]) => count > 0)
  return {
    kinds: kinds.all(),
    times: times.all(),
    facts: { counts: Object.fromEntries(found), ...timesOf(text) },
  }
}

/** So many lines say whether a text is a log. */
const judgedLines = 100
const judgedChars = 32 * 1024

/** Letters are levels only in MongoDB, small numbers in GELF and a journal, others in pino and bunyan. */
const isLevelOfLog = (level: string, head: string) => {
  if (/^[0-7]$/.test(level)) return /"(?:short_message|PRIORITY)"/.test(head)
  if (/^\d/.test(level)) return /^[1-6]0$/.test(level)
  return level.length > 1 || /"t" ?: ?\{"\$date"/.test(head)
}

/** Courses and games have levels and days, too: a record has a time of a day, and a level as programs write it. */
const isRecordOfLog = (head: string) => {
  const { level } = fieldsOfRecord(head)
  if (level === undefined || !isLevelOfLog(level, head)) return false
  return timeOfRecord(head)?.date !== undefined && levelOf(startOf(head)) !== noLevel
}

const isOfLog = (head: string) => {
  const start = startOf(head)
  if (start.timeChars > 0 || start.carrier !== undefined) return true
  return head.startsWith('{') ? isRecordOfLog(head) : levelOf(start) !== noLevel
}

/** True if at least a third of the first lines of terminal text or of JSON lines begin with a time or have a level. */
export const looksLikeLog = (text: string) => {
  const lines = text
    .slice(0, judgedChars)
    .split('\n', judgedLines)
    .map((line) => headAt(line, 0, line.length))
    .filter((line) => line.trim() !== '')
  const signs = lines.filter(isOfLog)
  return signs.length >= 2 && signs.length * 3 >= lines.length
}

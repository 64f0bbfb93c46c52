import { type Level, levels } from '../show.ts'
import { levelOf, noLevel } from './levels.ts'
import { type LineStart, startOf } from './prefixes.ts'
import { spanText, timeOf } from './times.ts'
import { isFunctionOfGo, isGoroutine, traceLineOf } from './traces.ts'

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

// The bits of a kind: the level plus 1, whether the line belongs to the one before, whether it is a frame of a trace.
const levelBits = 7
const belongs = 8
const isFrame = 16

/** The level of a line, as its place in `levels`; -1 for none. */
export const levelOfKind = (kind = 0) => (kind & levelBits) - 1
export const belongsToLineBefore = (kind = 0) => (kind & belongs) !== 0
export const isFrameOfTrace = (kind = 0) => (kind & isFrame) !== 0

/** Levels and times stand at the start of a line. No line takes longer than this many characters do. */
const headChars = 250

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape sequence begins with one
const escapes = /\x1b\[[0-9;:?]{0,30}[a-zA-Z]/g

/** The start of a line, as a terminal shows it. */
const headAt = (text: string, start: number, end: number) => {
  const last = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
  const head = text.slice(start, Math.min(last, start + headChars))
  return head.includes('\x1b') ? head.replace(escapes, '') : head
}

const warn = levels.indexOf('warn')
const error = levels.indexOf('error')
const fatal = levels.indexOf('fatal')

/** What the lines so far say about the next one. */
const createState = () => {
  const state = {
    level: noLevel,
    isRecord: false,
    isInTrace: false,
    isInGo: false,
    isAfterBlank: false,
    /** A line begins a record of this level. @returns its kind */
    begin: (level: number, isInTrace = false) => {
      Object.assign(state, { level, isInTrace, isRecord: true, isInGo: false })
      return level + 1
    },
    /** A line belongs to the record before it. @returns its kind */
    goOn: (bits = 0) => (state.isRecord ? (state.level + 1) | belongs | bits : bits),
  }
  return state
}

/** Says what each line is, from the lines before it. */
const createReader = () => {
  const state = createState()
  const { begin, goOn } = state

  const readIndented = (isFrameLine: boolean) => {
    if (isFrameLine) state.isInTrace = true
    return goOn(state.isInTrace ? isFrame : 0)
  }

  const readTrace = (line: NonNullable<ReturnType<typeof traceLineOf>>, head: string) => {
    if (line === 'frame') return state.isRecord ? readIndented(true) : begin(error, true)
    const isOfError = state.isRecord && (state.isInTrace || (state.level >= warn && !state.isAfterBlank))
    state.isInGo = line === 'panic' || isGoroutine(head)
    if (line === 'on' && state.isRecord) return goOn()
    if (isOfError) {
      state.isInTrace = true
      return goOn()
    }
    const kind = begin(line === 'panic' ? fatal : error, true)
    state.isInGo = line === 'panic' || isGoroutine(head)
    return kind
  }

  /** @param head the start of a line that is not blank */
  const read = (head: string, start: LineStart): number => {
    if (start.timeChars > 0) return begin(levelOf(head, start))
    const first = head.charCodeAt(0)
    const line = traceLineOf(head)
    if (first === 0x20 || first === 0x09) {
      const inside = head.trimStart()
      const own = state.isInTrace || line ? undefined : startOf(inside)
      return own?.timeChars ? begin(levelOf(inside, own)) : readIndented(line !== undefined)
    }
    if (state.isInGo && isFunctionOfGo(head)) return goOn(isFrame)
    if (line) return readTrace(line, head)
    const own = levelOf(head, start)
    // The last line of a trace of Python says what went wrong.
    if (own === noLevel && state.isInTrace && !state.isAfterBlank && !state.isInGo) {
      state.isInTrace = false
      return goOn()
    }
    return begin(own)
  }

  return {
    readBlank: () => {
      state.isAfterBlank = true
    },
    read: (head: string, start: LineStart) => {
      const kind = read(head, start)
      state.isAfterBlank = false
      return kind
    },
  }
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

const lastTime = (text: string) => {
  for (let n = 0, end = text.length; n < linesWithTime && end > 0; n++) {
    const start = text.lastIndexOf('\n', end - 1) + 1
    const time = timeOf(headAt(text, start, end))
    if (time) return time
    end = start - 1
  }
  return undefined
}

const timesOf = (text: string) => {
  const [first, last] = [firstTime(text), lastTime(text)]
  return first && last ? { times: spanText(first, last) } : {}
}

/** About 1 ms. */
const linesPerPiece = 250

/** Reads a log once from its start to its end, in steps of a millisecond. */
export function* readLog(text: string): Generator<undefined, LogReading> {
  const [kinds, times] = [createBytes(), createBytes()]
  const counts = levels.map(() => 0)
  const { read, readBlank } = createReader()

  const readLine = (head: string) => {
    const start = startOf(head)
    const kind = read(head, start)
    kinds.add(kind)
    times.add(start.timeChars)
    const level = levelOfKind(kind)
    if (level !== noLevel && !belongsToLineBefore(kind)) counts[level] = (counts[level] ?? 0) + 1
  }

  for (let start = 0, n = 1; start < text.length; n++) {
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
    if (n % linesPerPiece === 0) yield
  }
  const found = levels.map((level, at) => [level, counts[at] ?? 0] as const).filter(([, count]) => count > 0)
  return {
    kinds: kinds.all(),
    times: times.all(),
    facts: { counts: Object.fromEntries(found), ...timesOf(text) },
  }
}

/** So many lines say whether terminal text is a log. */
const judgedLines = 100
const judgedChars = 32 * 1024

/** True if at least a third of the first lines begin with a time or have a level. */
export const looksLikeLog = (text: string) => {
  const lines = text
    .slice(0, judgedChars)
    .split('\n', judgedLines)
    .map((line) => headAt(line, 0, line.length))
    .filter((line) => line.trim() !== '')
  const signs = lines.filter((head) => {
    const start = startOf(head)
    return start.timeChars > 0 || levelOf(head, start) !== noLevel
  })
  return signs.length >= 2 && signs.length * 3 >= lines.length
}

import { hasLevels, type View } from './languages/languages.ts'
import { fieldsOfRecord, type LineTime, spanText, timeOf, timeOfRecord } from './log-times.ts'
import { countLines } from './show-text.ts'

/** Levels of a line of a log, the least important first. */
export const levels = ['trace', 'debug', 'info', 'notice', 'warn', 'error', 'fatal'] as const
export type Level = (typeof levels)[number]

/** A view, or the lines of this level and above that hold a word (a literal, case ignored). */
export type Show = { view: View } | { level?: Level; grep?: string }

/** True where only the lines with a word are shown. */
export const isOfWord = ({ show }: { show?: Show | undefined }) => show !== undefined && 'grep' in show

/** Words for each level, as programs write them. */
const levelSpellings: Readonly<Record<Level, string>> = {
  fatal: 'emergency emerg alert critical crit fatal panic ftl',
  error: 'error err eror severe fail',
  warn: 'warning warn wrn',
  notice: 'notice',
  info: 'information info inf',
  debug: 'debug dbg dbug',
  trace: 'trace trc trce verbose vrb finest finer fine',
}

const capitalised = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`

/** With every usual case: lowering each word of a log takes longer than to look it up. */
const numbers = new Map(
  levels.flatMap((level, at) =>
    levelSpellings[level]
      .split(' ')
      .flatMap((word) => [word, word.toUpperCase(), capitalised(word)])
      .map((word) => [word, at] as const),
  ),
)

/** In small letters. */
export const levelWords: readonly string[] = Object.values(levelSpellings).flatMap((all) => all.split(' '))

/** The level of a word, as its place in `levels`. */
export const numberOfWord = (word: string) => numbers.get(word)

const clock = String.raw`\d\d:\d\d:\d\d(?:[.,]\d{1,9})?`
const zone = String.raw`(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?`
const month = '[A-Z][a-z]{2}'

/** Times as they begin a line, perhaps in brackets. */
const timeShapes = [
  String.raw`\d{4}[-/]\d\d[-/]\d\d[T ]${clock}${zone}`,
  String.raw`(?:${month} )?${month} [ \d]\d ${clock}(?: \d{4})?`,
  String.raw`\d{1,2} ?${month} ?\d{4} ${clock}`,
  String.raw`\d{1,2}\.\d{1,2}\.\d{4},? ${clock}`,
  String.raw`\d{1,2}/\d{1,2}/\d{4},? \d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?: [AP]M)?`,
  String.raw`\d\d-\d\d ${clock}`,
  clock,
]
/** Of the kernel, in seconds since its start; of Mosquitto and Squid, in seconds since 1970. */
const seconds = String.raw`\[ {0,7}\d{1,7}\.\d{6}\]|1\d{9}(?:(?=: )|\.\d{3}(?= ))`
const timeAtStart = String.raw`(?:[[(]?(?:${timeShapes.join('|')})[\])]?|${seconds})`

/**
 * What docker compose, kubectl, a container's runtime and `docker logs -t` put before the line of a program. A number and a
 * bar is a line of source text that a compiler shows.
 */
const sources = [
  String.raw`((?!\d{1,60} )[\w.-]{1,60}) {0,20}\| `,
  String.raw`\[pod/([\w./-]{1,150})\] `,
  String.raw`\d{4}-\d\d-\d\dT[\d:.Z+-]{8,30} (std(?:out|err)) [FP] `,
]
const dockerTime = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z `

/** The host and the unit of journald and syslog, or the names of RFC 5424. */
const unit = String.raw`(\S{1,100}) [^\s:[\]]{1,60}(\[\d{1,8}\])?: `

/** klog has the letter of the level before the time. */
const own = String.raw`(?:([IWEF])\d{4}(?:\d{4})? )?${timeAtStart}(?=\W|$)([\s:|,-]{0,4})(${unit})?`

const lineStart = new RegExp(`^((?:${sources.join('|')})?(?:${dockerTime})?)(?:${own})?`)
const startOfOwn = new RegExp(`^${own}`)

/** How a time begins, or what a source wrote: most lines of other kinds end here, and much sooner. */
const mayBegin = /^(?:[\d[(]|[A-Z][a-z]{2} [A-Z\d ]|[IWEF]\d{4}|[\w.-]{1,60} {0,20}\| )/

/** How a line of a log begins. */
export type LineStart = {
  /** What is read of the line; of a record of docker, what is inside. */
  line: string
  /** The length of the time, and of what a container put before it; 0 without. */
  timeChars: number
  /** What the program wrote, without its time and what separates that, and without the host and the unit of a journal. */
  rest: string
  /** The same with its indentation. */
  indented: string
  /** The letter of klog before the time. */
  letter: string | undefined
  /** What carried the line: a container, or the process of a journal. The time is the carrier's, unless it `hasTime`. */
  carrier: string | undefined
  /** True for a time that the program wrote. */
  hasTime: boolean
}

const lineOf = /^\{"log":"((?:[^"\\]|\\.){0,250})/
const decoded: Readonly<Record<string, string>> = { n: '', r: '', t: '\t' }

/** The line inside a record of docker's JSON. */
const lineInRecord = (head: string) =>
  lineOf
    .exec(head)?.[1]
    ?.replace(/\\u001b\[[0-9;:?]{0,30}[a-zA-Z]/g, '')
    .replace(/\\(.)/g, (_, letter: string) => decoded[letter] ?? letter)

/** What is behind a time, with its indentation. @param end of the time and what separates it */
const indentedBehind = (line: string, end: number) => {
  let start = end
  while (line[start - 1] === ' ' || line[start - 1] === '\t') start--
  return line.slice(Math.min(start + 1, end))
}

/** The line behind what the journal put there. @param carrier the host and the process */
const startInJournal = (line: string, timeChars: number, text: string, carrier: string): LineStart => {
  const found = mayBegin.test(text) ? startOfOwn.exec(text) : null
  if (!found)
    return { line, timeChars, rest: text, indented: text, letter: undefined, carrier, hasTime: false }
  const [all, letter, , names = ''] = found
  const indented = indentedBehind(text, all.length - names.length)
  return { line, timeChars, rest: text.slice(all.length), indented, letter, carrier, hasTime: true }
}

/** Written out, because spreading takes as long as reading the line. */
const bare = (line: string): LineStart => {
  const [rest, indented, letter, carrier] = [line, line, undefined, undefined]
  return { line, timeChars: 0, rest, indented, letter, carrier, hasTime: false }
}

const startOfLine = (line: string): LineStart => {
  const found = mayBegin.test(line) ? lineStart.exec(line) : null
  if (!found || found[0] === '') return bare(line)
  // By index: taking the parts out of the list one after the other was a third of the time of a log.
  const [all, letter, gap, names, host] = [found[0], found[5], found[6], found[7] ?? '', found[8]]
  const carrier = found[1] === '' ? undefined : (found[2] ?? found[3] ?? found[4] ?? 'docker')
  const rest = line.slice(all.length)
  const timeEnd = all.length - names.length
  const timeChars = timeEnd - (gap ?? '').length
  // `kernel` has no number.
  const isJournal = host !== undefined && (found[9] !== undefined || all.endsWith(' kernel: '))
  if (isJournal && numberOfWord(host) === undefined)
    return startInJournal(line, timeChars, rest, names.trim())
  const indented = gap === undefined ? rest : indentedBehind(line, timeEnd)
  return { line, timeChars, rest, indented, letter, carrier, hasTime: gap !== undefined }
}

/** @param head the first characters of a line */
export const startOf = (head: string): LineStart => {
  if (head.charCodeAt(0) !== 0x7b) return startOfLine(head)
  const record = lineInRecord(head)
  if (record === undefined) return bare(head)
  const start = startOfLine(record)
  return { ...start, timeChars: 0, carrier: start.carrier ?? 'docker' }
}

const everyWord = levelWords.toSorted((a, b) => b.length - a.length)
const upper = everyWord.join('|').toUpperCase()
/** java.util.logging writes these in capitals only; in small letters they are ordinary words. */
const inCapitals = ['fine', 'finer', 'finest']
const lower = everyWord
  .filter((word) => !inCapitals.includes(word))
  .map((word) => `[${word[0]}${word[0]?.toUpperCase()}]${word.slice(1)}`)
  .join('|')
const field = '(?:log\\.?)?level|levelname|severity|lvl'

/** What says that there is none: `ERR=0`, `error: none`, `FATAL: 0,`. */
const isNot = '(?! ?[=:] ?(?:0(?:[,;|)]|$)|(?:none|null|nil)(?!\\w))| ?= ?(?:0|no|ok|false)(?!\\w))'
const isNone = '(?<!\\b(?:[Nn]o|[Ww]ithout|[Zz]ero|0) )'

/**
 * The first sign of a level in a line: a word in capitals; a field such as `level=warn`; or a word in small letters where
 * only a level stands, as in `[error]`, `core:error]`, `warning: …` and `error (device sda1)` of file systems in Linux. The
 * last two are of Minecraft, `[Server thread/WARN]`, and of Laravel, `production.ERROR: …`.
 */
const sign = new RegExp(
  `(?<![\\w$/.-])${isNone}(?:(${upper})(?!\\w)${isNot}|(?:${field})["']? ?[=:] ?["']?(\\w{1,12})|` +
    `(${lower})(?=[\\]):|>[]| [|-] | \\(device )${isNot})|\\/(${upper})(?=\\])|[a-z]\\.(${upper})(?=: )`,
)

/** Ordinary words of sentences, too: alone at the start of a line they say nothing. */
const ofSentences = ['alert', 'critical', 'emergency']
const atStart = lower
  .split('|')
  .filter((word) => !ofSentences.some((one) => word.endsWith(one.slice(1))))
  .join('|')

/** A word at the start of a line, or after its time; not in `Error rate is 0 %`. */
const wordAtStart = new RegExp(
  `^(?:npm )?(${atStart})(?:!|\\s(?!(?:rates?|counts?|counters?|handl(?:ers?|ing)|pages?|logs?|budgets?|level)\\b))`,
)

const letters: Readonly<Record<string, Level>> = {
  ...{ V: 'trace', T: 'trace', D: 'debug', I: 'info', N: 'notice' },
  ...{ W: 'warn', E: 'error', F: 'fatal', A: 'fatal', C: 'fatal' },
}
/** logcat's `W/Tag` and `1234 5678 W Tag`, `[E]`, and `E NETWORK` after a time. */
const letter = /^(?:([VDIWEFA])\/[\w.$-]|\s*\d+ +\d+ ([VDIWEFA]) |\[([TVDIWEFC])\]|([DIWEF]) {1,2}[A-Z]{3})/

/** Of syslog (RFC 5424): emergency, alert and critical are all fatal here. */
const syslog: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'notice', 'info', 'debug']
const priority = /^<(\d{1,3})>/

/** Level of none. */
export const noLevel = -1

const levelNumber = (level: Level | undefined) => (level === undefined ? noLevel : levels.indexOf(level))

const numberOfName = (value: string) =>
  numberOfWord(value.toLowerCase()) ?? (value.length === 1 ? levelNumber(letters[value]) : noLevel)

const pino: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** pino's and bunyan's numbers go from 10 to 60; smaller ones are syslog's. */
const numberOfValue = (value: string) => {
  const number = Number(value)
  if (Number.isNaN(number)) return numberOfName(value)
  if (number < 8) return levelNumber(syslog[number])
  return levelNumber(pino[Math.floor(number / 10) - 1])
}

/** The level that stands at the start of a line; `undefined` if none is written there in one of these ways. */
const levelAtStart = (text: string) => {
  const first = text.charCodeAt(0)
  if (first === 0x3c) {
    const number = Number(priority.exec(text)?.[1] ?? 999)
    return number < 192 ? levelNumber(syslog[number % 8]) : undefined
  }
  if (first === 0x7b) return numberOfValue(fieldsOfRecord(text).level ?? '-')
  // Most lines begin otherwise.
  const found = first <= 0x5b ? letter.exec(text) : null
  if (found) return levelNumber(letters[found.slice(1).find((part) => part !== undefined) ?? ''])
  const word = wordAtStart.exec(text)?.[1]
  return word === undefined ? undefined : numberOfWord(word)
}

/** The level of a line, as its place in `levels`, or `noLevel`. */
export const levelOf = ({ line, rest, letter: klog }: LineStart): number => {
  if (klog !== undefined) return levelNumber(letters[klog])
  const atStart = levelAtStart(rest)
  if (atStart !== undefined) return atStart
  const found = sign.exec(line)
  if (!found) return noLevel
  const value = found[2]
  // `level: 3` is the level of anything.
  if (value !== undefined) return Number(value) < 8 ? noLevel : numberOfValue(value)
  return numberOfWord(found[1] ?? found[3] ?? found[4] ?? found[5] ?? '') ?? noLevel
}

/**
 * A line of a stack trace that says where: of Java, .NET and JavaScript (`at …`), Python (`File "…"`), Ruby (`from …`,
 * `a.rb:1:in …`), PHP and debuggers (`#0 …`), Rust (`0: …`), Go (`a.go:1 +0x…`) and Linux (`f+0x1/0x2`).
 */
const frame =
  /^(?:\s+(?:at |\.{3} \d+ |File "|from |\d{1,4}: |Suppressed: |-{3} End |\S{1,300}\.go:\d|(?:\? )?[\w.]{1,150}\+0x[\da-f]{1,8}\/0x)|#\d{1,4} (?: *\w+ \S|0x|\{main\}|\[internal function\]|[^()]{1,200}\(\d{1,7}\): )|\S{1,200}:\d{1,7}:in [`'])/

/** A line that goes on with the trace of the line before, and says what. */
const goesOn =
  /^(?:Caused by: |Suppressed: |Stack trace:|stack backtrace:|Backtrace:|Call Trace:|--- End |---> |During handling of the above|The above exception was|goroutine \d+ \[|created by |exit status \d|(?:DETAIL|HINT|STATEMENT|CONTEXT|QUERY): )/

/** The first line of a trace: it belongs to an error before it, and is one where there is none. */
const begins =
  /^(?:Traceback \(most recent call last\)|BUG: |Oops: |Exception in thread |Unhandled [eE]xception|thread '[^']{0,100}' panicked at |[\w$.:\\ ]{0,150}?(?:Error|Exception)(?=[:(]|\s{2}|\s?$))/

const panics = /^(?:panic: |fatal error: |runtime: |SIG[A-Z]{3,6}: )/
const functionOfGo = /^[\w./*()[\]{},$-]{1,200}\(.*\)?$/

export type TraceLine = 'frame' | 'on' | 'begin' | 'panic'

/** What a line is of a stack trace, if anything. @param head its first characters */
export const traceLineOf = (head: string): TraceLine | undefined => {
  const first = head.charCodeAt(0)
  const isIndented = first === 0x20 || first === 0x09
  if (frame.test(head)) return 'frame'
  if (isIndented) return undefined
  if (goesOn.test(head)) return 'on'
  if (panics.test(head)) return 'panic'
  return begins.test(head) ? 'begin' : undefined
}

/** What PostgreSQL says of the error before, each in a line with the same time. */
export const isOfStatement = (behind: string) =>
  /^(?:\[\d{1,8}\](?:: \[\d{1,8}-\d{1,8}\])? )?(?:\S{1,80} )?(?:DETAIL|HINT|STATEMENT|CONTEXT|QUERY|LOCATION): {2}/.test(
    behind,
  )

/** True for a function in a trace of Go, whose place is in the next line. */
export const isFunctionOfGo = (head: string) => functionOfGo.test(head)

/** True for a line after which functions of Go follow. */
export const isGoroutine = (head: string) => /^goroutine \d+ \[/.test(head)

// The bits of a kind: the level plus 1, whether the line belongs to the one before, whether it is a frame of a trace.
const levelBits = 7
const belongs = 8
const isFrame = 16

/** The level of a line, as its place in `levels`; -1 for none. */
export const levelOfKind = (kind = 0) => (kind & levelBits) - 1
export const belongsToLineBefore = (kind = 0) => (kind & belongs) !== 0
export const isFrameOfTrace = (kind = 0) => (kind & isFrame) !== 0

const warn = levels.indexOf('warn')
const error = levels.indexOf('error')
const fatal = levels.indexOf('fatal')

/** What the lines of a carrier so far say about its next one. */
type State = {
  level: number
  isRecord: boolean
  isInTrace: boolean
  isInGo: boolean
  isAfterBlank: boolean
  isAfterFrame: boolean
  /** True behind the line that ends a trace of a carrier. */
  isEnded: boolean
  /** True if the lines of the trace begin with times themselves. */
  isTimed: boolean
}

const createState = (): State => ({
  ...{ level: noLevel, isRecord: false, isInTrace: false },
  ...{ isInGo: false, isAfterBlank: false, isAfterFrame: false, isEnded: false, isTimed: false },
})

/** A line begins a record of this level. @returns its kind */
const begin = (state: State, level: number, isInTrace = false) => {
  state.level = level
  state.isInTrace = isInTrace
  state.isRecord = true
  state.isInGo = false
  state.isEnded = false
  state.isTimed = false
  return level + 1
}

/** A line belongs to the record before it. @returns its kind */
const goOn = ({ isRecord, level }: State, bits = 0) => (isRecord ? (level + 1) | belongs | bits : bits)

const readIndented = (state: State, isFrameLine: boolean) => {
  if (isFrameLine) state.isInTrace = true
  return goOn(state, state.isInTrace ? isFrame : 0)
}

const isOfError = ({ isRecord, isInTrace, level, isAfterBlank }: State) =>
  isRecord && (isInTrace || (level >= warn && !isAfterBlank))

const readTrace = (state: State, line: TraceLine, text: string) => {
  if (line === 'frame') return state.isRecord ? readIndented(state, true) : begin(state, error, true)
  const isOf = isOfError(state)
  const isGo = line === 'panic' || isGoroutine(text)
  state.isInGo = isGo
  if (line === 'on' && state.isRecord) return goOn(state)
  if (isOf) {
    state.isInTrace = true
    return goOn(state)
  }
  const kind = begin(state, line === 'panic' ? fatal : error, true)
  state.isInGo = isGo
  return kind
}

const isSpace = (character: number) => character === 0x20 || character === 0x09

/**
 * True if the line may be the last one of a trace of Python, or the message behind a panic of Rust. Behind a carrier any
 * line may follow, so after frames it must be the name of an error.
 */
const mayEndTrace = (state: State, { carrier, indented }: LineStart) => {
  const { isInTrace, isAfterBlank, isInGo, isEnded, isAfterFrame } = state
  if (!isInTrace || isAfterBlank || isInGo || isEnded) return false
  return carrier === undefined || !isAfterFrame || /^[\w.]{1,200}(?:: |$)/.test(indented)
}

/** A line of a program without a time of its own. */
const readBare = (state: State, start: LineStart) => {
  const text = start.indented
  const line = traceLineOf(text)
  if (isSpace(text.charCodeAt(0))) {
    const own = state.isInTrace || line ? undefined : startOf(text.trimStart())
    return own?.timeChars ? begin(state, levelOf(own)) : readIndented(state, line !== undefined)
  }
  if (state.isInGo && isFunctionOfGo(text)) return goOn(state, isFrame)
  if (line) {
    // Behind a carrier, nothing else says that the next line is no more of the trace.
    state.isEnded = start.carrier !== undefined && line === 'begin' && state.isAfterFrame
    return readTrace(state, line, text)
  }
  const own = levelOf(start)
  if (own === noLevel && mayEndTrace(state, start)) {
    state.isInTrace = false
    return goOn(state)
  }
  return begin(state, own)
}

const timed = (state: State, kind: number) => {
  state.isTimed = true
  return kind
}

/** A line with a time begins a record, unless it is certainly of the trace before. @returns its kind, if it is */
const readTimed = (state: State, start: LineStart) => {
  const text = start.indented
  if (text.startsWith('Traceback (')) return timed(state, readTrace(state, 'begin', text))
  if (!isOfError(state)) return undefined
  const line = traceLineOf(text)
  const isOpen = state.isInTrace && state.isTimed
  if (line === 'frame' || (isOpen && levelOf(start) === noLevel && isSpace(text.charCodeAt(0))))
    return isOpen || isSpace(text.charCodeAt(0)) ? timed(state, readIndented(state, true)) : undefined
  if (line === 'on' || isOfStatement(text)) return goOn(state)
  if (line !== 'begin' || !isOpen || !state.isAfterFrame) return undefined
  // The next line says as much of itself.
  state.isInTrace = false
  return goOn(state)
}

/** More carriers than a log has; the lines of each are read by themselves. */
const mostCarriers = 100

/** Says what each line is, from the lines of the same carrier before it. */
export const createLineReader = () => {
  const states = new Map<string, State>()
  let state = createState()
  let carrier: string | undefined

  /** A line without a carrier goes on with the line before; one with a time of its own has nothing to do with it. */
  const choose = (next: string | undefined) => {
    if (next === carrier) return
    carrier = next
    const known = states.get(next ?? '')
    state = known ?? createState()
    if (known) return
    if (states.size > mostCarriers) states.clear()
    states.set(next ?? '', state)
  }

  const isBlank = ({ carrier: name, rest, hasTime }: LineStart) =>
    name !== undefined && !hasTime && !/\S/.test(rest)

  return {
    readBlank: () => {
      state.isAfterBlank = true
    },
    read: (start: LineStart) => {
      if (start.carrier !== undefined || start.hasTime) choose(start.carrier)
      if (isBlank(start)) {
        state.isAfterBlank = true
        return 0
      }
      const kind = start.hasTime
        ? (readTimed(state, start) ?? begin(state, levelOf(start)))
        : readBare(state, start)
      state.isAfterBlank = false
      state.isAfterFrame = (kind & isFrame) !== 0
      return kind
    },
  }
}

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

/** Reads a log once from its start to its end. */
export const readLog = (text: string): LogReading => {
  const { read, readBlank } = createLineReader()
  const counts = levels.map(() => 0)
  const lines = countLines(text)
  const [kinds, times] = [new Uint8Array(lines), new Uint8Array(lines)]
  for (let start = 0, at = 0; start < text.length; at++) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const head = headAt(text, start, end)
    start = end + 1
    if (head === '') {
      readBlank()
      continue
    }
    const begin = startOf(head)
    const kind = read(begin)
    kinds[at] = kind
    times[at] = begin.timeChars
    const level = levelOfKind(kind)
    if (level !== noLevel && !belongsToLineBefore(kind)) counts[level] = (counts[level] ?? 0) + 1
  }
  const found = levels.map((level, at) => [level, counts[at] ?? 0] as const).filter(([, count]) => count > 0)
  return { kinds, times, facts: { counts: Object.fromEntries(found), ...timesOf(text) } }
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

/** True for a text that is shown as a log. It needs no grammar. */
export const isShownAsLog = (job: { text: string; language: string; show?: Show }) => {
  const { text, language, show } = job
  if (show && 'view' in show) return false
  if (language === 'log') return true
  return hasLevels(language) && (show?.level !== undefined || looksLikeLog(text))
}

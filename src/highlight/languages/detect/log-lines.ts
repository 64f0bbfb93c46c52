import { isFunctionOfGo, startOf, traceLineOf } from '../../log.ts'
import { type Beginning, shareOf } from './beginning.ts'

const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const date = '\\d{4}[-/.]\\d\\d[-/.]\\d\\d'
const clock = '\\d\\d:\\d\\d:\\d\\d'
const level = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE)'

/** How lines of logs begin: after a name of a container, or the priority of syslog. */
const stamps = [
  `\\[?${date}[T ]${clock}`,
  `\\[?${month} {1,2}\\d{1,2} ${clock}`,
  `\\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} \\d\\d ${clock}`,
  `\\[?\\d{1,2}(?:\\.\\d{1,2}\\.|${month}|/\\d{1,2}/)\\d{4},? \\d{1,2}:\\d\\d:\\d\\d`,
  `\\[?${clock}(?:[.,]\\d{1,9})?(?:\\]|\\s)`,
  '\\[ {0,12}\\d{1,12}\\.\\d{3,6}\\] ',
  '1\\d{9}(?:: |\\.\\d{3} {1,8}\\d)',
  `[IWEF]\\d{4} ${clock}`,
  `[\\w.:-]{1,60} \\S{1,40} \\S{1,40} \\[\\d\\d/${month}/\\d{4}:`,
  `time="${date}T`,
  `(?:ts|time|level|lvl)=\\S{1,40} (?:\\S{1,60} )?(?:ts|time|level|lvl|caller|msg)=`,
  `\\[?${level}\\]?:? `,
  `\\d\\d-\\d\\d ${clock}\\.\\d{3} {1,6}\\d{1,7} {1,6}\\d{1,7} [VDIWEFA] `,
  '[VDIWEFA]/[^(]{1,60}\\( {0,6}\\d{1,7}\\): ',
  'npm (?:ERR!|WARN|error|warn|notice|http|verbose|sill)(?: |$)',
  '(?:trce|dbug|info|warn|fail|crit): [\\w.`+<>]{1,200}\\[\\d{1,9}\\]$',
]
const isStamped = (pattern: RegExp) => (line: string) => pattern.test(line)
const isLog = isStamped(
  new RegExp(`^(?:<\\d{1,3}>(?:\\d )?|[\\w.-]{1,40} {0,20}\\| ?)?(?:${stamps.join('|')})`),
)

/** Compose numbers its containers, and leaves two spaces behind the longest name. */
const isOfCompose = isStamped(/^[\w.-]{1,60}[-_]\d{1,3} {2,20}\|(?: [^|]*)?$/)
const fewestOfCompose = 2

const isGoCall = (text: string) => /\((?:0x|\{0x|\.\.\.\)|\)$)/.test(text) && isFunctionOfGo(text)

/** Lines that belong to the one before, behind what carried them: a stack trace, a message of several lines. */
const isContinued = (line: string) => {
  const { indented } = startOf(line)
  return /^\s/.test(indented) || traceLineOf(indented) !== undefined || isGoCall(indented)
}

const fewestLines = 3

/** At least three in five lines, those of stack traces left out, begin with a time or a level. */
const hasStamps = (lines: readonly string[]) => {
  const own = lines.filter((line) => isLog(line) || !isContinued(line))
  return own.filter(isLog).length >= fewestLines && shareOf(own, isLog) >= 0.6
}

/** Nearly all lines have the name of a container, of two at least: one alone may be a table. */
const isCompose = (lines: readonly string[]) => {
  const names = new Set(lines.filter(isOfCompose).map((line) => line.slice(0, line.indexOf(' '))))
  return names.size >= fewestOfCompose && lines.length >= fewestLines && shareOf(lines, isOfCompose) >= 0.9
}

/** How a trace begins. */
const opens =
  /^(?:Traceback \(most recent call last\):|thread '[^']{1,100}' (?:\(\d{1,9}\) )?panicked at |panic: |fatal error: |goroutine \d{1,9} \[|Exception in thread "|Unhandled exception\. |[\w$.]{1,150}(?:Error|Exception)(?:: |$))/
/** A panic of Rust has no frames unless one asks for them: its place, a message, and this. */
const adviceOfRust = /^note: run with `RUST_BACKTRACE=/
const shortPanic = 4
const mostBefore = 3
const fewestFrames = 2

const hasFrames = (trace: readonly string[]) => {
  const frames = trace.filter((line) => traceLineOf(line) === 'frame' || isGoCall(line))
  return frames.length >= fewestFrames && shareOf(trace, isContinued) >= 0.75
}

/** A stack trace alone, perhaps with the command before it: it has frames, and hardly anything else. */
const isTrace = (lines: readonly string[]) => {
  const first = lines.slice(0, mostBefore + 1).findIndex((line) => opens.test(line))
  if (first < 0 || lines.some((line) => line.startsWith('```'))) return false
  const trace = lines.slice(first)
  return hasFrames(trace) || (trace.length <= shortPanic && trace.some((line) => adviceOfRust.test(line)))
}

/** A log: by times and levels, by the names of containers, or a stack trace alone. */
export const languageOfLog = ({ lines }: Beginning) =>
  hasStamps(lines) || isCompose(lines) || isTrace(lines) ? 'log' : undefined

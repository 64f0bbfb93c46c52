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
  `\\[?${clock}(?:[.,]\\d{1,9})?(?:\\]|\\s)`,
  '\\[ {0,12}\\d{1,12}\\.\\d{3,6}\\] ',
  `[IWEF]\\d{4} ${clock}`,
  `[\\w.:-]{1,60} \\S{1,40} \\S{1,40} \\[\\d\\d/${month}/\\d{4}:`,
  `time="${date}T`,
  `(?:ts|time|level|lvl)=\\S{1,40} (?:\\S{1,60} )?(?:ts|time|level|lvl|caller|msg)=`,
  `\\[?${level}\\]?:? `,
]
const isStamped = (pattern: RegExp) => (line: string) => pattern.test(line)
const isLog = isStamped(
  new RegExp(`^(?:<\\d{1,3}>(?:\\d )?|[\\w.-]{1,40} {0,20}\\| ?)?(?:${stamps.join('|')})`),
)

/** Lines that belong to the one before: a stack trace, a message of several lines. */
const isContinued = (line: string) =>
  /^\s|^Caused by: |^Traceback |^[\w.]{1,99}(?:Error|Exception)\b/.test(line)

const fewestLines = 3

/** At least half of the lines, those of stack traces left out, begin with a time or a level. */
export const languageOfLog = ({ lines }: Beginning) => {
  const own = lines.filter((line) => isLog(line) || !isContinued(line))
  return own.filter(isLog).length >= fewestLines && shareOf(own, isLog) >= 0.6 ? 'log' : undefined
}

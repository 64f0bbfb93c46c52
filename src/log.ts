import { jsonLine, type Output } from './output.ts'
import type { LogFormat } from './settings/values.ts'

export type Level = 'info' | 'warn' | 'error'
/** Writes one line. Fields never contain an API key, a deletion key or the text of a paste. */
export type Log = (level: Level, event: string, fields?: Readonly<Record<string, string | number>>) => void

export type LogParts = {
  format: LogFormat
  now: () => number
  /** `false` if the line was dropped. */
  write: (line: string) => boolean
}

const quote = (value: string | number) => (/^[\w./:+-]+$/.test(String(value)) ? value : jsonLine(value))

const lineOf = {
  json: (time: string, level: Level, event: string, fields: object) =>
    jsonLine({ time, level, event, ...fields }),
  text: (time: string, level: Level, event: string, fields: object) =>
    [time, level, event, ...Object.entries(fields).map(([name, value]) => `${name}=${quote(value)}`)].join(
      ' ',
    ),
}

/** One line per event, for people (`text`) or for machines (`json`). */
export const createLog = ({ format, now, write }: LogParts): Log => {
  if (format === 'off') return () => {}
  const toLine = lineOf[format]
  let lost = 0
  const put = (level: Level, event: string, fields: object) =>
    write(`${toLine(new Date(now()).toISOString(), level, event, fields)}\n`)
  return (level, event, fields = {}) => {
    if (lost > 0 && put('warn', 'log lines lost: nobody read them', { lines: lost })) lost = 0
    if (!put(level, event, fields)) lost++
  }
}

/** Queues a line; `false` if the queue is full and the line was dropped. */
export type LogSink = (line: string) => boolean

/** Limit of the memory for lines that wait for a reader. */
const maxWaitingChars = 4 * 1024 ** 2

/** Writes the log to standard error, in order with all other output. */
export const createLogSink =
  ({ put, waiting }: Pick<Output, 'put' | 'waiting'>): LogSink =>
  (line) => {
    if (waiting() + line.length > maxWaitingChars) return false
    put('standard error', line)
    return true
  }

/** Log lines of the parts that work in the background. */
export const createReports = (log: Log) => ({
  storage: (isGood: boolean) =>
    isGood ? log('info', 'storage is well again') : log('error', 'storage failed'),
  databaseRisk: (cause: string) => log('warn', 'the database may lose what it acknowledged', { cause }),
  databaseAwaited: (cause: string) => log('error', 'the database cannot be used yet', { cause }),
  keysDamaged: ({ message }: Error) =>
    log('error', 'keys cannot be read, the last good ones stay', { cause: message }),
  shownPlain: (why: string) => log('warn', 'paste shown plain', { why }),
  countsPutAside: ({ message }: Error) => log('error', 'counts put aside', { cause: message }),
  countsWritten: (isGood: boolean, cause?: unknown) =>
    isGood
      ? log('info', 'counts are written again')
      : log('error', 'counts cannot be written, they wait in memory', { cause: String(cause) }),
  leftOut: ({ message }: Error) => log('error', 'item left out of a list', { cause: message }),
  notSwept: (what: string, cause: unknown) =>
    log('warn', what, { cause: String((cause as Error).cause ?? cause) }),
  /** Says nothing for a new folder, which has no items. */
  listed: ((level, event, fields) => fields?.items !== 0 && log(level, event, fields)) satisfies Log,
})
export type Reports = ReturnType<typeof createReports>

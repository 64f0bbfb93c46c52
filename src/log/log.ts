import { jsonLine } from '../control-characters.ts'
import type { LogFormat } from '../settings/values.ts'

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

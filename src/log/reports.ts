import type { Log } from './log.ts'

/** Log lines of the parts that work in the background. */
export const createReports = (log: Log) => ({
  storage: (isGood: boolean) =>
    isGood ? log('info', 'storage is well again') : log('error', 'storage failed'),
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

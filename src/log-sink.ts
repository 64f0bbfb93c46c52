import type { Output } from './output.ts'

/** Takes a line to be written soon; `false`: too much is waiting already, and it was dropped. */
export type LogSink = (line: string) => boolean

/** Lines that wait for a reader take so much memory and no more. */
const maxWaitingChars = 4 * 1024 ** 2

/** Where the log goes: standard error, in order with everything else that is printed. */
export const createLogSink =
  ({ put, waiting }: Pick<Output, 'put' | 'waiting'>): LogSink =>
  (line) => {
    if (waiting() + line.length > maxWaitingChars) return false
    put('standard error', line)
    return true
  }

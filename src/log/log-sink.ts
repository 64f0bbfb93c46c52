import type { Output } from '../output.ts'

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

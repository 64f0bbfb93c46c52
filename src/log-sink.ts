/** What receives bytes: calls back with how many it took, or an error. */
export type WriteBytes = (
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void

export type LogSink = {
  /** Takes a line to be written soon; `false`: too much is waiting already, and it was dropped. */
  write: (line: string) => boolean
  /** Resolves when all of it was written, or cannot be. */
  drained: () => Promise<void>
}

/** Lines that wait for a reader take so much memory and no more. */
const maxWaitingChars = 4 * 1024 ** 2

/** How soon a pipe that was full is tried again. */
const retryMs = 20

/**
 * Writes lines in order, those of one turn of the event loop at once, and never holds the loop up. Bun's own
 * `process.stderr` calls back before a full pipe has taken the bytes, so that leaving then loses them.
 */
export const createLogSink = (writeBytes: WriteBytes): LogSink => {
  let waiting: string[] = []
  let waitingChars = 0
  let isBusy = false
  const waiters: (() => void)[] = []

  const rest = () => {
    isBusy = false
    for (const resolve of waiters.splice(0)) resolve()
  }

  const put = (bytes: Uint8Array) =>
    writeBytes(bytes, (error, written) => {
      if (error?.code === 'EAGAIN') return void setTimeout(() => put(bytes), retryMs)
      // Nobody can read any more: the rest of the log has nowhere to go.
      if (error) return next()
      return written < bytes.length ? put(bytes.subarray(written)) : next()
    })

  const next = () => {
    if (waiting.length === 0) return rest()
    const bytes = Buffer.from(waiting.join(''))
    waiting = []
    waitingChars = 0
    put(bytes)
  }

  return {
    write: (line) => {
      if (waitingChars + line.length > maxWaitingChars) return false
      waiting.push(line)
      waitingChars += line.length
      if (!isBusy) {
        isBusy = true
        setImmediate(next)
      }
      return true
    },
    drained: () => (isBusy ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
  }
}

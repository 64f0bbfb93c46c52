/** Writes bytes; calls back with the number written, or an error. */
export type WriteBytes = (
  bytes: Uint8Array,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void

export type OutputName = 'standard output' | 'standard error'

/** The output of the process: both streams in one queue, so a terminal shows lines in the order of the program. */
export type Output = {
  /** Queues text or bytes. They are dropped after a failed write to this output. */
  put: (name: OutputName, data: string | Uint8Array) => void
  /** Resolves when little is waiting. @throws the error of this output */
  room: (name: OutputName) => Promise<void>
  /** Resolves when nothing is waiting. @throws the error of this output */
  flushed: (name: OutputName) => Promise<void>
  /** Characters or bytes that are waiting for their reader. */
  waiting: () => number
  /** The error of the first failed write; nothing is written after it. */
  failureOf: (name: OutputName) => NodeJS.ErrnoException | undefined
  /** Drops what is waiting; both outputs then count as failed. */
  giveUp: () => void
}

/** While more than this is waiting, `room` does not resolve. */
const highWater = 256 * 1024

/** Delay before retrying a full pipe: first and longest. */
const retryMs = { first: 1, last: 20 }

type Done = (error: NodeJS.ErrnoException | null) => void
type Piece = { name: OutputName; data: string | Uint8Array }

const bytesOf = (pieces: readonly Piece[]) =>
  pieces.every(({ data }) => typeof data === 'string')
    ? Buffer.from(pieces.map(({ data }) => data).join(''))
    : Buffer.concat(pieces.map(({ data }) => (typeof data === 'string' ? Buffer.from(data) : data)))

/** The first pieces, all for the same output, and the rest. */
const splitFirst = (queue: Piece[]): [first: Piece[], rest: Piece[]] => {
  const end = queue.findIndex(({ name }) => name !== queue[0]?.name)
  return end === -1 ? [queue, []] : [queue.slice(0, end), queue.slice(end)]
}

/** Writes all bytes, in as many calls as needed. @param done gets the error, if any */
const writeAll = (write: WriteBytes, bytes: Uint8Array, done: Done, waitMs = retryMs.first): void =>
  write(bytes, (error, written) => {
    if (error?.code === 'EAGAIN')
      return void setTimeout(writeAll, waitMs, write, bytes, done, Math.min(2 * waitMs, retryMs.last))
    return error || written >= bytes.length ? done(error) : writeAll(write, bytes.subarray(written), done)
  })

const nobodyRead = () => Object.assign(new Error('nobody read it'), { code: 'ETIMEDOUT' })

/**
 * Writes in order, one write per turn of the event loop, and never blocks it. Bun's own `process.stdout` and `process.stderr`
 * call back before a full pipe has taken the bytes, so exiting then loses them.
 */
export const createOutput = (writers: Readonly<Record<OutputName, WriteBytes>>): Output => {
  const failures = new Map<OutputName, NodeJS.ErrnoException>()
  const waiters: (() => void)[] = []
  let queue: Piece[] = []
  let waiting = 0
  let isBusy = false

  const wake = () => {
    for (const resolve of waiters.splice(0)) resolve()
  }

  const next = () => {
    const [pieces, rest] = splitFirst(queue)
    queue = rest
    const name = pieces[0]?.name
    if (name === undefined) {
      isBusy = false
      return wake()
    }
    const size = pieces.reduce((sum, { data }) => sum + data.length, 0)
    const done = (error: NodeJS.ErrnoException | null) => {
      if (error && !failures.has(name)) failures.set(name, error)
      waiting -= size
      wake()
      next()
    }
    return failures.has(name) ? done(null) : writeAll(writers[name], bytesOf(pieces), done)
  }

  const until = async (name: OutputName, most: number) => {
    while (waiting > most && !failures.has(name)) await new Promise<void>((resolve) => waiters.push(resolve))
    const failure = failures.get(name)
    if (failure) throw failure
  }

  return {
    put: (name, data) => {
      if (data.length === 0 || failures.has(name)) return
      queue.push({ name, data })
      waiting += data.length
      if (isBusy) return
      isBusy = true
      setImmediate(next)
    },
    room: (name) => until(name, highWater),
    flushed: (name) => until(name, 0),
    waiting: () => waiting,
    failureOf: (name) => failures.get(name),
    giveUp: () => {
      if (waiting === 0) return
      for (const name of ['standard output', 'standard error'] as const)
        if (!failures.has(name)) failures.set(name, nobodyRead())
      wake()
    },
  }
}

/** Characters that control a terminal or hide others: Cc, which includes DEL and C1, and Cf. */
const controls = /[\p{Cc}\p{Cf}]+/gu

/** A text in one line that is safe for a terminal. */
export const withoutControls = (text: string) => text.replace(controls, ' ')

/** Characters above U+FFFF become two escapes. */
const escaped = (text: string) =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** JSON in one line with control characters escaped: `JSON.stringify` leaves DEL, C1 and Cf. */
export const jsonLine = (value: unknown) => JSON.stringify(value).replace(controls, escaped)

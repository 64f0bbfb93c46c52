import type { NetcatLimits } from './limits.ts'

/** What a connection needs of its socket. */
export type Wire = Pick<Bun.Socket, 'write' | 'shutdown' | 'pause' | 'end'>

export type ConnectionParts = {
  wire: Wire
  limits: Pick<NetcatLimits, 'lingerMs' | 'droppedBytes'>
}

/** Answers a connection and closes it, so that the answer arrives. */
export type Connection = {
  answer: (text: string) => void
  /** Bytes that nobody wants: read so that the sender goes on to read the answer, up to a limit. */
  drop: (bytes: number) => void
  /** The other side has closed its half. */
  otherEnded: () => void
  /** The socket is closed. */
  closed: () => void
}

export const createConnection = ({ wire, limits }: ConnectionParts): Connection => {
  let [isAnswered, isEnded, isClosed] = [false, false, false]
  let dropped = 0
  let linger: ReturnType<typeof setTimeout> | undefined
  return {
    answer: (text) => {
      if (isAnswered || isClosed) return
      isAnswered = true
      // The system takes a line at once, also for a reader that does not read.
      wire.write(text)
      if (isEnded) return void wire.end()
      wire.shutdown()
      linger = setTimeout(() => wire.end(), limits.lingerMs)
    },
    drop: (bytes) => {
      dropped += bytes
      if (dropped > limits.droppedBytes) wire.pause()
    },
    otherEnded: () => {
      isEnded = true
      if (isAnswered) wire.end()
    },
    closed: () => {
      isClosed = true
      clearTimeout(linger)
    },
  }
}

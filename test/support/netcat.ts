import { connect, type Socket } from 'node:net'

/** What a sender does. */
export type Sending = {
  /** True to keep its half open. */
  keepsOpen?: boolean
  /** The address that it comes from. */
  from?: string
}

/** A bare connection to the netcat port of a server. */
export const openNetcat = async (
  port: number,
  { from, host = '127.0.0.1' }: { from?: string; host?: string } = {},
) => {
  const socket: Socket = connect({ port, host, allowHalfOpen: true, ...(from && { localAddress: from }) })
  const opened = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<string>()
  let text = ''
  socket.on('connect', opened.resolve)
  socket.on('data', (bytes) => {
    text += bytes
  })
  // The answer ends where the server closes its half.
  socket.on('end', () => closed.resolve(text))
  socket.on('error', (error) => {
    // The server may close it at once.
    opened.resolve()
    closed.resolve(`${text}<${(error as NodeJS.ErrnoException).code}>`)
  })
  socket.on('close', () => closed.resolve(`${text}<cut off>`))
  await opened.promise
  return {
    socket,
    write: (part: string | Uint8Array) => new Promise<void>((resolve) => socket.write(part, () => resolve())),
    end: () => void socket.end(),
    /** All that the server says until it closes its half. */
    answer: closed.promise,
    close: () => socket.destroy(),
  }
}

/** Sends a text as `nc -N` does. @returns the answer */
export const sendText = async (
  port: number,
  text: string | Uint8Array,
  { keepsOpen, from }: Sending = {},
) => {
  const connection = await openNetcat(port, { ...(from && { from }) })
  connection.socket.write(text)
  if (!keepsOpen) connection.end()
  const answer = await connection.answer
  connection.close()
  return answer
}

/** The flags of a server that takes texts from this machine by netcat, for the key from the environment. */
export const withNetcat = [
  '--netcat',
  '127.0.0.1:0',
  '--guest-from',
  '127.0.0.0/8',
  '--guest-key',
  'environment',
] as const

/** The netcat port of a server. */
export const netcatPort = async (server: {
  stdout: { waitFor: (pattern: RegExp) => Promise<RegExpExecArray> }
}) => Number((await server.stdout.waitFor(/netcat: nc \S+ (\d+)/))[1])

export type Connection = {
  send: (text: string | Uint8Array) => void
  /** What came so far. */
  received: () => string
  /** Resolves once enough has come, or the server has closed. */
  until: (isEnough: (received: string) => boolean) => Promise<string>
  /** Resolves with everything once the server has closed or reset the connection. */
  closed: Promise<string>
  close: () => void
}

/** A connection on which anything can be sent. */
export const connect = async (
  url: string,
  options: { isHalfClosed?: boolean; first?: string } = {},
): Promise<Connection> => {
  const { hostname, port } = new URL(url)
  const end = Promise.withResolvers<string>()
  let received = ''
  let wake = Promise.withResolvers<void>()
  let isOpen = true
  const ring = () => {
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const close = () => {
    isOpen = false
    end.resolve(received)
    ring()
  }
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    allowHalfOpen: true,
    socket: {
      data: (_, bytes) => {
        received += bytes.toString('latin1')
        ring()
      },
      end: close,
      close,
      error: close,
    },
  })
  const send = (text: string | Uint8Array) => void socket.write(text)
  if (options.first) send(options.first)
  if (options.isHalfClosed) socket.shutdown()
  return {
    send,
    received: () => received,
    until: async (isEnough) => {
      while (isOpen && !isEnough(received)) await wake.promise
      return received
    },
    closed: end.promise,
    close: () => socket.end(),
  }
}

/** A bare TCP connection to a server, for what `fetch` cannot do: half a request, or none. */
export const openConnection = async (url: string) => {
  const { hostname, port } = new URL(url)
  let text = ''
  let isEnded = false
  let news = Promise.withResolvers<void>()
  const ring = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => {
        text += Buffer.from(bytes).toString('latin1')
        ring()
      },
      close: () => {
        isEnded = true
        ring()
      },
      error: () => {},
    },
  })
  return {
    send: (part: string) => socket.write(part),
    text: () => text,
    close: () => socket.end(),
    /** @throws when the server closes without having sent it */
    waitFor: async (pattern: RegExp) => {
      while (!pattern.test(text)) {
        if (isEnded) throw new Error(`the server closed without ${pattern}: ${text}`)
        await news.promise
      }
    },
  }
}

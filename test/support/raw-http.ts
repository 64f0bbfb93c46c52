import { observe } from './observed.ts'

/** Sends a request that `fetch` would refuse to make, character by character, and reads until the server closes. */
export const exchange = async (url: string, head: readonly string[], body = ''): Promise<Response> => {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const received: Buffer[] = []
  await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => {
        socket.write(`${[...head, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`)
      },
      data: (_, bytes) => {
        received.push(Buffer.from(bytes))
      },
      close: () => resolve(Buffer.concat(received).toString()),
      error: (_, error) => reject(error),
    },
  })
  const [answerHead = '', answerBody] = (await promise).split('\r\n\r\n')
  const [statusLine = '', ...lines] = answerHead.split('\r\n')
  const headers = lines.map((line) => line.split(/:\s*(.*)/s).slice(0, 2) as [string, string])
  const response = new Response(answerBody || null, { status: Number(statusLine.split(' ')[1]), headers })
  const [method = '', path = ''] = head[0]?.split(' ') ?? []
  // HTTP/1.1 without a Host is answered by the runtime itself.
  if (head.some((line) => /^host:/i.test(line))) await observe(method, url + path, response)
  return response
}

import { connect } from 'node:net'

/** Sends a request from an address of this machine, character by character. @returns the status */
export const statusFrom = (url: string, localAddress: string, head: readonly string[], body = '') => {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let received = ''
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  socket.on('data', (bytes) => {
    received += bytes
  })
  socket.on('error', reject)
  socket.on('close', () => resolve(Number(received.split(' ')[1])))
  const more = [`Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']
  socket.write(`${[...head, ...more].join('\r\n')}\r\n\r\n${body}`)
  return promise
}

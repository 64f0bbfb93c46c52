import { describe, expect, test } from 'bun:test'
import { bodyChunks, readBody } from '../../src/http/body.ts'
import { idleSeconds } from '../../src/http/listen.ts'

/** A server that notes when a connection is given its time again. */
const watching = () => {
  const given: number[] = []
  return {
    given,
    server: {
      requestIP: () => null,
      timeout: (_: Request, seconds: number) => {
        given.push(seconds)
      },
    },
  }
}

const requestOf = (body: ReadableStream, headers: Record<string, string> = {}) =>
  new Request('http://nas/', { method: 'POST', headers, body })

/** Each piece is asked for. */
const inPieces = (pieces: readonly string[]) => {
  const rest = [...pieces]
  return new ReadableStream({
    pull: (sink) => {
      const next = rest.shift()
      if (next === undefined) sink.close()
      else sink.enqueue(new TextEncoder().encode(next))
    },
  })
}

describe('a sender with a key', () => {
  const lines = ['one\n', 'two\n', 'three\n']

  test.each([[{}], [{ 'Content-Length': '14' }]])(
    'may be slow: with each piece the connection may be silent for as long again (%j)',
    async (headers) => {
      const { given, server } = watching()
      const body = await readBody({ request: requestOf(inPieces(lines), headers), server }, 1000)
      expect(new TextDecoder().decode(body)).toBe(lines.join(''))
      expect(given).toEqual(lines.map(() => idleSeconds))
    },
  )

  test('is given no more time by a piece that has not come', async () => {
    const { given, server } = watching()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const chunks = bodyChunks({ request: requestOf(readable), server }, 1000)
    void writer.write(new Uint8Array(3))
    await chunks.next()
    expect(given).toHaveLength(1)
    void chunks.next()
    void writer.close()
    await chunks.return(undefined)
    expect(given).toHaveLength(1)
  })
})

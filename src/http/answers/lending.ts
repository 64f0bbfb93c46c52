/** Sent to a slow reader at a time. */
const chunkBytes = 256 * 1024

/**
 * Sends large bodies, which few readers share, to slow readers. Bodies in flight have at most `maxBytes` together; one
 * that several readers share counts once.
 */
export const createLending = (maxBytes: number) => {
  const readers = new Map<Blob, number>()
  let bytesOut = 0

  const take = (body: Blob) => {
    const count = readers.get(body) ?? 0
    if (count === 0 && bytesOut + body.size > maxBytes) return false
    if (count === 0) bytesOut += body.size
    readers.set(body, count + 1)
    return true
  }

  const giveBack = (body: Blob) => {
    const count = (readers.get(body) ?? 1) - 1
    if (count > 0) return void readers.set(body, count)
    readers.delete(body)
    bytesOut -= body.size
  }

  /** The bytes of a body, released once they are sent or the reader is gone; `undefined` while too many are in flight. */
  return (body: Blob): ReadableStream | undefined => {
    if (!take(body)) return undefined
    let at = 0
    return new ReadableStream(
      {
        pull: async (controller) => {
          const chunk = await body.slice(at, at + chunkBytes).bytes()
          at += chunk.length
          if (chunk.length > 0) controller.enqueue(chunk)
          if (at < body.size) return
          giveBack(body)
          controller.close()
        },
        cancel: () => giveBack(body),
      },
      { highWaterMark: 0 },
    )
  }
}

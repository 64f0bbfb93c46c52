import { overloaded } from '../../errors.ts'
import type { Prepared } from './prepared.ts'

/** One paste in 244 languages, each sent to a slow reader, would take 2 GB; so would pages of many pairs of pastes. */
const lentBytes = 16 * 1024 ** 2
const mostUncounted = 64 * 1024

/** Sent to a slow reader at a time. */
const chunkBytes = 256 * 1024

/**
 * Sends large bodies, which few readers share, to slow readers. Bodies in flight have at most `maxBytes` together; one
 * that several readers share counts once, and a short one never.
 */
export const createLending = (maxBytes = lentBytes) => {
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

  const streamOf = (body: Blob) => {
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

  /** The answer, whose bytes are released once they are sent or the reader is gone; `undefined` while too many are in flight. */
  return ({ body, whole }: Prepared): Response | undefined => {
    const blob = body as Blob
    if (blob.size <= mostUncounted) return new Response(blob, whole)
    return take(blob) ? new Response(streamOf(blob), whole) : undefined
  }
}

export const tooManyLent = () => overloaded('Too many large pages are being sent. Try again in a moment.')

import { tooLarge } from '../errors.ts'
import type { StrangerBody } from '../http/body/stranger-bodies.ts'
import { formatSize } from '../http/format.ts'

/** A text as it arrives. */
export type Gathering = {
  /** @throws {AppError} `too-large`; `overloaded` when all texts together take too much memory */
  add: (bytes: Uint8Array) => void
  bytes: () => Uint8Array
  release: () => void
}

const smallestBytes = 4096

/** Copies what arrives into one buffer that grows: a text in pieces of one byte would need an object for each. */
export const createGathering = (maxBytes: number, memory: StrangerBody): Gathering => {
  let buffer = Buffer.alloc(0)
  let length = 0

  const grow = (needed: number) => {
    const size = Math.min(maxBytes, Math.max(needed, 2 * buffer.length, smallestBytes))
    memory.take(size - buffer.length)
    const larger = Buffer.allocUnsafeSlow(size)
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }

  return {
    add: (bytes) => {
      const needed = length + bytes.length
      if (needed > maxBytes)
        throw tooLarge(
          `The text is larger than ${formatSize(maxBytes)}, the limit of this server. Nothing was stored.`,
        )
      if (needed > buffer.length) grow(needed)
      buffer.set(bytes, length)
      length = needed
    },
    bytes: () => buffer.subarray(0, length),
    release: () => {
      buffer = Buffer.alloc(0)
      length = 0
      memory.release()
    },
  }
}

import { tooLarge } from '../errors.ts'
import { sizeText } from '../format.ts'
import type { StrangerBody } from '../http/memory.ts'

/** A text as it arrives. */
export type Gathering = {
  /** @throws {AppError} `too-large`; `overloaded` when all texts together take too much memory */
  add: (bytes: Uint8Array) => void
  bytes: () => Uint8Array
  isEmpty: () => boolean
  release: () => void
}

/** The first block is smaller than the others: most texts are short. */
const blockBytes = { first: 4096, next: 65_536 }

/** Copies what arrives into blocks: a text in pieces of one byte would else need an object for each. */
export const createGathering = (maxBytes: number, memory: StrangerBody): Gathering => {
  let blocks: Buffer[] = []
  let length = 0
  /** What is left of the last block. */
  let room = Buffer.alloc(0)

  const addBlock = () => {
    const size = blocks.length === 0 ? blockBytes.first : blockBytes.next
    memory.take(size)
    room = Buffer.allocUnsafeSlow(size)
    blocks.push(room)
  }

  return {
    add: (bytes) => {
      if (length + bytes.length > maxBytes)
        throw tooLarge(
          `The text is larger than ${sizeText(maxBytes)}, the limit of this server. Nothing was stored.`,
        )
      let rest = bytes
      while (rest.length > 0) {
        if (room.length === 0) addBlock()
        const part = rest.subarray(0, room.length)
        room.set(part)
        room = room.subarray(part.length)
        rest = rest.subarray(part.length)
      }
      length += bytes.length
    },
    bytes: () => Buffer.concat(blocks, length),
    isEmpty: () => length === 0,
    release: () => {
      blocks = []
      room = Buffer.alloc(0)
      length = 0
      memory.release()
    },
  }
}

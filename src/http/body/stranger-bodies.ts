import { createCollector } from '../../collector.ts'
import { overloaded } from '../../errors.ts'

/** Memory for the bodies of all clients without a valid key together. */
const strangersBytes = 16 * 1024 ** 2

/** The same for guests: no stranger can take their room, and no guest all memory. */
export const guestsBytes = 4 * strangersBytes

/** Overhead per chunk: a client may send a body in chunks of one byte. */
const chunkCost = 256

/** The share of one request. */
export type StrangerBody = {
  /** Counts bytes that have arrived. @throws {AppError} `overloaded` when there is no room for them */
  take: (bytes: number) => void
  /** Returns the room of this body. */
  release: () => void
}
export type StrangerBodies = { open: () => StrangerBody }

/** Limits the memory that strangers can use. @param maxBytes for all of them together. @param what they send */
export const createStrangerBodies = (maxBytes = strangersBytes, what = 'forms'): StrangerBodies => {
  let held = 0
  const collectSoon = createCollector()
  return {
    open: () => {
      let own = 0
      return {
        take: (bytes) => {
          const cost = bytes + chunkCost
          if (held + cost > maxBytes) {
            collectSoon()
            throw overloaded(`Too many ${what} are being sent at once. Try again in a few seconds.`)
          }
          held += cost
          own += cost
        },
        release: () => {
          held -= own
          own = 0
        },
      }
    },
  }
}

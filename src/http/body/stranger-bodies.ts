import { overloaded } from '../../errors.ts'

/** Room for the bodies of senders who have not shown a valid key, in bytes for all of them together. */
const strangersBytes = 16 * 1024 ** 2

/** What a chunk costs beside its bytes: a sender may cut a body into chunks of one byte. */
const chunkCost = 256

/** The share of one request. */
export type StrangerBody = {
  /** Notes bytes that have arrived. @throws {AppError} `overloaded` when there is no room for them */
  take: (bytes: number) => void
  /** Gives the room back. */
  release: () => void
}
export type StrangerBodies = { open: () => StrangerBody }

/** How often what was sent by those who were refused is taken out of memory. */
const collectMs = 50

/** Soon, and once for all who ask by then: of 100 senders at once 25 MB were left, until the runtime found out by itself. */
const createCollector = () => {
  let isSoon = false
  const collect = () => {
    isSoon = false
    Bun.gc(true)
  }
  return () => {
    if (isSoon) return
    isSoon = true
    setTimeout(collect, collectMs).unref()
  }
}

/** Bounds what strangers can make the server hold. @param maxBytes for all of them together */
export const createStrangerBodies = (maxBytes = strangersBytes): StrangerBodies => {
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
            throw overloaded('Too many forms are being sent at once. Try again in a few seconds.')
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

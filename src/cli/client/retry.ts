import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from './failures.ts'

/** How long one item may wait for the rate limit, and how often: others may use the same key. */
const longestWaitSeconds = 60
const mostWaits = 5

/** Tries again after the wait the server asks for, as often as may be. @throws {Failure} the last one */
export const retryOnRateLimit = async <T>(
  attempt: () => Promise<T>,
  onWait: (seconds: number) => void,
): Promise<T> => {
  for (let waits = 0; ; waits++)
    try {
      return await attempt()
    } catch (error) {
      const seconds = error instanceof Failure ? error.reply.retryAfterSeconds : undefined
      if (seconds === undefined || seconds > longestWaitSeconds || waits === mostWaits) throw error
      onWait(seconds)
      await wait(seconds * 1000)
    }
}

import { setTimeout as wait } from 'node:timers/promises'
import type { Failure } from './failures.ts'

/** How long one item may wait for the rate limit, and how often: others may use the same key. */
const longestWaitSeconds = 60
const mostWaits = 5

/** Tries again after the wait the server asks for, as often as may be. */
export const insist = async <T extends object>(
  attempt: () => Promise<T | Failure>,
  onWait: (seconds: number) => void,
): Promise<T | Failure> => {
  for (let waits = 0; ; waits++) {
    const result = await attempt()
    const seconds = 'problem' in result ? (result as Failure).retryAfterSeconds : undefined
    if (seconds === undefined || seconds > longestWaitSeconds || waits === mostWaits) return result
    onWait(seconds)
    await wait(seconds * 1000)
  }
}

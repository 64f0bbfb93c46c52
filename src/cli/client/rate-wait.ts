import type { ClientFlags, Terminal } from '../terminal.ts'
import { Failure } from './failures.ts'

/** A longer wait is for the user to decide on. */
const longestWaitSeconds = 60

/** Waits for one item: others may use up the rate of the same key. */
const mostWaits = 5

type Waiting = {
  flags: Pick<ClientFlags, 'no-wait'>
  terminal: Pick<Terminal, 'sleep'>
  /** Called before each wait. */
  onWait: (seconds: number) => void
}

export const waitWords = (seconds: number) => `the rate limit is reached; waiting ${seconds} s`

/**
 * Sends what counts for the rate limit; again after the wait that the server asks for, unless `--no-wait` is given.
 * @throws {Failure} the last one
 */
export const withinRate = async <T>(
  attempt: () => Promise<T>,
  { flags, terminal, onWait }: Waiting,
): Promise<T> => {
  for (let waits = 0; ; waits++)
    try {
      return await attempt()
    } catch (error) {
      const seconds = error instanceof Failure ? error.reply.retryAfterSeconds : undefined
      const isLast = waits === mostWaits || flags['no-wait'] === true
      if (seconds === undefined || seconds > longestWaitSeconds || isLast) throw error
      onWait(seconds)
      await terminal.sleep(seconds * 1000)
    }
}

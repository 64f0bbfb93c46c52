import { type ExitCode, Failure } from '../client/failures.ts'
import type { StopSignal, Terminal } from '../terminal.ts'

/** Their numbers, and the exit codes that shells give to a program that they ended. */
const signals: Readonly<Record<StopSignal, { number: number; exitCode: ExitCode }>> = {
  SIGHUP: { number: 1, exitCode: 129 },
  SIGINT: { number: 2, exitCode: 130 },
  SIGTERM: { number: 15, exitCode: 143 },
}

/** The mask of the signals that this process should ignore; `undefined` where the system does not say. */
const ignoredMask = ({ readFile }: Terminal) => {
  try {
    return BigInt(`0x${/^SigIgn:\s{0,9}([0-9a-f]{1,16})$/m.exec(readFile('/proc/self/status'))?.[1] ?? 0}`)
  } catch {
    return undefined
  }
}

/** Those that would end the process. A handler would undo `nohup`, so where that is unknown, a hangup gets none. */
const endingSignals = (terminal: Terminal) => {
  const mask = ignoredMask(terminal)
  return (Object.keys(signals) as StopSignal[]).filter((name) =>
    mask === undefined ? name !== 'SIGHUP' : (mask & (1n << BigInt(signals[name].number - 1))) === 0n,
  )
}

/**
 * Does work that removes what it has not finished when it is stopped, however often. Work that cannot stop any more ends as if
 * nothing had come.
 * @param outcome says what a stop means, for the message
 */
export const interruptible = async <T>(
  terminal: Terminal,
  outcome: string,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController()
  let stoppedBy: StopSignal | undefined
  terminal.firstSignal(endingSignals(terminal)).then((signal) => {
    stoppedBy = signal
    controller.abort(new Error('stopped'))
  })
  try {
    return await work(controller.signal)
  } catch (error) {
    if (stoppedBy === undefined) throw error
    throw new Failure(`stopped by ${stoppedBy}; ${outcome}`, signals[stoppedBy].exitCode)
  }
}

import { readFileSync } from 'node:fs'

/** wrk at work. */
export type Run = {
  halt: () => void
  goOn: () => void
  /** On the clock of `performance.now()`: when it ends, unless it is halted then. */
  endsAt: number
  /** Waits for the end. @returns how many requests were answered @throws for any error */
  answered: () => Promise<number>
}

/**
 * A round of load, in requests per second: all sides run, and all but one of them are halted at any time. A machine that
 * others have a share in becomes a third slower or faster within a second. Of two equal servers, rounds of 4 s had ratios
 * with a standard deviation of 11 % in turns of a second, and of 6 % in turns of 50 ms.
 * @param turnMs length of a turn; what was asked for at its end is answered in another's
 */
export const takeTurns = async <Side extends string>(
  begin: Record<Side, () => Promise<Run>>,
  turnMs: number,
  order: readonly Side[],
): Promise<Record<Side, number>> => {
  const [runs, activeMs] = [{} as Record<Side, Run>, {} as Record<Side, number>]
  for (const side of order) {
    runs[side] = await begin[side]()
    runs[side].halt()
    activeMs[side] = 0
  }
  const takeTurn = async <T>(side: Side, work: () => Promise<T>) => {
    const start = performance.now()
    runs[side].goOn()
    const result = await work()
    runs[side].halt()
    activeMs[side] += performance.now() - start
    return result
  }
  // If the machine becomes slower, it does so for all sides.
  const sides = [...order, ...order.toReversed()]
  const lastTurn = Math.min(...order.map((side) => runs[side].endsAt)) - turnMs
  for (let at = 0; performance.now() < lastTurn; at++)
    await takeTurn(sides[at % sides.length] as Side, () => Bun.sleep(turnMs))
  const rates = {} as Record<Side, number>
  try {
    for (const side of order) {
      const answered = await takeTurn(side, runs[side].answered)
      rates[side] = (answered / activeMs[side]) * 1000
    }
  } finally {
    // Its time is over: what was halted ends.
    for (const side of order) runs[side].goOn()
  }
  return rates
}

/** The numbers in what Linux writes as `0-2,5`. */
const coresIn = (list: string) =>
  list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })

/** Those that this process may use: one for the servers, one for the load. */
const [serverCore, loadCore] = coresIn(
  /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0',
)

/** Words before a command that then has the core to itself that servers do not answer on; none where there is one core. */
export const onLoadCore = loadCore === undefined ? [] : ['taskset', '--cpu-list', `${loadCore}`]

/**
 * Ties a server's first thread to one core, so that both sides answer on the same one: cores differ as long as others
 * have a share in the machine. Of two equal servers, ratios had a standard deviation of 6 % without, and of 2.5 % with
 * it. Its other threads stay free.
 */
export const answerOnOneCore = (pid: number) => {
  if (loadCore === undefined) return
  const { exitCode, stderr } = Bun.spawnSync(['taskset', '--cpu-list', '--pid', `${serverCore}`, `${pid}`])
  if (exitCode !== 0) throw new Error(`the server cannot be tied to a core: ${stderr}`)
}

import type { Contest } from './bench.ts'
import type { Run } from './wrk.ts'

type Side = 'product' | 'limit'
type Sides<T> = Record<Side, T>

/** One side, twice the other, and the first one again: whatever becomes slower meanwhile slows both sides alike. */
const thereAndBack = (isLimitFirst: boolean): readonly [Side, Side, Side, Side] =>
  isLimitFirst ? ['limit', 'product', 'product', 'limit'] : ['product', 'limit', 'limit', 'product']

/** Seconds of each half of a measurement; wrk counts whole ones. */
export const halfOf = (seconds: number) => Math.ceil(seconds / 2)

/** A round of what is measured as a whole: each side twice, of which the mean is taken. */
export const alternately =
  (product: () => Promise<number>, limit: () => Promise<number>): Contest['round'] =>
  async (isLimitFirst) => {
    const sides = { product, limit }
    const means = { product: 0, limit: 0 }
    for (const side of thereAndBack(isLimitFirst)) means[side] += (await sides[side]()) / 2
    return means
  }

const systemClock = { now: () => performance.now(), wait: (ms: number): Promise<void> => Bun.sleep(ms) }

/**
 * A round of load, in requests per second: both sides run, and one of them is halted at any time. A machine that others
 * have a share in becomes a third slower or faster within a second. Of two equal servers, rounds of 4 s had ratios with
 * a standard deviation of 11 % in turns of a second, and of 6 % in turns of 50 ms.
 * @param turnMs length of a turn; what was asked for at its end is answered in the other's
 */
export const inTurns =
  (begin: Sides<() => Promise<Run>>, turnMs: number, clock = systemClock): Contest['round'] =>
  async (isLimitFirst) => {
    const beginHalted = async (side: Side) => {
      const run = await begin[side]()
      run.halt()
      return run
    }
    const runs = { product: await beginHalted('product'), limit: await beginHalted('limit') }
    const activeMs = { product: 0, limit: 0 }
    const takeTurn = async <T>(side: Side, work: () => Promise<T>) => {
      const start = clock.now()
      runs[side].goOn()
      const result = await work()
      runs[side].halt()
      activeMs[side] += clock.now() - start
      return result
    }
    const requestsPerSecond = async (side: Side) => {
      const { requests } = await takeTurn(side, runs[side].measured)
      return (requests / activeMs[side]) * 1000
    }
    const sides = thereAndBack(isLimitFirst)
    const lastTurn = Math.min(runs.product.endsAt, runs.limit.endsAt) - turnMs
    for (let at = 0; clock.now() < lastTurn; at++)
      await takeTurn(sides[at % sides.length] as Side, () => clock.wait(turnMs))
    const rates = { product: 0, limit: 0 }
    try {
      for (const side of sides.slice(0, 2)) rates[side] = await requestsPerSecond(side)
    } finally {
      // Its time is over: what was halted ends.
      for (const side of sides.slice(0, 2)) runs[side].goOn()
    }
    return rates
  }

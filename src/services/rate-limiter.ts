/** What became of one request; times are milliseconds from now. */
export type Take = { isAccepted: boolean; remaining: number; retryAfterMs: number }
export type RatePolicy = { capacity: number; periodMs: number }
export type RateLimiter = {
  /** Takes a token of this key's bucket, if there is one under this policy. A refusal takes none. */
  take: (key: string, policy: RatePolicy) => Take
}

export type RateLimiterParts = {
  /** Monotonic milliseconds. */
  now: () => number
}

/** When tokens were taken, oldest first; those before `from` are back. */
type Taken = { times: number[]; from: number }

/** How many tokens are back before what has gone is cleared away, all at once. */
const clearedAtOnce = 1024

/** The first that is still out. The times are in order, so 60,000 of them take 16 looks. */
const firstOut = ({ times, from }: Taken, isOut: (time: number) => boolean) => {
  let [low, high] = [from, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isOut(times[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

/** Moves as many times as have gone since it was last done, at most: each request pays for one. */
const clearAway = (taken: Taken) => {
  if (taken.from < clearedAtOnce || 2 * taken.from < taken.times.length) return
  taken.times.splice(0, taken.from)
  taken.from = 0
}

/**
 * A token bucket per key in which each token comes back `periodMs` after it was taken. A bucket that drips
 * `capacity` tokens evenly would accept up to twice as many in some window; this one never exceeds `capacity`.
 * A policy that changes counts from the next request on, for the tokens that are still out as well.
 */
export const createRateLimiter = ({ now }: RateLimiterParts): RateLimiter => {
  const takenBy = new Map<string, Taken>()

  const takenOf = (key: string) => {
    const taken = takenBy.get(key) ?? { times: [], from: 0 }
    takenBy.set(key, taken)
    return taken
  }

  return {
    take: (key, { capacity, periodMs }) => {
      const time = now()
      const taken = takenOf(key)
      taken.from = firstOut(taken, (other) => time - other < periodMs)
      const isAccepted = taken.times.length - taken.from < capacity
      if (isAccepted) taken.times.push(time)
      clearAway(taken)
      // More are out than there may be where the capacity was lowered: all but `capacity - 1` must be back.
      const over = taken.times.length - taken.from - capacity
      const retryAfterMs = over < 0 ? 0 : (taken.times[taken.from + over] as number) + periodMs - time
      return { isAccepted, remaining: Math.max(0, -over), retryAfterMs }
    },
  }
}

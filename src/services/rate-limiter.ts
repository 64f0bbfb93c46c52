/** The result for one request. `retryAfterMs` is 0 while tokens are left. */
export type Take = { isAccepted: boolean; remaining: number; retryAfterMs: number }
export type RatePolicy = { capacity: number; periodMs: number }
export type RateLimiter = {
  /** How many buckets are kept. */
  size: () => number
  /** Takes a token from the bucket of this key, if the policy leaves one. A refused request takes none. */
  take: (key: string, policy: RatePolicy) => Take
}

export type RateLimiterParts = {
  /** Monotonic milliseconds. */
  now: () => number
  /** Buckets kept at most; the one that was not used for the longest time goes first. */
  maxBuckets?: number
}

/** When tokens were taken, oldest first. The tokens before index `from` are back in the bucket. */
type Taken = { times: number[]; from: number }

/** The array is trimmed when at least this many tokens are back. */
const clearedAtOnce = 1024

/** Index of the first token not yet back. The times are sorted, so this takes 16 steps for 60,000 of them. */
const firstOut = ({ times, from }: Taken, isOut: (time: number) => boolean) => {
  let [low, high] = [from, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isOut(times[middle] as number)) high = middle
    else low = middle + 1
  }
  return low
}

/** Moves at most as many times as it removes, so the cost per request is constant on average. */
const clearAway = (taken: Taken) => {
  if (taken.from < clearedAtOnce || 2 * taken.from < taken.times.length) return
  taken.times.splice(0, taken.from)
  taken.from = 0
}

/**
 * A token bucket per key; each token comes back `periodMs` after it was taken. With a steady refill, up to twice
 * `capacity` would fit in some windows; here it never does. A changed policy counts from the next request on, also for
 * tokens already taken.
 */
export const createRateLimiter = ({
  now,
  maxBuckets = Number.POSITIVE_INFINITY,
}: RateLimiterParts): RateLimiter => {
  /** The least recently used first. */
  const takenBy = new Map<string, Taken>()

  const takenOf = (key: string) => {
    const taken = takenBy.get(key) ?? { times: [], from: 0 }
    takenBy.delete(key)
    takenBy.set(key, taken)
    if (takenBy.size > maxBuckets) takenBy.delete(takenBy.keys().next().value as string)
    return taken
  }

  return {
    size: () => takenBy.size,
    take: (key, { capacity, periodMs }) => {
      const time = now()
      const taken = takenOf(key)
      taken.from = firstOut(taken, (other) => time - other < periodMs)
      const isAccepted = taken.times.length - taken.from < capacity
      if (isAccepted) taken.times.push(time)
      clearAway(taken)
      // After `capacity` was lowered, more tokens may be out than it allows: all but `capacity - 1` must come back first.
      const over = taken.times.length - taken.from - capacity
      const retryAfterMs = over < 0 ? 0 : (taken.times[taken.from + over] as number) + periodMs - time
      return { isAccepted, remaining: Math.max(0, -over), retryAfterMs }
    },
  }
}

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

/**
 * A token bucket per key in which each token comes back `periodMs` after it was taken. A bucket that drips
 * `capacity` tokens evenly would accept up to twice as many in some window; this one never exceeds `capacity`.
 * A policy that changes counts from the next request on, for the tokens that are still out as well.
 */
export const createRateLimiter = ({ now }: RateLimiterParts): RateLimiter => {
  const takenAt = new Map<string, number[]>()
  return {
    take: (key, { capacity, periodMs }) => {
      const time = now()
      const held = (takenAt.get(key) ?? []).filter((taken) => time - taken < periodMs)
      const isAccepted = held.length < capacity
      if (isAccepted) held.push(time)
      takenAt.set(key, held)
      // More are out than there may be where the capacity was lowered: all but `capacity - 1` must be back.
      const next = held.length - capacity
      const retryAfterMs = next < 0 ? 0 : (held[next] as number) + periodMs - time
      return { isAccepted, remaining: Math.max(0, -next), retryAfterMs }
    },
  }
}

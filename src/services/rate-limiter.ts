/** What became of one request; times are milliseconds from now. */
export type Take = { isAccepted: boolean; remaining: number; retryAfterMs: number }
export type RateLimiter = {
  capacity: number
  periodMs: number
  /** Takes a token of this key's bucket, if there is one. A refusal takes none. */
  take: (key: string) => Take
}

export type RateLimiterParts = {
  capacity: number
  periodMs: number
  /** Monotonic milliseconds. */
  now: () => number
}

/**
 * A token bucket per key in which each token comes back `periodMs` after it was taken. A bucket that drips
 * `capacity` tokens evenly would accept up to twice as many in some window; this one never exceeds `capacity`.
 */
export const createRateLimiter = ({ capacity, periodMs, now }: RateLimiterParts): RateLimiter => {
  const takenAt = new Map<string, number[]>()
  return {
    capacity,
    periodMs,
    take: (key) => {
      const time = now()
      const held = (takenAt.get(key) ?? []).filter((taken) => time - taken < periodMs)
      const isAccepted = held.length < capacity
      if (isAccepted) held.push(time)
      takenAt.set(key, held)
      const retryAfterMs = held.length < capacity ? 0 : (held[0] as number) + periodMs - time
      return { isAccepted, remaining: capacity - held.length, retryAfterMs }
    },
  }
}

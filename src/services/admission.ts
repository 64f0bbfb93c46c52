import { rateLimited } from '../errors.ts'
import type { Rate, Scope } from '../items/schema.ts'
import type { Authorize, KeyHolder } from './keys.ts'
import type { RateLimiter, RatePolicy, Take } from './rate-limiter.ts'

export type AdmissionParts = {
  authorize: Authorize
  /** Counts what keys create. */
  limiter: RateLimiter
  /** Counts what is created without a key, by address or by user. */
  keylessLimiter: RateLimiter
  /** For keys without their own rate. */
  rate: Rate | 'off'
}

/**
 * Lets a holder create an item of this kind, and takes a token.
 * @throws {AppError} `forbidden`, `rate-limited`, in this order: a forbidden request takes no token
 */
export type Admit = (holder: KeyHolder, scope: Scope) => void

/** Draft `ratelimit-headers` of the IETF's HTTPAPI working group, as structured fields. */
const limitHeaders = ({ capacity, periodMs }: RatePolicy, { remaining, retryAfterMs }: Take) => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return {
    'Retry-After': String(seconds),
    RateLimit: `"default";r=${remaining};t=${seconds}`,
    'RateLimit-Policy': `"default";q=${capacity};w=${Math.ceil(periodMs / 1000)}`,
  }
}

/** The check before each creation and change, with a key or without. */
export const createAdmission =
  ({ authorize, limiter, keylessLimiter, rate: defaultRate }: AdmissionParts): Admit =>
  (holder, scope) => {
    authorize(holder, scope)
    const rate = holder.rate ?? defaultRate
    if (rate === 'off') return
    const policy = { capacity: rate.requests, periodMs: rate.seconds * 1000 }
    const take = (holder.as === 'key' ? limiter : keylessLimiter).take(holder.bucket, policy)
    if (take.isAccepted) return
    const headers = limitHeaders(policy, take)
    throw rateLimited(
      `Rate limit exceeded: ${rate.requests} requests per ${rate.seconds} seconds. Try again in ${headers['Retry-After']} s.`,
      headers,
    )
  }

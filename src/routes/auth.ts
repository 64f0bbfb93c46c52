import { rateLimited, unauthorized } from '../errors.ts'
import type { Authenticate, KeyHolder } from '../services/keys.ts'
import type { RateLimiter, Take } from '../services/rate-limiter.ts'

export type GuardParts = { authenticate: Authenticate; limiter: RateLimiter | undefined }

/** Lets a request through whose key is valid and a token left. @throws {AppError} `unauthorized`, `rate-limited` */
export type Guard = (key: string | null) => Promise<KeyHolder>

/** Draft `ratelimit-headers` of the IETF's HTTPAPI working group, as structured fields. */
const limitHeaders = ({ capacity, periodMs }: RateLimiter, { remaining, retryAfterMs }: Take) => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return {
    'Retry-After': String(seconds),
    RateLimit: `"default";r=${remaining};t=${seconds}`,
    'RateLimit-Policy': `"default";q=${capacity};w=${Math.ceil(periodMs / 1000)}`,
  }
}

export const createGuard =
  ({ authenticate, limiter }: GuardParts): Guard =>
  async (key) => {
    if (!key) throw unauthorized('The header "key" with an API key is missing')
    const holder = await authenticate(key)
    if (!holder) throw unauthorized('This API key is not valid')
    const take = limiter?.take(holder.sha256)
    if (!limiter || !take || take.isAccepted) return holder
    const headers = limitHeaders(limiter, take)
    const { capacity, periodMs } = limiter
    throw rateLimited(
      `Rate limit exceeded: ${capacity} requests per ${periodMs / 1000} seconds. Try again in ${headers['Retry-After']} s.`,
      headers,
    )
  }

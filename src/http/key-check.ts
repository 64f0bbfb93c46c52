import { Elysia } from 'elysia'
import { rateLimited, unauthorized } from '../errors.ts'
import type { Rate, Scope } from '../items/schema.ts'
import type { Authenticate, Authorize, KeyHolder } from '../services/keys.ts'
import type { RateLimiter, RatePolicy, Take } from '../services/rate-limiter.ts'

export type GuardParts = {
  authenticate: Authenticate
  authorize: Authorize
  limiter: RateLimiter
  /** For keys without their own rate. */
  rate: Rate | 'off'
}

/**
 * Lets a request through if its key is valid, may create this kind of item, and has a token left.
 * @throws {AppError} `unauthorized`, `forbidden`, `rate-limited`, in this order: a forbidden request takes no token
 */
export type Guard = (key: string | null, scope: Scope) => Promise<KeyHolder>

/** The holder of a key; takes no token. @throws {AppError} `unauthorized` */
export type Identify = (key: string | null) => Promise<KeyHolder>

export const createIdentify =
  (authenticate: Authenticate): Identify =>
  async (key) => {
    if (!key) throw unauthorized('The header "key" with an API key is missing')
    const holder = await authenticate(key)
    if (!holder) throw unauthorized('This API key is not valid')
    return holder
  }

/** Draft `ratelimit-headers` of the IETF's HTTPAPI working group, as structured fields. */
const limitHeaders = ({ capacity, periodMs }: RatePolicy, { remaining, retryAfterMs }: Take) => {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return {
    'Retry-After': String(seconds),
    RateLimit: `"default";r=${remaining};t=${seconds}`,
    'RateLimit-Policy': `"default";q=${capacity};w=${Math.ceil(periodMs / 1000)}`,
  }
}

export const createGuard = ({ authenticate, authorize, limiter, rate: defaultRate }: GuardParts): Guard => {
  const identify = createIdentify(authenticate)
  return async (key, scope) => {
    const holder = await identify(key)
    authorize(holder, scope)
    const rate = holder.rate ?? defaultRate
    if (rate === 'off') return holder
    const policy = { capacity: rate.requests, periodMs: rate.seconds * 1000 }
    const take = limiter.take(holder.sha256, policy)
    if (take.isAccepted) return holder
    const headers = limitHeaders(policy, take)
    throw rateLimited(
      `Rate limit exceeded: ${rate.requests} requests per ${rate.seconds} seconds. Try again in ${headers['Retry-After']} s.`,
      headers,
    )
  }
}

const keyIn = ({ headers }: Request) => headers.get('key')

/**
 * `key: 'paste'` on a route lets only a key through that may create pastes and has a token left, before the body is read.
 * `owner: true` takes any valid key.
 */
export const keyCheck = ({ guard, identify }: { guard: Guard; identify: Identify }) =>
  new Elysia({ name: 'key-check' }).macro({
    key: (scope: Scope) => ({
      resolve: async ({ request }) => ({ holder: await guard(keyIn(request), scope) }),
    }),
    owner: (_: true) => ({ resolve: async ({ request }) => ({ holder: await identify(keyIn(request)) }) }),
  })

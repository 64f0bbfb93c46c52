import { rateLimited, unauthorized } from '../errors.ts'
import { ipAddressOf, isListed, type Networks, networkOf } from '../ip-address.ts'
import type { Rate, Scope } from '../items/schema.ts'
import { type Authorize, isKeyExpired, type KeyHolder, type KeyNamed } from './keys.ts'

/** The result for one request. `retryAfterMs` is 0 while tokens are left. */
export type Take = { isAccepted: boolean; remaining: number; retryAfterMs: number }
type RatePolicy = { capacity: number; periodMs: number }
export type RateLimiter = {
  /** How many buckets are kept. */
  size: () => number
  /** Takes a token from the bucket of this key, if the policy leaves one. A refused request takes none. */
  take: (key: string, policy: RatePolicy) => Take
}

/** When tokens were taken, oldest first. The tokens before index `from` are back in the bucket. */
type Taken = { times: number[]; from: number }

/**
 * A token bucket per key; each token comes back `periodMs` after it was taken. With a steady refill, up to twice
 * `capacity` would fit in some windows; here it never does. A changed policy counts from the next request on, also for
 * tokens already taken.
 */
export const createRateLimiter = ({
  now,
  maxBuckets = Number.POSITIVE_INFINITY,
}: {
  /** Monotonic milliseconds. */
  now: () => number
  /** Buckets kept at most; those that were not used for the longest time go first. */
  maxBuckets?: number
}): RateLimiter => {
  /** In use since the last change of generations, and before. To delete the first key of a `Map` takes 0.15 ms at 100,000. */
  let [recent, former] = [new Map<string, Taken>(), new Map<string, Taken>()]

  const takenOf = (key: string) => {
    const known = recent.get(key)
    if (known) return known
    const taken = former.get(key) ?? { times: [], from: 0 }
    if (recent.size >= maxBuckets / 2) [recent, former] = [new Map(), recent]
    recent.set(key, taken)
    return taken
  }

  return {
    size: () => recent.size + former.size,
    take: (key, { capacity, periodMs }) => {
      const time = now()
      const taken = takenOf(key)
      while (time - (taken.times[taken.from] ?? time) >= periodMs) taken.from++
      const isAccepted = taken.times.length - taken.from < capacity
      if (isAccepted) taken.times.push(time)
      // Moves at most as many times as it removes, so the cost per request is constant on average.
      if (taken.from >= 1024 && 2 * taken.from >= taken.times.length) {
        taken.times.splice(0, taken.from)
        taken.from = 0
      }
      // After `capacity` was lowered, more tokens may be out than it allows: all but `capacity - 1` must come back first.
      const over = taken.times.length - taken.from - capacity
      const retryAfterMs = over < 0 ? 0 : (taken.times[taken.from + over] as number) + periodMs - time
      return { isAccepted, remaining: Math.max(0, -over), retryAfterMs }
    },
  }
}

type AdmissionParts = {
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

type GuestsParts = {
  /** Where guests come from; `undefined` if there are none. */
  from: Networks | undefined
  /** Name of the key that they stand for. */
  keyName: string | undefined
  named: KeyNamed
  /** Milliseconds since the epoch. */
  now: () => number
  admit: Admit
  /** Called for each creation by a guest. */
  onUse: (keyName: string) => void
}

/** Why the key of guests lets nobody in, and the command that makes it do so. */
type GuestKeyFault = { state: 'does not exist' | 'has expired'; remedy: string }

export type Guests = {
  /** False if there are no guests at all. */
  isOpen: boolean
  /** True for an address of guests. */
  isGuest: (address: string) => boolean
  /**
   * The guest key, for an address of guests, with a bucket of that address; `undefined` for every other address.
   * @throws {AppError} `unauthorized` if there is no such key, or it has expired
   */
  holderAt: (address: string) => Promise<KeyHolder | undefined>
  /**
   * As `holderAt`, for a creation: takes a token from the bucket of the address.
   * @throws {AppError} `unauthorized`, `forbidden`, `rate-limited`, as for a request with the key itself
   */
  admit: (address: string, scope: Scope) => Promise<KeyHolder | undefined>
  /** What is wrong with their key; `undefined` if nothing is, or there are no guests. */
  keyFault: () => Promise<GuestKeyFault | undefined>
}

/** What is wrong with the key of this name. @param holder `undefined` if there is none */
export const guestKeyFault = (
  name: string,
  holder: KeyHolder | undefined,
  now: number,
): GuestKeyFault | undefined => {
  if (!holder) return { state: 'does not exist', remedy: `shortcrust keys add ${name}` }
  if (!isKeyExpired(holder, now)) return undefined
  return { state: 'has expired', remedy: `shortcrust keys set ${name} --expires none` }
}

const refusedKey = (name: string, { state, remedy }: GuestKeyFault) =>
  unauthorized(
    `No key is needed from here, but the key "${name}", which stands for guests, ${state}. ` +
      `The person who runs this server can change that with: ${remedy}`,
  )

/** People of a network who create without typing a key; each creation counts as one of the guest key. */
export const createGuests = ({ from, keyName, named, now, admit, onUse }: GuestsParts): Guests => {
  const guestAddress = (text: string) => {
    const address = ipAddressOf(text)
    return from && address && isListed(from, address) ? address : undefined
  }

  const holderAt = async (text: string) => {
    const address = guestAddress(text)
    if (!keyName || !address) return undefined
    const holder = await named(keyName)
    const fault = guestKeyFault(keyName, holder, now())
    if (fault) throw refusedKey(keyName, fault)
    return holder && { ...holder, bucket: `guest ${networkOf(address)}`, as: 'guest' as const }
  }

  return {
    isOpen: from !== undefined,
    isGuest: (text) => guestAddress(text) !== undefined,
    holderAt,
    admit: async (address, scope) => {
      const holder = await holderAt(address)
      if (!holder) return undefined
      onUse(holder.name)
      admit(holder, scope)
      return holder
    },
    keyFault: async () => (keyName ? guestKeyFault(keyName, await named(keyName), now()) : undefined),
  }
}

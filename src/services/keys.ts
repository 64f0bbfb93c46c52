import {
  AppError,
  type ErrorKind,
  forbidden,
  invalid,
  notFound,
  rateLimited,
  unauthorized,
} from '../errors.ts'
import { asks } from '../format.ts'
import { ipAddressOf, isListed, type Networks, networkOf } from '../ip-address.ts'
import { parseDuration } from '../items/durations.ts'
import { type Ids, isSameHash, sha256 } from '../items/ids.ts'
import type { Rate, Scope, StoredKey } from '../items/schema.ts'
import type { KeyStore } from '../store/folder/key-file.ts'

/** Who a request comes from: a key, or what stands for one. */
export type KeyHolder = {
  /** The owner of what is created. */
  name: string
  as: 'key' | 'guest' | 'user'
  /** What its rate is counted by. */
  bucket: string
} & KeyLimits

/** Owner of the items created with the key from the environment. */
const environmentKeyName = 'environment'

const keyNameShape = /^[A-Za-z0-9._-]{1,64}$/

export const isKeyName = (text: string) => keyNameShape.test(text)

type KeysParts = {
  store: KeyStore
  ids: Pick<Ids, 'apiKey'>
  /** Milliseconds since the epoch. */
  now: () => number
}

type ShowKey = (key: string) => Promise<void>

export type Keys = {
  /**
   * Creates a key and returns it. It cannot be shown again.
   * @param show shows it to its owner; if that fails, no key is created
   * @throws {AppError} `invalid`; what `show` throws
   */
  add: (name: string, limits?: LimitChanges, show?: ShowKey) => Promise<string>
  list: () => Promise<readonly StoredKey[]>
  /** @returns the key as it is now. @throws {AppError} `not-found` */
  set: (name: string, changes: LimitChanges) => Promise<StoredKey>
  /** @throws {AppError} `not-found` */
  revoke: (name: string) => Promise<void>
  /** Creates the key `default`, unless this store ever had a key. */
  addFirst: (show?: ShowKey) => Promise<string | undefined>
}

/** The error after a key was shown but not stored. */
const madeNot = (error: unknown) => {
  const { message, kind = 'storage-unavailable' } = error as { message: string; kind?: ErrorKind }
  return new AppError(
    kind,
    `The key that was shown was not made and will not work: ${message}`,
    {},
    { cause: error },
  )
}

const noSuchKey = (name: string) => notFound(`There is no key named "${name}"`)

/** A key, or the limits of one, after changes. */
export const limitedBy = <K extends KeyLimits>(key: K, changes: LimitChanges) =>
  Object.fromEntries(
    // Not by the values of all fields: a key may be named "none".
    Object.entries({ ...key, ...changes }).filter(([name]) => changes[name as keyof KeyLimits] !== 'none'),
  ) as K

/** The operations of the command `keys`. */
export const createKeys = ({ store, ids, now }: KeysParts): Keys => {
  const add = async (name: string, limits: LimitChanges = {}, show?: ShowKey) => {
    if (!isKeyName(name)) throw invalid('A key name has 1 to 64 of the characters A-Z a-z 0-9 . _ -')
    if (name === environmentKeyName)
      throw invalid(`The name "${name}" belongs to the key in SHORTCRUST_API_KEY; choose another`)
    const key = ids.apiKey()
    let isShown = false
    const change = async (keys: readonly StoredKey[]) => {
      if (keys.some((other) => other.name === name))
        throw invalid(`There is a key named "${name}" already; choose another name or revoke it first`)
      // A store that another command was faster to change asks again.
      if (!isShown) await show?.(key)
      isShown = show !== undefined
      return [...keys, limitedBy<StoredKey>({ name, createdAt: now(), sha256: sha256(key) }, limits)]
    }
    await store.update(change).catch((error) => {
      throw isShown ? madeNot(error) : error
    })
    return key
  }
  return {
    add,
    list: async () => (await store.read()) ?? [],
    set: async (name, changes) => {
      let changed: StoredKey | undefined
      await store.update((keys) =>
        keys.map((key) => {
          if (key.name !== name) return key
          changed = limitedBy(key, changes)
          return changed
        }),
      )
      if (!changed) throw noSuchKey(name)
      return changed
    },
    revoke: (name) =>
      store.update((keys) => {
        const kept = keys.filter((key) => key.name !== name)
        if (kept.length === keys.length) throw noSuchKey(name)
        return kept
      }),
    addFirst: async (show) => ((await store.read()) === undefined ? add('default', {}, show) : undefined),
  }
}

/** The holder of a key; `undefined` for an unknown key. @throws {AppError} `unauthorized` if it has expired */
export type Authenticate = (key: string) => Promise<KeyHolder | undefined>

/** The holder of a key, also of one that has expired, by the name of the key. Does not count as a use. */
export type KeyNamed = (name: string) => Promise<KeyHolder | undefined>

type KeyRing = { authenticate: Authenticate; named: KeyNamed }

type KeyRingParts = {
  store: KeyStore
  /** The key from the environment, which has no limits. */
  apiKey: string | undefined
  /** Called when the keys cannot be read; the last good ones stay valid. */
  onDamage: (error: AppError) => void
  /** Milliseconds since the epoch. */
  now: () => number
  /** Called for each use of a valid key. */
  onUse: (name: string, usedAt: number) => void
}

type KnownKey = Pick<StoredKey, 'name' | 'sha256'> & KeyLimits

const expiredMessage = ({ expiresAt = 0 }: KeyLimits) =>
  `This API key expired at ${new Date(expiresAt).toISOString()}; ask the person who runs this server for a new one`

/** Checks keys against those of the store: a change applies from the next request on. */
export const createKeyRing = ({ store, apiKey, onDamage, now, onUse }: KeyRingParts): KeyRing => {
  const outside = apiKey === undefined ? [] : [{ name: environmentKeyName, sha256: sha256(apiKey) }]
  let known: readonly KnownKey[] = outside
  let seenVersion = ''

  const refresh = async (version: string) => {
    try {
      known = [...outside, ...((await store.read()) ?? [])]
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'damaged')) throw error
      onDamage(error)
    }
    seenVersion = version
    return known
  }

  const find = async (isWanted: (key: KnownKey) => boolean) => {
    const version = await store.version()
    const keys = version === seenVersion ? known : await refresh(version)
    const found = keys.find(isWanted)
    if (!found) return undefined
    const { sha256: bucket, ...holder } = found
    return { ...holder, as: 'key' as const, bucket }
  }

  return {
    authenticate: async (key) => {
      const hash = sha256(key)
      const holder = await find((one) => isSameHash(one.sha256, hash))
      if (!holder) return undefined
      if (isKeyExpired(holder, now())) {
        const message = expiredMessage(holder)
        throw unauthorized(message, { field: 'key', message: `${message}.` })
      }
      onUse(holder.name, now())
      return holder
    },
    named: (name) => find((one) => one.name === name),
  }
}

/** The limits of a key; a missing field means no limit. */
export type KeyLimits = Pick<StoredKey, 'expiresAt' | 'rate' | 'only' | 'admin'>

/** New limits of a key; `none` takes one away. */
export type LimitChanges = { readonly [K in keyof KeyLimits]?: KeyLimits[K] | 'none' }

const longestLifetimeMs = 3650 * 86_400_000

/** The lifetime of a key in milliseconds, from "1s" to "3650d"; `undefined` for any other text. */
export const parseLifetime = (text: string) => {
  const lifetimeMs = parseDuration(text)
  return lifetimeMs !== undefined && lifetimeMs <= longestLifetimeMs ? lifetimeMs : undefined
}

/** True from the millisecond `expiresAt` on. */
export const isKeyExpired = ({ expiresAt }: KeyLimits, now: number) =>
  expiresAt !== undefined && now >= expiresAt

const deeds: Readonly<Record<Scope, string>> = { paste: 'create pastes', shorten: 'create short links' }

export const isScope = (text: string): text is Scope => Object.hasOwn(deeds, text)

export type Authorize = (limits: KeyLimits, scope: Scope) => void

/** @throws {AppError} `forbidden` if the key is limited to the other kind of item */
export const requireScope: Authorize = ({ only }, scope) => {
  if (only === undefined || only === scope) return
  const message = `This API key may ${deeds[only]} only; use a key that may ${deeds[scope]}`
  throw forbidden(message, { field: 'key', message: `${message}.` })
}

/** @param deed what only an admin key may do. @throws {AppError} `forbidden` for any other key */
export const requireAdmin = ({ admin }: KeyLimits, deed: string) => {
  if (!admin)
    throw forbidden(`Only an admin key may ${deed}. Make one with: shortcrust keys add NAME --admin`)
}

/** The result for one request. `retryAfterMs` is 0 while tokens are left. */
export type Take = { isAccepted: boolean; remaining: number; retryAfterMs: number }
type RatePolicy = { capacity: number; periodMs: number }
/** Takes a token from the bucket of this key, if the policy leaves one. A refused request takes none. */
type TakeToken<R> = (key: string, policy: RatePolicy) => R
/** In memory, which answers at once, or in a database. */
export type Limiter = { take: TakeToken<Take | Promise<Take>> }
export type RateLimiter = {
  /** How many buckets are kept. */
  size: () => number
  take: TakeToken<Take>
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
  limiter: Limiter
  /** Counts what is created without a key, by address or by user. */
  keylessLimiter: Limiter
  /** For keys without their own rate. */
  rate: Rate | 'off'
}

/**
 * Lets a holder create an item of this kind, and takes a token.
 * @throws {AppError} `forbidden`, `rate-limited`, in this order: a forbidden request takes no token; storage errors
 */
export type Admit = (holder: KeyHolder, scope: Scope) => Promise<void>

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
  async (holder, scope) => {
    authorize(holder, scope)
    const rate = holder.rate ?? defaultRate
    if (rate === 'off') return
    const policy = { capacity: rate.requests, periodMs: rate.seconds * 1000 }
    const take = await (holder.as === 'key' ? limiter : keylessLimiter).take(holder.bucket, policy)
    if (take.isAccepted) return
    const headers = limitHeaders(policy, take)
    const again = `Try again in ${headers['Retry-After']} s.`
    throw rateLimited(
      `Rate limit exceeded: ${rate.requests} requests per ${rate.seconds} seconds. ${again}`,
      headers,
      { message: `Too many requests. ${again}` },
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
    { field: 'key', message: asks.key },
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
      await admit(holder, scope)
      return holder
    },
    keyFault: async () => (keyName ? guestKeyFault(keyName, await named(keyName), now()) : undefined),
  }
}

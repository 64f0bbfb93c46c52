import { AppError, type ErrorKind, forbidden, invalid, notFound, unauthorized } from '../errors.ts'
import { parseDuration } from '../items/durations.ts'
import { type Ids, isSameHash, sha256 } from '../items/ids.ts'
import type { Scope, StoredKey } from '../items/schema.ts'
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
  /** Creates the key `default`, unless this folder ever had a key. */
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
  Object.fromEntries(Object.entries({ ...key, ...changes }).filter(([, value]) => value !== 'none')) as K

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
      await show?.(key)
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

/** Checks keys against the current file: a change applies from the next request on. */
export const createKeyRing = ({ store, apiKey, onDamage, now, onUse }: KeyRingParts): KeyRing => {
  const outside = apiKey === undefined ? [] : [{ name: environmentKeyName, sha256: sha256(apiKey) }]
  let known: readonly KnownKey[] = outside
  let seenVersion = ''

  const refresh = async (version: string) => {
    try {
      known = [...outside, ...((await store.read()) ?? [])]
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      onDamage(error)
    }
    seenVersion = version
  }

  const find = async (isWanted: (key: KnownKey) => boolean) => {
    const version = store.version()
    if (version !== seenVersion) await refresh(version)
    const found = known.find(isWanted)
    if (!found) return undefined
    const { sha256: bucket, ...holder } = found
    return { ...holder, as: 'key' as const, bucket }
  }

  return {
    authenticate: async (key) => {
      const hash = sha256(key)
      const holder = await find((one) => isSameHash(one.sha256, hash))
      if (!holder) return undefined
      if (isKeyExpired(holder, now())) throw unauthorized(expiredMessage(holder))
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
  throw forbidden(`This API key may ${deeds[only]} only; use a key that may ${deeds[scope]}`)
}

/** @param deed what only an admin key may do. @throws {AppError} `forbidden` for any other key */
export const requireAdmin = ({ admin }: KeyLimits, deed: string) => {
  if (!admin) throw forbidden(`Only an admin key may ${deed}: shortcrust keys add NAME --admin makes one`)
}

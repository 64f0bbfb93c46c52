import { forbidden } from '../errors.ts'
import { parseDuration } from '../items/durations.ts'
import type { Scope, StoredKey } from '../items/schema.ts'

/** What a key is kept to; a limit that is left out is none. */
export type KeyLimits = Pick<StoredKey, 'expiresAt' | 'rate' | 'only'>

const longestLifetimeMs = 3650 * 86_400_000

/** Milliseconds that a key is to live, from "1s" to "3650d"; `undefined` for what is no such duration. */
export const parseLifetime = (text: string) => {
  const lifetimeMs = parseDuration(text)
  return lifetimeMs !== undefined && lifetimeMs <= longestLifetimeMs ? lifetimeMs : undefined
}

/** True from the very millisecond on that the key names. */
export const isExpired = ({ expiresAt }: KeyLimits, now: number) =>
  expiresAt !== undefined && now >= expiresAt

const deeds: Readonly<Record<Scope, string>> = { paste: 'create pastes', shorten: 'create short links' }

export const isScope = (text: string): text is Scope => Object.hasOwn(deeds, text)

export type Authorize = (limits: KeyLimits, scope: Scope) => void

/** @throws {AppError} `forbidden` where the key is kept to another kind of item */
export const requireScope: Authorize = ({ only }, scope) => {
  if (only === undefined || only === scope) return
  throw forbidden(`This API key may ${deeds[only]} only; use a key that may ${deeds[scope]}`)
}

import {
  isKeyExpired,
  isScope,
  type KeyLimits,
  type LimitChanges,
  parseLifetime,
} from '../../services/access/keys.ts'
import { parseRate, rateText } from '../../settings/values.ts'
import type { KeyFlags } from '../terminal.ts'

const expected = (flag: keyof KeyFlags, what: string, raw: string) =>
  new Error(`--${flag}: expected ${what}, not "${raw}"`)

const expiryOf = (raw: string, now: number) => {
  const lifetimeMs = parseLifetime(raw)
  if (lifetimeMs === undefined)
    throw expected('expires', 'a duration in s, m, h, d or w such as 90d, at most 3650d', raw)
  return now + lifetimeMs
}

const rateOf = (raw: string) => {
  try {
    return parseRate(raw)
  } catch (error) {
    throw expected('rate', (error as Error).message, raw)
  }
}

const scopeOf = (raw: string) => {
  if (!isScope(raw)) throw expected('only', 'paste or shorten', raw)
  return raw
}

const adminOf = (raw: string) => {
  if (raw !== 'yes') throw expected('admin', 'none or nothing', raw)
  return true
}

const orNone = <T>(raw: string, parse: (raw: string) => T) => (raw === 'none' ? raw : parse(raw))

/** Parses the limits in the flags. @throws {Error} whose message names the first wrong flag */
export const limitsOf = ({ expires, rate, only, admin }: KeyFlags, now: number): LimitChanges => ({
  ...(expires === undefined ? {} : { expiresAt: orNone(expires, (raw) => expiryOf(raw, now)) }),
  ...(rate === undefined ? {} : { rate: orNone(rate, rateOf) }),
  ...(only === undefined ? {} : { only: orNone(only, scopeOf) }),
  ...(admin === undefined ? {} : { admin: orNone(admin, adminOf) }),
})

/** The flags of `keys add` and `keys set`. */
export const limitFlags: ReadonlySet<string> = new Set(['expires', 'rate', 'only', 'admin'])

/** Expiry, rate, scope and whether it is an admin key, in words; empty without such a limit. */
export const limitWords = (limits: KeyLimits, now: number): readonly string[] => {
  const { expiresAt, rate, only, admin } = limits
  return [
    expiresAt === undefined
      ? ''
      : `${isKeyExpired(limits, now) ? 'EXPIRED' : 'expires'} ${new Date(expiresAt).toISOString()}`,
    rate === undefined ? '' : rateText(rate),
    only === undefined ? '' : `only ${only}`,
    admin ? 'admin' : '',
  ]
}

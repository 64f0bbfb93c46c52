import { isKeyExpired, isScope, type KeyLimits, parseLifetime } from '../../services/keys.ts'
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

/** Parses the limits in the flags. @throws {Error} whose message names the first wrong flag */
export const limitsOf = ({ expires, rate, only }: KeyFlags, now: number): KeyLimits => ({
  ...(expires === undefined ? {} : { expiresAt: expiryOf(expires, now) }),
  ...(rate === undefined ? {} : { rate: rateOf(rate) }),
  ...(only === undefined ? {} : { only: scopeOf(only) }),
})

/** Expiry, rate and scope in words; empty without such a limit. */
export const limitWords = (limits: KeyLimits, now: number): readonly string[] => {
  const { expiresAt, rate, only } = limits
  return [
    expiresAt === undefined
      ? ''
      : `${isKeyExpired(limits, now) ? 'EXPIRED' : 'expires'} ${new Date(expiresAt).toISOString()}`,
    rate === undefined ? '' : rateText(rate),
    only === undefined ? '' : `only ${only}`,
  ]
}

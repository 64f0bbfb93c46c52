import { invalid } from '../errors.ts'
import { parseDuration } from '../items/durations.ts'

/** Shortest and longest lifetime of an item: one second and ten years of 365 days. */
export const shortestLifetimeMs = 1000
export const longestLifetimeMs = 3650 * 86_400_000

/** What the server's settings say, in milliseconds. */
export type ExpiryLimits = {
  /** For an item whose creator names no lifetime; the maximum when not set. */
  defaultMs: number | undefined
  /** The longest that a creator may name. */
  maxMs: number | undefined
}

/** Milliseconds an item lives, of `expiresIn` as it was sent; `undefined`: for ever. @throws {AppError} `invalid` */
export type LifetimeOf = (expiresIn: unknown) => number | undefined

const expected =
  'Field "expiresIn" must be a lifetime from 1 second to 10 years: whole seconds, or a text such as "10m", "2h", "7d" or "4w"'

/** Seconds as a number, or as the digits that a form or an address can send; or a whole number and its unit. */
const milliseconds = (expiresIn: unknown) => {
  if (typeof expiresIn === 'number') return expiresIn * 1000
  if (typeof expiresIn !== 'string') return undefined
  return /^\d+$/.test(expiresIn) ? Number(expiresIn) * 1000 : parseDuration(expiresIn)
}

const units = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** A lifetime in words, in the largest unit that it is a multiple of: `4 weeks`, `90 seconds`. */
export const lifetimeText = (lifetimeMs: number) => {
  const seconds = lifetimeMs / 1000
  const [unit, size] = units.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return seconds === size ? `1 ${unit}` : `${seconds / size} ${unit}s`
}

export const createLifetimes =
  ({ defaultMs, maxMs }: ExpiryLimits): LifetimeOf =>
  (expiresIn) => {
    if (expiresIn === undefined) return defaultMs ?? maxMs
    const lifetimeMs = milliseconds(expiresIn)
    if (lifetimeMs === undefined || !Number.isInteger(lifetimeMs / 1000)) throw invalid(expected)
    if (lifetimeMs < shortestLifetimeMs || lifetimeMs > longestLifetimeMs) throw invalid(expected)
    if (maxMs !== undefined && lifetimeMs > maxMs)
      throw invalid(`Field "expiresIn" is above the maximum of this server, ${lifetimeText(maxMs)}`)
    return lifetimeMs
  }

/** True from the very instant on. @param now asked only where there is an instant */
export const isExpired = ({ expiresAt }: { expiresAt?: number | undefined }, now: () => number) =>
  expiresAt !== undefined && expiresAt <= now()

const offered = [
  ['10m', '10 minutes'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['1w', '1 week'],
  ['4w', '4 weeks'],
  ['365d', '1 year'],
] as const

/** A lifetime that a form offers; `value` is empty for none. */
export type LifetimeChoice = { value: string; label: string }

/** The lifetimes of the forms, what happens without a choice first: none that the server would refuse. */
export const lifetimeChoices = ({ defaultMs, maxMs }: ExpiryLimits): readonly LifetimeChoice[] => {
  const usualMs = defaultMs ?? maxMs
  const usual =
    usualMs === undefined
      ? { value: '', label: 'Never' }
      : // Sent, although the server would do the same: then it answers when that is.
        { value: `${usualMs / 1000}s`, label: `after ${lifetimeText(usualMs)} (default)` }
  const others = offered.flatMap(([value, label]) => {
    const lifetimeMs = parseDuration(value) ?? 0
    return lifetimeMs > (maxMs ?? longestLifetimeMs) || lifetimeMs === usualMs
      ? []
      : [{ value, label: `after ${label}` }]
  })
  return [usual, ...others]
}

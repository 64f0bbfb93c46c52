import { invalid } from '../errors.ts'
import { parseDuration } from '../items/durations.ts'

/** Shortest and longest lifetime of an item: one second and ten years of 365 days. */
const shortestLifetimeMs = 1000
export const longestLifetimeMs = 3650 * 86_400_000

/** The settings for lifetimes, in milliseconds. */
export type ExpiryLimits = {
  /** For an item without `expiresIn`; unset, the maximum applies. */
  defaultMs: number | undefined
  /** The longest `expiresIn` allowed. */
  maxMs: number | undefined
}

/**
 * The lifetime in milliseconds for an `expiresIn` as it was sent; `undefined` means forever.
 * @param isChange true to take `null` for forever, unless the server has a maximum
 * @throws {AppError} `invalid`
 */
export type LifetimeOf = (expiresIn: unknown, isChange?: boolean) => number | undefined

const refuse = (rule: string, message = 'Choose a time from 1 second to 10 years.') =>
  invalid(`Field "expiresIn" ${rule}`, { field: 'expiresIn', message })

const expected =
  'must be a lifetime from 1 second to 10 years: whole seconds, or a text such as "10m", "2h", "7d" or "4w"'

/** A number of seconds, also as digits, because forms and addresses send only text; or a whole number with a unit. */
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

/** A lifetime in words, in the largest unit that divides it: `4 weeks`, `90 seconds`. */
export const lifetimeText = (lifetimeMs: number) => {
  const seconds = lifetimeMs / 1000
  const [unit, size] = units.find(([, size]) => seconds % size === 0) ?? ['second', 1]
  return seconds === size ? `1 ${unit}` : `${seconds / size} ${unit}s`
}

export const createLifetimes =
  ({ defaultMs, maxMs }: ExpiryLimits): LifetimeOf =>
  (expiresIn, isChange = false) => {
    if (expiresIn === undefined) return defaultMs ?? maxMs
    if (expiresIn === null && isChange) {
      if (maxMs === undefined) return undefined
      throw refuse(`must not be null: this server keeps items for ${lifetimeText(maxMs)} at most`)
    }
    const lifetimeMs = milliseconds(expiresIn)
    if (lifetimeMs === undefined || !Number.isInteger(lifetimeMs / 1000)) throw refuse(expected)
    if (lifetimeMs < shortestLifetimeMs || lifetimeMs > longestLifetimeMs) throw refuse(expected)
    if (maxMs !== undefined && lifetimeMs > maxMs) {
      const most = lifetimeText(maxMs)
      throw refuse(
        `is above the maximum of this server, ${most}`,
        `Choose ${most} at most, the limit of this server.`,
      )
    }
    return lifetimeMs
  }

/**
 * When an item expires from now on, for the `expiresIn` of a change: `null` means never; without it, as before.
 * @throws {AppError} `invalid`
 */
export const newExpiry = (body: object, lifetimeOf: LifetimeOf, now: () => number) => {
  const { expiresIn } = body as { expiresIn?: unknown }
  if (expiresIn === undefined) return {}
  const lifetimeMs = lifetimeOf(expiresIn, true)
  return { expiresAt: lifetimeMs === undefined ? null : now() + lifetimeMs }
}

/** The time of an import, in milliseconds since the epoch. The schema has checked its form. @throws {AppError} `invalid` */
export const madeAtOf = (raw: string | undefined) => {
  const time = raw === undefined ? undefined : Date.parse(raw)
  if (time === undefined || time >= 0) return time
  throw invalid('Field "madeAt" must be a time since 1970, such as "2024-02-29T12:30:00Z"')
}

const offered = [
  ['10m', '10 minutes'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['1w', '1 week'],
  ['4w', '4 weeks'],
  ['365d', '1 year'],
] as const

/** A lifetime that a form offers; `value` is empty for forever. */
export type LifetimeChoice = { value: string; label: string }

const othersThan = (usualMs: number | undefined, maxMs = longestLifetimeMs) =>
  offered.flatMap(([value, label]) => {
    const lifetimeMs = parseDuration(value) ?? 0
    return lifetimeMs > maxMs || lifetimeMs === usualMs ? [] : [{ value, label: `after ${label}` }]
  })

/** The lifetimes that a change can set; `never` takes the expiry away, an empty one leaves it as it is. */
export const changedLifetimes = ({ maxMs }: ExpiryLimits): readonly LifetimeChoice[] => [
  { value: '', label: 'Keep' },
  ...(maxMs === undefined ? [{ value: 'never', label: 'Never' }] : []),
  ...othersThan(undefined, maxMs),
]

/** The lifetimes of the forms, the default first. The server accepts all of them. */
export const lifetimeChoices = ({ defaultMs, maxMs }: ExpiryLimits): readonly LifetimeChoice[] => {
  const usualMs = defaultMs ?? maxMs
  const usual =
    usualMs === undefined
      ? { value: '', label: 'Never' }
      : // Sent although it is the default, so the answer has `expiresAt`.
        { value: `${usualMs / 1000}s`, label: `after ${lifetimeText(usualMs)} (default)` }
  return [usual, ...othersThan(usualMs, maxMs)]
}

/** Words of our own addresses, and device names of Windows, which cannot be file names: an alias is a file name too. */
export const reservedAliases = new Set(
  (
    '1 admin api assets clients delete diff docs documents edit export form healthz import key links list new openapi p paste ' +
    'pastes preview qr raw readyz rest s share sharex shortener stats version ' +
    'aux con nul prn com0 com1 com2 com3 com4 com5 com6 com7 com8 com9 ' +
    'lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9'
  ).split(' '),
)

// Tested before lower-casing, which turns the Kelvin sign into a k.
const shape = /^[a-z0-9_-]{1,64}$/i

/** The alias as it is stored; `undefined` if it has the wrong shape. Words reserved later remain valid aliases. */
export const normaliseAlias = (raw: string) => (shape.test(raw) ? raw.toLowerCase() : undefined)

/** The alias of a new item as it is stored; `undefined` for none. @throws {AppError} `invalid` */
export const aliasFor = (raw: string | undefined) => {
  if (raw === undefined) return undefined
  const alias = normaliseAlias(raw)
  if (alias === undefined)
    throw invalid('Field "alias" must be 1 to 64 of the characters a-z 0-9 - _', {
      field: 'alias',
      message: 'A custom name has 1 to 64 of the characters a-z, 0-9, - and _.',
    })
  if (reservedAliases.has(alias))
    throw invalid(`Field "alias": the name "${alias}" is reserved; choose another`, {
      field: 'alias',
      message: `The name "${alias}" is reserved. Choose another.`,
    })
  return alias
}

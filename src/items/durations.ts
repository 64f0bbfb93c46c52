const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * Milliseconds of a whole number and one unit: "30s", "10m", "2h", "90d", "4w". No sign, fraction, space or leading zero.
 * @returns `undefined` for anything else, for zero, and for numbers too large to be exact
 */
export const parseDuration = (text: string): number | undefined => {
  const [, amount, unit] = /^([1-9]\d{0,15})([smhdw])$/.exec(text) ?? []
  const milliseconds = Number(amount) * units[unit as keyof typeof units]
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined
}

const wordsOfUnits: readonly (readonly [words: RegExp, seconds: number])[] = [
  [/^s(ecs?|econds?)?$/, 1],
  [/^m(ins?|inutes?)?$/, 60],
  [/^h(rs?|ours?)?$/, 3600],
  [/^d(ays?)?$/, 86_400],
  [/^w(ks?|eeks?)?$/, 604_800],
  // A twelfth of a year, and a year with its share of leap days.
  [/^(M|months?)$/, 2_629_800],
  [/^y(rs?|ears?)?$/, 31_557_600],
]

/** Seconds of a lifetime as rustypaste takes it: "10min", "1h 30m", "2 weeks". `undefined` for anything else. */
export const parseWordyLifetime = (text: string): number | undefined => {
  if (!/^(\s*\d{1,9}\s*[a-z]+)+\s*$/i.test(text)) return undefined
  let seconds = 0
  for (const [, amount, word = ''] of text.matchAll(/(\d+)\s*([a-z]+)/gi)) {
    const unit = wordsOfUnits.find(([words]) => words.test(word))
    if (!unit) return undefined
    seconds += Number(amount) * unit[1]
  }
  return seconds
}

const dateShape = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/**
 * A date, a time (in UTC where it names no zone), or how long ago, such as "7d", in milliseconds since the epoch.
 * @returns `undefined` for anything else
 */
export const parseSince = (text: string, now: number): number | undefined => {
  const agoMs = parseDuration(text)
  if (agoMs !== undefined) return Math.max(0, now - agoMs)
  const hasNoZone = /T[^Z+-]*$/.test(text)
  const time = dateShape.test(text) ? Date.parse(hasNoZone ? `${text}Z` : text) : Number.NaN
  return Number.isNaN(time) ? undefined : Math.max(0, time)
}

/** A time to the second, such as `2026-11-23T08:00:00Z`. */
export const secondsText = (time: number) => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z')

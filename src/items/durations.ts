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

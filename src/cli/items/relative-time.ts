const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' })

/** Without this, a new item with a lifetime of 7 days would show 6. */
const roundUp = 1.01

/** `3d ago`, `in 2h`; empty if `iso` is not a time. */
export const relativeTime = (iso: unknown, now: number) => {
  const exact = (Date.parse(String(iso)) - now) / 1000
  if (Number.isNaN(exact)) return ''
  if (Math.abs(exact) < 1) return 'now'
  const seconds = exact > 0 ? exact * roundUp : exact
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  return format.format(Math.trunc(seconds / length), unit)
}

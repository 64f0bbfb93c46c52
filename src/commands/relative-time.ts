const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' })

/** `3d ago`, `in 2h`; empty for what is no time. Cut off, not rounded: nothing is shown to last longer than it does. */
export const relativeTime = (iso: unknown, now: number) => {
  const seconds = (Date.parse(String(iso)) - now) / 1000
  if (Number.isNaN(seconds)) return ''
  if (Math.abs(seconds) < 1) return 'now'
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  return format.format(Math.trunc(seconds / length), unit)
}

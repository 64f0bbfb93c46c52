import { countOf } from '../../src/format.ts'
import { elements } from './dom.ts'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Rounds as people do: a week that has just begun is 7 days, and 59.5 minutes are an hour. */
const rounded = (milliseconds: number) => {
  const seconds = Math.round(milliseconds / 1000)
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least * 0.99) ?? ['second', 1]
  return [Math.round(seconds / length), unit] as const
}

/** `2 hours ago`, `in 3 days` */
export const relativeTime = (milliseconds: number) =>
  new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(...rounded(milliseconds))

/** `6 days left` */
export const timeLeft = (milliseconds: number) => {
  const [count, unit] = rounded(milliseconds)
  return count > 0 ? `${countOf(count, unit)} left` : 'expired'
}

/** Shows the ages of all times. The exact time appears on hover, and screen readers read it. */
export const showAges = (within: ParentNode = document) => {
  for (const time of elements<HTMLTimeElement>('time:not([title])', within)) {
    const exact = time.textContent ?? ''
    time.title = exact
    const words = time.matches('.left') ? timeLeft : relativeTime
    time.textContent = words(Date.parse(time.dateTime) - Date.now())
    const spoken = document.createElement('span')
    spoken.className = 'offscreen'
    spoken.textContent = `, ${exact}`
    time.append(spoken)
  }
}

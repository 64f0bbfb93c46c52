import { elements } from './dom.ts'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `2 hours ago`, `in 3 days`. Rounds as people do: a week that has just begun is `in 7 days`. */
export const relativeTime = (milliseconds: number) => {
  const seconds = Math.round(milliseconds / 1000)
  // 59.5 minutes count as an hour.
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least * 0.99) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / length), unit)
}

/** Shows the ages of all times. The exact time appears on hover, and screen readers read it. */
export const showAges = (within: ParentNode = document) => {
  for (const time of elements<HTMLTimeElement>('time:not([title])', within)) {
    const exact = time.textContent ?? ''
    time.title = exact
    time.textContent = relativeTime(Date.parse(time.dateTime) - Date.now())
    const spoken = document.createElement('span')
    spoken.className = 'offscreen'
    spoken.textContent = `, ${exact}`
    time.append(spoken)
  }
}

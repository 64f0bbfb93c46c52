import { elements } from './dom.ts'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `2 hours ago`, `in 3 days`: rounded as people do, so a week that has just begun is `in 7 days`. */
export const relativeTime = (milliseconds: number) => {
  const seconds = Math.round(milliseconds / 1000)
  // 59.5 minutes are an hour.
  const [unit, length] = units.find(([, least]) => Math.abs(seconds) >= least * 0.99) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(Math.round(seconds / length), unit)
}

/** Says how long ago each moment was. The moment itself is shown on hover, and read out. */
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

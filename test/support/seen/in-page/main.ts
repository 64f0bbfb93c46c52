// What runs in the page that is looked at: each function answers its faults, in words.
import { gap, isSeen, isWithin, nameOf, windowBox } from './boxes.ts'
import { openedOneByOne } from './opened.ts'
import { overlaps } from './overlaps.ts'
import { covered, popupsOutside, stickingOut } from './reach.ts'

type Shift = PerformanceEntry & {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null }[]
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

/**
 * What has moved from the first paint to the first click or key: what somebody asks for after that takes the room it needs,
 * and where the answer is slow the browser no longer counts it as theirs.
 */
const shifts = async () => {
  const entries: Shift[] = []
  const observer = new PerformanceObserver((list) => entries.push(...(list.getEntries() as Shift[])))
  observer.observe({ type: 'layout-shift', buffered: true })
  await nextFrame()
  await nextFrame()
  entries.push(...(observer.takeRecords() as Shift[]))
  observer.disconnect()
  const [firstInput] = performance.getEntriesByType('first-input')
  const end = firstInput?.startTime ?? Number.POSITIVE_INFINITY
  return entries
    .filter(({ hadRecentInput, startTime }) => !hadRecentInput && startTime < end)
    .flatMap(({ sources }) =>
      sources.map(({ node }) => (node instanceof Element ? node : node?.parentElement)),
    )
    .map((element) => `${element ? nameOf(element) : 'something'} has moved`)
}

const ids = (element: Element, attribute: string) => (element.getAttribute(attribute) ?? '').split(/\s+/)

/** Why somebody would not notice an error, or not know what it is about. @param about the field, or the button */
const errorFaults = (error: Element, about: Element, farthestPx: number) => {
  const box = error.getBoundingClientRect()
  const distance = Math.round(gap(box, about.getBoundingClientRect()))
  const isField = about.matches('input, select, textarea')
  const describedBy = [...ids(about, 'aria-describedby'), ...ids(about, 'aria-errormessage')]
  const isDescribed = describedBy.some((id) => id !== '' && document.getElementById(id)?.contains(error))
  // A screen reader says what describes the field that gets the focus.
  const isReadOut = isDescribed && document.activeElement === about
  return [
    isSeen(error) ? '' : 'it cannot be seen',
    isWithin(box, windowBox()) ? '' : `it is outside the window, ${Math.round(box.top)} px from its top`,
    distance <= farthestPx ? '' : `it is ${distance} px away from ${nameOf(about)}`,
    error.closest('[role=alert], [aria-live]') || isReadOut ? '' : 'it is not announced',
    !isField || isDescribed ? '' : `${nameOf(about)} does not name it (aria-describedby)`,
    !isField || about.matches('[aria-invalid=true]') ? '' : `${nameOf(about)} is not marked as invalid`,
  ].filter((fault) => fault !== '')
}

/** Whatever is wrong with the page as it is now. */
const everything = () => [...stickingOut(), ...popupsOutside(), ...overlaps(), ...covered()]

/** The same while each menu is open. */
const opened = () => openedOneByOne(everything)

export const seen = { everything, opened, stickingOut, popupsOutside, covered, overlaps, shifts, errorFaults }
export type Seen = typeof seen
Object.assign(globalThis, { seen })

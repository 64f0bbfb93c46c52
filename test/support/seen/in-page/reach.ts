import { type Box, clippers, controls, isSeen, isWithin, nameOf, windowBox } from './boxes.ts'

/** How far to the side a control may reach: to the edges of the window, or of what would cut it off. */
const sideBounds = (control: Element): Box | undefined => {
  const [clipper] = clippers(control)
  const unbounded = { top: Number.NEGATIVE_INFINITY, bottom: Number.POSITIVE_INFINITY }
  if (!clipper) return { ...unbounded, left: 0, right: innerWidth }
  const canScroll = /auto|scroll/.test(getComputedStyle(clipper).overflowX)
  if (canScroll) return undefined
  const { left, right } = clipper.getBoundingClientRect()
  return { ...unbounded, left, right }
}

/** Controls that reach out at a side, and a page that scrolls sideways. */
export const stickingOut = () => {
  const faults = controls()
    .filter((control) => {
      const bounds = sideBounds(control)
      return bounds && !isWithin(control.getBoundingClientRect(), bounds)
    })
    .map((control) => `${nameOf(control)} reaches out at the side`)
  const { scrollWidth } = document.documentElement
  if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide`)
  return faults
}

const popupsSelector = 'dialog[open], details[open] > :not(summary), [popover]:popover-open, [role=listbox]'

/** What lies over the page: an open menu, dialog or list of suggestions. */
export const popups = () =>
  [...document.querySelectorAll(popupsSelector)].filter(
    (popup) => isSeen(popup) && /absolute|fixed/.test(getComputedStyle(popup).position),
  )

/** Those that are in no other: a list in a menu is looked at with the menu. */
export const outermost = (over: readonly Element[]) =>
  over.filter((popup) => !over.some((other) => other !== popup && other.contains(popup)))

/** Popups that are not wholly in the window. */
export const popupsOutside = () =>
  popups()
    .filter((popup) => !isWithin(popup.getBoundingClientRect(), windowBox()))
    .map((popup) => `${nameOf(popup)} is not wholly in the window`)

/** Points of a control that must be its own: the middle, and the corners where they are round. */
const points = ({ left, top, right, bottom }: Box) => {
  const x = Math.min(4, (right - left) / 4)
  const y = Math.min(4, (bottom - top) / 4)
  const middle = [(left + right) / 2, (top + bottom) / 2] as const
  // What is as large as the window has corners below the bar.
  if (bottom - top > innerHeight / 2) return [middle]
  const corners = [left + x, right - x].flatMap((at) =>
    [top + y, bottom - y].map((down) => [at, down] as const),
  )
  return [middle, ...corners]
}

/** A list of suggestions lies over what is below its field, and closes by a click there. */
const isOwn = (control: Element, hit: Element | null) =>
  hit !== null &&
  (control.contains(hit) ||
    hit.contains(control) ||
    hit.closest('label')?.control === control ||
    hit.closest('[role=listbox]') !== null)

/** Controls that cannot be pressed somewhere, even when they are scrolled to, since something lies over them. */
export const covered = () => {
  const over = outermost(popups())
  const pressable = over.length === 0 ? controls() : over.flatMap((popup) => controls(popup))
  return pressable.flatMap((control) => {
    control.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    const [box] = control.getClientRects()
    if (!box) return []
    const missed = points(box)
      .map(([x, y]) => document.elementFromPoint(x, y))
      .find((hit) => !isOwn(control, hit))
    if (missed === undefined) return []
    return `${nameOf(control)} lies under ${missed ? nameOf(missed) : 'the edge of the window'}`
  })
}

export type Box = { left: number; top: number; right: number; bottom: number }

/** Whether something of it can be seen. What is there for screen readers alone cannot, nor lines that are not laid out yet. */
export const isSeen = (element: Element) => {
  const isShown = element.checkVisibility({
    opacityProperty: true,
    visibilityProperty: true,
    contentVisibilityAuto: true,
  })
  // Measured last: that lays out lines which the browser has skipped, and takes 10 s for a megabyte of them.
  if (!isShown || getComputedStyle(element).clipPath === 'inset(50%)') return false
  const { width, height } = element.getBoundingClientRect()
  return width > 1 && height > 1
}

const controlsSelector = 'a[href], button, input, select, textarea, summary, [role=button], [role=option]'
/** Of a long list both ends are looked at: what is between them is as they are. */
export const between = ':is(li, [role=option]):nth-child(n + 9):nth-last-child(n + 9)'

/** Everything that can be pressed or typed in, as it can be seen now. */
export const controls = (within: ParentNode = document) =>
  [...within.querySelectorAll(controlsSelector)].filter(
    (control) => !control.closest(between) && isSeen(control),
  )

/** How a fault names an element: `button "Copy"`. */
export const nameOf = (element: Element) => {
  const { localName, id, textContent } = element
  const name = element.getAttribute('aria-label') ?? element.getAttribute('name') ?? textContent ?? ''
  return `${localName}${id && `#${id}`} "${name.trim().replace(/\s+/g, ' ').slice(0, 40)}"`
}

/** The ancestors that cut off or scroll what is in them, the nearest first. */
export const clippers = (element: Element) => {
  const found: Element[] = []
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
    if (getComputedStyle(at).overflowX !== 'visible') found.push(at)
  return found
}

export const intersection = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
})

/** More than a rounded pixel is in both. */
export const isOverlap = ({ left, top, right, bottom }: Box) => right - left > 1.1 && bottom - top > 1.1

/** Pixels between two boxes; 0 where they touch. */
export const gap = (a: Box, b: Box) =>
  Math.hypot(Math.max(0, a.left - b.right, b.left - a.right), Math.max(0, a.top - b.bottom, b.top - a.bottom))

export const windowBox = (): Box => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })

export const isWithin = (inner: Box, outer: Box) =>
  inner.left >= outer.left - 1 &&
  inner.top >= outer.top - 1 &&
  inner.right <= outer.right + 1 &&
  inner.bottom <= outer.bottom + 1

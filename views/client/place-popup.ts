const gap = 4
const mostHeight = 352
/** A popup belongs below its field, but goes above if there is less height than this. */
const enoughHeight = 240
const leastWidth = 272

/** Places a fixed box below a field, or above it if there is more room, in the area that a phone's keyboard leaves. */
export const placeBeside = (box: HTMLElement, field: HTMLElement) => {
  const view = visualViewport
  const { offsetTop = 0, offsetLeft = 0, width = innerWidth, height = innerHeight } = view ?? {}
  const { top, bottom, left, width: fieldWidth } = field.getBoundingClientRect()
  const below = offsetTop + height - bottom - 2 * gap
  const above = top - offsetTop - 2 * gap
  const isBelow = below >= Math.min(enoughHeight, above)
  const boxWidth = Math.min(Math.max(fieldWidth, leastWidth), width - 2 * gap)
  const { style } = box
  style.width = `${boxWidth}px`
  style.maxHeight = `${Math.max(0, Math.min(mostHeight, isBelow ? below : above))}px`
  style.left = `${Math.max(offsetLeft + gap, Math.min(left, offsetLeft + width - boxWidth - gap))}px`
  style.top = `${isBelow ? bottom + gap : top - gap - box.offsetHeight}px`
}

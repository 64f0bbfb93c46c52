/** Delay before the memory is collected. */
const collectMs = 50

/**
 * Collects garbage soon, once for many calls. After 100 senders of large bodies at once, 25 MB stayed in use until the
 * runtime collected by itself; after eight readers of large pages, 60 MB.
 */
export const createCollector = () => {
  let isSoon = false
  const collect = () => {
    isSoon = false
    Bun.gc(true)
  }
  return () => {
    if (isSoon) return
    isSoon = true
    setTimeout(collect, collectMs).unref()
  }
}

/**
 * Collects garbage now, each time that so much was passed on.
 * @param every in the unit that is counted: bytes or characters
 */
export const createCounter = (every: number) => {
  let count = 0
  return (more: number) => {
    count += more
    if (count < every) return
    count = 0
    Bun.gc(true)
  }
}

/** No page is larger than 10 MB. These are its lines; the difference is for the rest of the page. */
export const maxLinesBytes = 9_800_000

/** A browser lays out this many lines together, and not before they come into sight. */
const linesPerGroup = 100

/** What distinguishes a line from an ordinary one. */
export type LineLook = {
  /** Its number in the text; by default the one after the line before. */
  number?: number
  /** Separated by spaces. */
  classes?: string
}

/** What is open at the end of the lines so far. */
type Open = { group: boolean; list: boolean; fold: boolean }

const closed = ({ group, list, fold }: Open) =>
  `${list ? '</ol>' : ''}${fold ? '</details>' : ''}${group ? '</div>' : ''}`

/**
 * Collects lines, each with its end, in one list per group. `start` numbers the lines of a list, so the numbers are not text
 * and are not copied. Browsers skip the layout of groups out of sight, each in a `<div>`: on the list itself, that would
 * restart its numbers at 1. Optional end tags and quotes are left out: they were a fifth of the page.
 */
export const createLines = (maxBytes = maxLinesBytes) => {
  let parts: string[] = []
  let bytes = 0
  let count = 0
  let inGroup = 0
  let last = 0
  let open: Open = { group: false, list: false, fold: false }
  let isPartial = false

  const put = (start: string, html: string) => {
    const size = start.length + Buffer.byteLength(html)
    if (bytes + size > maxBytes) return false
    bytes += size
    parts.push(start, html)
    return true
  }

  /** True if the next line or fold begins a group. */
  const isGroupDue = () => !open.group || (inGroup >= linesPerGroup && !open.fold)

  return {
    /** @returns false once the page is full */
    add: (html: string, { number = last + 1, classes = '' }: LineLook = {}) => {
      const isDue = isGroupDue()
      const isListDue = isDue || !open.list
      const before = `${isDue ? `${closed(open)}<div>` : ''}${isListDue ? `<ol start=${number}>` : ''}`
      const value = isListDue || number === last + 1 ? '' : ` value=${number}`
      const look = classes.includes(' ') ? ` class="${classes}"` : classes && ` class=${classes}`
      if (!put(`${before}<li id=L${number}${value}${look}>`, html)) return false
      inGroup = isDue ? 1 : inGroup + 1
      count++
      last = number
      open = { ...open, group: true, list: true }
      return true
    },
    /** Continues the last line. */
    extend: (html: string) => {
      isPartial = !put('', html)
      return !isPartial
    },
    /** Folds the lines up to `unfold` under a button with this name. The name is an attribute, so it is not copied. */
    fold: (name: string, classes: string) => {
      const isDue = isGroupDue()
      const before = isDue ? `${closed(open)}<div>` : closed({ ...open, group: false })
      if (!put(`${before}<details class="${classes}"><summary aria-label="${name}"></summary>`, '')) return
      if (isDue) inGroup = 0
      open = { group: true, list: false, fold: true }
    },
    unfold: () => {
      if (open.fold) parts.push(closed({ ...open, group: false }))
      if (open.fold) open = { group: true, list: false, fold: false }
    },
    /** What comes after the last line. */
    end: () => closed(open),
    /** The HTML collected since the last call. */
    take: () => {
      const html = parts.join('')
      parts = []
      return html
    },
    shown: () => ({ shown: count, isPartial }),
  }
}

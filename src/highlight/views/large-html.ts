import { createCounter } from '../../collector.ts'

/** Joined at this size: many small strings take several times the memory of one. */
const joinedChars = 64 * 1024
/** Memory is freed after this much: 1 MiB of Markdown then takes 50 MB, otherwise 95. */
const charsPerCollection = 768 * 1024

/** Collects the HTML of a view in few pieces, and frees the memory that making it takes meanwhile. */
export const createLargeHtml = () => {
  const pieces: string[] = []
  let parts: string[] = []
  let waiting = 0
  const collect = createCounter(charsPerCollection)

  const join = () => {
    pieces.push(parts.join(''))
    parts = []
    collect(waiting)
    waiting = 0
  }
  return {
    add: (html: string) => {
      parts.push(html)
      waiting += html.length
      if (waiting >= joinedChars) join()
    },
    /** All pieces, once everything is added. */
    take: () => {
      join()
      return pieces
    },
  }
}

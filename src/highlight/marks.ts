import { showText, spanOf } from './show-text.ts'

/** Where a word begins and ends in a line. */
export type Hit = readonly [start: number, end: number]

/** A line with more hits is known well enough. */
const mostHits = 1000
/** A longer line is not searched further than this for hits to mark. */
const markedChars = 32 * 1024

/** The places of a word in a line. @param pattern with the flag `g` */
export const hitsIn = (line: string, pattern: RegExp): readonly Hit[] => {
  const hits: Hit[] = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    hits.push([found.index, pattern.lastIndex])
    if (hits.length === mostHits || pattern.lastIndex > markedChars) break
  }
  return hits
}

/** A piece of a line with its hits marked. @param from where the piece begins in the line */
const markedPiece = (content: string, from: number, hits: readonly Hit[]) => {
  let html = ''
  let at = 0
  for (const [start, end] of hits) {
    const [first, after] = [Math.max(start - from, at), Math.min(end - from, content.length)]
    if (first >= after) continue
    html += `${showText(content.slice(at, first))}<mark>${showText(content.slice(first, after))}</mark>`
    at = after
  }
  return html + showText(content.slice(at))
}

/** A line of tokens with its hits marked. */
export const markedHtml = <T extends { content: string }>(
  tokens: readonly T[],
  hits: readonly Hit[],
  classesOf: (token: T) => string,
) => {
  let from = 0
  let next = 0
  return tokens
    .map((token) => {
      const end = from + token.content.length
      const first = next
      while (next < hits.length && (hits[next] as Hit)[0] < end) next++
      const html = markedPiece(token.content, from, hits.slice(first, next))
      // A hit that goes on in the next token is marked there, too.
      if (next > first && (hits[next - 1] as Hit)[1] > end) next--
      from = end
      return spanOf(classesOf(token), html)
    })
    .join('')
}

/** A text and where its lines begin: 1 MiB may have a million lines, and as strings they would take 100 MB. */
export type TextLines = {
  text: string
  count: number
  /** A line with its end, if it has one. */
  at: (line: number) => string
  /** Where a line begins; the end of the text for the one after the last. */
  startOf: (line: number) => number
  /** How many lines end at or before this place. */
  endingBefore: (place: number) => number
}

const countEnds = (text: string) => {
  let ends = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends++
  return ends
}

/** The line end at the end of a text starts no new line; an empty text has none. */
export const linesOf = (text: string): TextLines => {
  const ends = countEnds(text)
  const count = text === '' || text.endsWith('\n') ? ends : ends + 1
  const starts = new Int32Array(count + 1)
  for (let line = 1, at = 0; line <= ends; line++) {
    at = text.indexOf('\n', at) + 1
    starts[line] = at
  }
  starts[count] = text.length
  const startOf = (line: number) => starts[line] as number
  const endingBefore = (place: number) => {
    let [low, high] = [0, count]
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (startOf(middle) <= place) low = middle
      else high = middle - 1
    }
    return low
  }
  return { text, count, startOf, endingBefore, at: (line) => text.slice(starts[line], starts[line + 1]) }
}

/** Whole blocks are compared first: that is fifty times as fast as characters. */
const blockChars = 4096

/** How many characters two texts begin with together. */
const commonStart = (before: string, after: string) => {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at + blockChars <= most && before.slice(at, at + blockChars) === after.slice(at, at + blockChars))
    at += blockChars
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++
  return at
}

/** How many characters two texts end with together, at most. */
const commonEnd = (before: string, after: string, most: number) => {
  const [last, other] = [before.length, after.length]
  let count = 0
  while (
    count + blockChars <= most &&
    before.slice(last - count - blockChars, last - count) ===
      after.slice(other - count - blockChars, other - count)
  )
    count += blockChars
  while (count < most && before.charCodeAt(last - 1 - count) === after.charCodeAt(other - 1 - count)) count++
  return count
}

/** Lines of a text that are compared: the first, and how many. */
export type Stretch = { lines: TextLines; first: number; count: number }

/** Lines that begin behind a line end of the last `chars` characters. */
const lastLines = ({ text, count, endingBefore }: TextLines, chars: number) =>
  Math.max(0, count - endingBefore(text.length - chars) - 1)

/** The stretches that are left without the lines that both texts begin and end with. */
export const differingLines = (before: TextLines, after: TextLines): readonly [Stretch, Stretch] => {
  const start = commonStart(before.text, after.text)
  const first = Math.min(before.endingBefore(start), after.endingBefore(start))
  const most = Math.min(before.text.length, after.text.length) - before.startOf(first)
  const end = commonEnd(before.text, after.text, most)
  const stretchOf = (lines: TextLines): Stretch => {
    const last = lastLines(lines, end)
    return { lines, first, count: lines.count - last - first }
  }
  return [stretchOf(before), stretchOf(after)]
}

/** The same number for the same line on both sides, from 0. */
export const numberedLines = (before: Stretch, after: Stretch) => {
  const known = new Map<string, number>()
  const numbered = ({ lines, first, count }: Stretch) => {
    const numbers = new Int32Array(count)
    for (let at = 0; at < count; at++) {
      const line = lines.at(first + at)
      const number = known.get(line) ?? known.size
      if (number === known.size) known.set(line, number)
      numbers[at] = number
    }
    return numbers
  }
  return { before: numbered(before), after: numbered(after), distinct: known.size }
}

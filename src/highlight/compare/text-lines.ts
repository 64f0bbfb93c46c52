/** A text and where its lines begin: 1 MiB may have a million lines, and as strings they would take 100 MB. */
export type TextLines = {
  count: number
  /** A line with its end, if it has one. */
  at: (line: number) => string
}

/** The place after each line end, and the end of the text. */
function* endsOf(text: string) {
  let at = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
    at = end + 1
    yield at
  }
  if (at < text.length) yield text.length
}

/** The line end at the end of a text starts no new line; an empty text has none. */
export const linesOf = (text: string): TextLines => {
  let count = 0
  for (const _ of endsOf(text)) count++
  const starts = new Int32Array(count + 1)
  let line = 0
  for (const end of endsOf(text)) starts[++line] = end
  return { count, at: (line) => text.slice(starts[line], starts[line + 1]) }
}

/** Lines of a text that are compared: the first, and how many. */
export type Stretch = { lines: TextLines; first: number; count: number }

/** The stretches that are left without the lines that both texts begin and end with. */
export const differingLines = (before: TextLines, after: TextLines): readonly [Stretch, Stretch] => {
  const most = Math.min(before.count, after.count)
  let first = 0
  while (first < most && before.at(first) === after.at(first)) first++
  let end = 0
  while (end < most - first && before.at(before.count - 1 - end) === after.at(after.count - 1 - end)) end++
  const stretchOf = (lines: TextLines) => ({ lines, first, count: lines.count - end - first })
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

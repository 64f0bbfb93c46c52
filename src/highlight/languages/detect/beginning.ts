/** What the detection reads of a text. */
export type Beginning = {
  /** The first 64 KiB. */
  text: string
  /** False if the text goes on. */
  isWhole: boolean
  /** The first lines that are not blank, without their ends; long ones are cut. */
  lines: readonly string[]
  /** If the text goes on, the end of the line that was cut, and the beginning of the line after it. */
  next: string
}

/** In characters. */
const mostRead = 64 * 1024
const longestLine = 512

const mostLines = 300

const lineEnd = 10

const linesOf = (text: string, isWhole: boolean) => {
  const lines: string[] = []
  for (let at = 0; at < text.length && lines.length < mostLines; ) {
    if (text.charCodeAt(at) === lineEnd) {
      at++
      continue
    }
    const found = text.indexOf('\n', at)
    const end = found === -1 ? text.length : found
    // A line that was cut in its middle is no evidence.
    if (found === -1 && !isWhole && lines.length > 0) break
    const line = text.slice(at, Math.min(end, at + longestLine)).replace(/\r$/, '')
    if (/\S/.test(line)) lines.push(line)
    at = end + 1
  }
  return lines
}

const nextOf = (whole: string) => {
  const end = whole.indexOf('\n', mostRead)
  return end < 0 ? '' : whole.slice(end - 2, end + longestLine)
}

export const beginningOf = (whole: string): Beginning => {
  const text = whole.slice(0, mostRead).replace(/^\ufeff/, '')
  const isWhole = whole.length <= mostRead
  return { text, isWhole, lines: linesOf(text, isWhole), next: isWhole ? '' : nextOf(whole) }
}

/** The share of the lines for which this is true. */
export const shareOf = (lines: readonly string[], isIt: (line: string) => boolean) =>
  lines.length === 0 ? 0 : lines.filter(isIt).length / lines.length

import type { Beginning } from './beginning.ts'

const isHunk = (line: string) => /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/.test(line)
const isChange = (line: string) => /^[-+ \\@]/.test(line)
const isHeader = (line: string) => /^(diff -|index [\da-f]{4}|--- |\+\+\+ |Index: |=====)/.test(line)

/** A part of a diff without a header: added and removed lines. What merely begins with `-` is a list. */
export const isPartOfDiff = ({ lines }: Beginning) =>
  lines.every(isChange) && ['+', '-'].every((sign) => lines.some((line) => line.startsWith(sign)))

/** A hunk after its header; or a part of a diff, where nearly every line is one of a hunk. */
export const languageOfDiff = ({ lines }: Beginning) => {
  const hunk = lines.findIndex(isHunk)
  if (hunk < 0) return
  const [minus = '', plus = ''] = lines.slice(Math.max(0, hunk - 2), hunk)
  if (minus.startsWith('--- ') && plus.startsWith('+++ ')) return 'diff'
  const fitting = lines.filter((line) => isChange(line) || isHeader(line)).length
  return fitting >= 0.8 * lines.length ? 'diff' : undefined
}

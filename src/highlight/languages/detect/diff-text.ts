import { type Beginning, shareOf } from './beginning.ts'

/** `@@ -1,3 +1,3 @@`; a merge has one more `@` and one more range for each parent. */
const isHunk = (line: string) =>
  /^@@@{0,3}(?: -\d{1,9}(?:,\d{1,9})?){1,4} \+\d{1,9}(?:,\d{1,9})? @@/.test(line)
const isChange = (line: string) => /^[-+ \\@]/.test(line)
const isHeader = (line: string) => /^(diff -|index [\da-f]{4}|--- |\+\+\+ |Index: |=====)/.test(line)

/** A part of a diff without a header: added and removed lines. What merely begins with `-` is a list. */
export const isPartOfDiff = ({ lines }: Beginning) =>
  lines.every(isChange) && ['+', '-'].every((sign) => lines.some((line) => line.startsWith(sign)))

const bareHead = /^\d{1,9}(?:,\d{1,9})?[acd]\d{1,9}(?:,\d{1,9})?$/
const isBare = (line: string) =>
  /^(?:[<>](?: |$)|---$|\\ No newline|diff |Only in )/.test(line) || bareHead.test(line)

/** What `diff` prints without options: `5,7c8`, then lines behind `<` and `>`. */
const isBareDiff = (lines: readonly string[]) =>
  lines.some((line, at) => bareHead.test(line) && /^[<>] /.test(lines[at + 1] ?? '')) && lines.every(isBare)

/** `diff -c`: `*** 1,3 ****` after a line of stars. */
const isContextDiff = (lines: readonly string[]) =>
  lines.some(
    (line, at) => line === '***************' && /^\*\*\* \d[\d,]{0,20} \*{4}$/.test(lines[at + 1] ?? ''),
  )

/**
 * A hunk after its header, in which most lines are those of a diff: Markdown may quote one. A part of a diff has no header,
 * and nearly every line is one of a hunk.
 */
export const languageOfDiff = ({ lines }: Beginning) => {
  const hunk = lines.findIndex(isHunk)
  if (hunk < 0) return isBareDiff(lines) || isContextDiff(lines) ? 'diff' : undefined
  const [minus = '', plus = ''] = lines.slice(Math.max(0, hunk - 2), hunk)
  const hasHeader = minus.startsWith('--- ') && plus.startsWith('+++ ')
  const [own, least] = hasHeader ? [lines.slice(hunk), 0.6] : [lines, 0.8]
  return shareOf(own, (line) => isChange(line) || isHeader(line)) >= least ? 'diff' : undefined
}

import type { TokensLook } from '../lines.ts'
import { markedText } from './diff-html.ts'
import { patchLinesOf } from './patch-lines.ts'

/** How the lines of a diff look on the page of a paste: as on a page that compares two. */
export const patchLook = (text: string) => {
  const lines = text.split(/\r?\n/)
  const looks = patchLinesOf(lines)
  return (at: number): TokensLook => {
    const { kind, marks } = looks[at] ?? { kind: '', marks: [] }
    if (kind === '' || kind === 'hunk') return { classes: kind }
    return { classes: kind, html: markedText(lines[at] ?? '', marks) }
  }
}

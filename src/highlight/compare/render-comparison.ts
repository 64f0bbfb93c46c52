import { createLargeHtml, type Lines, maxLinesBytes } from '../lines.ts'
import { type CompareWith, compareLines, type DiffLook } from './line-diff.ts'
import { patchLines } from './patch.ts'
import { diffPieces, rowsOf } from './rows.ts'

const joined = (parts: Iterable<string>) => {
  const html = createLargeHtml()
  for (const part of parts) html.add(part)
  return html.take()
}

/** Rows up to the size of a page. */
const boundedRows = (rows: Parameters<typeof diffPieces>[0], look: DiffLook) => {
  let bytes = 0
  const hasRoom = (html: string) => {
    bytes += Buffer.byteLength(html)
    return bytes <= maxLinesBytes
  }
  const result = { isWhole: true }
  const pieces = (function* () {
    result.isWhole = yield* diffPieces(rows, look, hasRoom)
  })()
  return { html: joined(pieces), isPartial: !result.isWhole }
}

/** Compares two texts for a page or a patch. It blocks; only for the child and tests. */
export const renderComparison = (before: string, { text: after, as }: CompareWith): Lines => {
  const lines = { shown: 0, total: 0, isPartial: false }
  const comparison = compareLines(before, after)
  if (!comparison) return { ...lines, html: [], compared: 'too different' }
  const { added, removed } = comparison
  const compared = { added, removed }
  if (as === 'patch') return { ...lines, html: joined(patchLines(comparison)), compared }
  return { ...lines, ...boundedRows(rowsOf(comparison), as), compared }
}

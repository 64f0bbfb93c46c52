import { withoutControls } from '../../output.ts'
import type { Item, Plural } from '../client/items.ts'
import { relativeTime } from './relative-time.ts'

export type Row = { plural: Plural; item: Item }

/** Removed here, not only when printing, because column widths depend on the shown characters. */
const text = (value: unknown) => (typeof value === 'string' ? withoutControls(value) : '')

const names = {
  pastes: { one: 'read', many: 'reads', left: 'readsLeft', most: 'maxReads' },
  links: { one: 'visit', many: 'visits', left: 'visitsLeft', most: 'maxVisits' },
} as const

/** `12 reads`; with a limit, `1 of 3 reads`. */
const uses = ({ plural, item }: Row) => {
  const { one, many, left, most } = names[plural]
  const { [many]: count, [most]: limit, [left]: rest } = item
  if (typeof limit === 'number' && typeof rest === 'number')
    return `${limit - rest} of ${limit} ${limit === 1 ? one : many}`
  return typeof count === 'number' ? `${count} ${count === 1 ? one : many}` : ''
}

/** The cells of one line. */
export const cellsOf = (row: Row, now: number) => {
  const { plural, item } = row
  const isPaste = plural === 'pastes'
  return [
    text(isPaste ? item.pasteUrl : item.shortendUrl),
    relativeTime(item.createdAt, now),
    item.expiresAt === undefined ? '' : relativeTime(item.expiresAt, now),
    uses(row),
    isPaste ? text(item.title) || 'Untitled paste' : text(item.url),
  ]
}

/** Cuts a line to a number of columns; some characters take two. */
const cut = (line: string, columns: number) => {
  if (Bun.stringWidth(line) <= columns) return line
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (Bun.stringWidth(kept + segment) >= columns) break
    kept += segment
  }
  return `${kept}…`
}

const itemHeads = ['address', 'created', 'expires', 'used', 'title or target']

type Cells = readonly (readonly string[])[]

/** A table of items. On a terminal, lines are cut at its width. */
export const tableOf = (rows: Cells, columns?: number) => alignedLines(itemHeads, rows, columns)

/** Aligns columns under their heads, and leaves out empty ones; lines are cut at this width. */
export const alignedLines = (heads: readonly string[], rows: Cells, columns = Number.POSITIVE_INFINITY) => {
  const shown = heads.map((_, column) => rows.some((row) => row[column] !== ''))
  const lines = [heads, ...rows].map((line) => line.filter((_, column) => shown[column]))
  const widths = lines[0]?.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  )
  return lines.map((line) => {
    const cells = line.map(
      (cell, at) => cell + ' '.repeat(Math.max(0, (widths?.[at] ?? 0) - Bun.stringWidth(cell))),
    )
    return cut(cells.join('  ').trimEnd(), columns)
  })
}

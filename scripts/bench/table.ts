import type { Result, Side } from './results.ts'

const heads = ['ratio', 'min', 'max', 'target', '', 'figure', 'product', 'limit']
/** Columns of numbers. */
const rightAligned = [0, 1, 2, 6]

/** `52,134 req/s`, `28.4 ms` */
export const sideText = ({ median, unit }: Side) => {
  const digits = median >= 1000 ? 0 : 1
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return `${median.toLocaleString('en', options)} ${unit}`
}

/** The cells of one row. */
export const rowOf = ({ ratio, target, isReached, name, product, limit }: Result) => [
  ratio.median.toFixed(2),
  ratio.min.toFixed(2),
  ratio.max.toFixed(2),
  target,
  isReached ? '' : 'missed',
  name,
  sideText(product),
  `${sideText(limit)} (${limit.name})`,
]

/** The table for a terminal, and what the figures have to say beside their numbers. */
export const tableText = (results: readonly Result[]) => {
  const rows = [heads, ...results.map(rowOf)]
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0
        return rightAligned.includes(at) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
  const notes = results.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`))
  return [...lines, ...(notes.length ? ['', ...notes] : [])].join('\n')
}

import type { Facts } from './machine.ts'

/** Rows in columns, for a terminal. @param rightAligned the columns of numbers */
export const inColumns = (rows: readonly (readonly string[])[], rightAligned: readonly number[]) => {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const pad = (cell: string, at: number) =>
    rightAligned.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd())
}

/** What was measured, when, and on which machine. */
export const circumstances = ({ date, machine, versions }: Facts) =>
  `Measured on ${date.slice(0, 10)} on ${machine.cores} cores of ${machine.cpu}, ${Math.round(machine.memoryBytes / 1024 ** 3)} GiB, Linux ${machine.kernel}: Shortcrust ${versions.shortcrust} (${versions.commit}), Bun ${versions.bun}`

import { withoutControls } from '../../control-characters.ts'
import { sizeText } from '../../format.ts'
import { type Figures, statsLimits } from '../../items/owner/stats.ts'
import { relativeTime } from '../items/relative-time.ts'

type Cells = readonly string[]

/** A table below its heads; the columns from `firstFigure` on are aligned to the right. */
const table = (heads: Cells, rows: readonly Cells[], firstFigure: number) => {
  const lines = [heads, ...rows].map((line) => line.map(withoutControls))
  const widths = heads.map((_, column) =>
    Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))),
  )
  return lines.map((line) =>
    line
      .map((cell, column) => {
        const blank = ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell))
        return column < firstFigure ? cell + blank : blank + cell
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Narrower bars say nothing. */
const [leastBar, mostBar] = [10, 50]

/** Items created by day, with bars if the terminal is wide enough for them. */
const dayLines = (days: Figures['days'], columns = 0) => {
  const lines = table(
    ['day', 'pastes', 'links'],
    days.map(({ day, pastes, links }) => [day, String(pastes), String(links)]),
    1,
  )
  const room = Math.min(mostBar, columns - 2 - Math.max(...lines.map((line) => line.length)))
  if (room < leastBar) return lines
  const most = Math.max(1, ...days.map(({ pastes, links }) => pastes + links))
  return lines.map((line, at) => {
    const { pastes = 0, links = 0 } = days[at - 1] ?? {}
    return `${line}  ${'█'.repeat(Math.ceil(((pastes + links) / most) * room))}`.trimEnd()
  })
}

const indexWords: Readonly<Record<Figures['index'], string>> = {
  whole: 'whole',
  building: 'being built: the figures are those of the items found so far',
  memory: 'in memory, because the folder cannot hold its file',
  none: 'none that can be trusted: every document was read',
}

const itemRows = (items: Figures['largest'], now: number) =>
  items.map(({ kind, id, owner, bytes, createdAt, expiresAt }) => [
    ...[kind, id, owner, relativeTime(createdAt, now)],
    expiresAt === undefined ? '' : relativeTime(expiresAt, now),
    sizeText(bytes),
  ])

/** The figures as lines for a terminal. @param columns its width; without one there are no bars */
export const statsLines = (figures: Figures, now: number, columns?: number): readonly string[] => {
  const { totals, keys, days, largest, expiring, versions, disk, index } = figures
  const items = (title: string, found: Figures['largest']) =>
    found.length === 0
      ? []
      : ['', title, ...table(['kind', 'id', 'key', 'created', 'expires', 'size'], itemRows(found, now), 5)]
  return [
    ...table(
      ['kind', 'items', 'size'],
      totals.map((one) => [one.kind, String(one.items), sizeText(one.bytes)]),
      1,
    ),
    '',
    `earlier versions: ${versions.count}, ${sizeText(versions.bytes)}`,
    ...(disk ? [`free space: ${sizeText(disk.freeBytes)} of ${sizeText(disk.totalBytes)}`] : []),
    `index: ${indexWords[index]}`,
    ...(keys.length === 0
      ? []
      : [
          // The server sends no more of them.
          ...['', keys.length < statsLimits.keys ? 'by key' : `by key, the ${statsLimits.keys} largest`],
          ...table(
            ['key', 'kind', 'items', 'size'],
            keys.map((one) => [one.owner, one.kind, String(one.items), sizeText(one.bytes)]),
            2,
          ),
        ]),
    ...['', 'created by day (UTC)', ...dayLines(days, columns)],
    ...items('the largest', largest),
    ...items('what expires next', expiring),
  ]
}

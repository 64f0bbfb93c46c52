import { shortAge, sizeText } from '../format.ts'
import { compileCheck } from '../items/field.ts'
import { type Figures, Stats, statsLimits } from '../items/schema.ts'
import { withoutControls } from '../output.ts'
import { collections } from '../services/items.ts'
import { createFigures } from '../services/stats.ts'
import { stampedFolder } from '../store/folder/data-folder.ts'
import { spaceOf } from '../store/folder/file-system.ts'
import { sumOfFolder } from '../store/folder/inspect.ts'
import { targetOf } from './client/login.ts'
import { Failure, foreignServer, parseReply, send } from './client/send.ts'
import { type ClientCommand, type ClientFlags, plural, type Terminal } from './terminal.ts'

/** Sums up the items of a data folder, also of a running server. */
export const figuresOfFolder = async (folder: string, { now, progress }: Terminal) => {
  let read = 0
  const found = await sumOfFolder(
    folder,
    collections,
    () => createFigures(now()),
    () => progress(`read ${plural(++read, 'document')}`),
  )
  progress('')
  return found
}

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
    ...[kind, id, owner, shortAge(createdAt, now)],
    expiresAt === undefined ? '' : shortAge(expiresAt, now),
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

const { isValid } = compileCheck(Stats)

/** Above 200 keys with names of 64 characters, and 20 items. */
const maxReplyBytes = 4 * 1024 ** 2

const ofServer = async (flags: ClientFlags, terminal: Terminal): Promise<Figures> => {
  const target = await targetOf(flags, terminal).catch((error) => {
    if (!(error instanceof Failure)) throw error
    throw new Failure(`${error.message}; or read a data folder with --data`, error.exitCode)
  })
  const answer = parseReply(
    await send({ ...target, method: 'GET', path: '/stats', maxReplyBytes }),
    target.server,
  )
  if (!isValid(answer)) throw foreignServer(target.server, 'no figures')
  const { success: _, ...figures } = answer
  return figures
}

const ofFolder = async (data: string, terminal: Terminal): Promise<Figures> => {
  const folder = stampedFolder(data)
  const { sum, index } = await figuresOfFolder(folder, terminal)
  const disk = await spaceOf(folder)
  if (terminal.isWatched) terminal.printError(`figures of ${folder}:`)
  return { ...sum.result(), ...(disk && { disk }), index }
}

/** Prints the figures of a server, or of a data folder with `--data`. */
export const stats: ClientCommand = async (_, flags, terminal) => {
  const { data } = flags
  const figures = await (data === undefined ? ofServer(flags, terminal) : ofFolder(data, terminal))
  if (flags.json) await terminal.printJson(figures)
  else for (const line of statsLines(figures, terminal.now(), terminal.columns)) await terminal.print(line)
  return 0
}

import type { Report as BenchReport } from '../bench/results.ts'
import { isGood, type Report, type Result } from './results.ts'

const begin = '<!-- attacks -->'
const end = '<!-- /attacks -->'
const place = new RegExp(`${begin}[\\s\\S]*?${end}`)

const heads = ['attack', 'senders', 'stall ms', 'quiet', 'growth MB', 'also', 'answered', 'verdict']
/** Columns of numbers. */
const rightAligned = [1, 2, 3, 4]

const rounded = (value: number) =>
  value >= 10 || Number.isInteger(value) ? value.toFixed(0) : value.toFixed(1)

/** `48 of 50`, or the value alone where nothing limits it. */
const againstLimit = ({ best, limits }: Result, figure: string) => {
  const [value, limit] = [best[figure], limits[figure]]
  const text = value === undefined || value === null ? '–' : rounded(value)
  return limit === undefined ? text : `${text} of ${limit}`
}

const answersOf = ({ rounds }: Result) =>
  Object.entries(rounds.at(-1)?.answers ?? {})
    .map(([status, times]) => `${times} × ${status}`)
    .join(', ')

/** The cells of one row. @param label its name, or what it does */
export const rowOf = (result: Result, label: string) => {
  const others = [...new Set([...Object.keys(result.best), ...Object.keys(result.limits)])].filter(
    (figure) => figure !== 'stall ms' && figure !== 'growth MB',
  )
  return [
    label,
    String(result.senders),
    againstLimit(result, 'stall ms'),
    rounded(Math.min(...result.rounds.map(({ quietMs }) => quietMs))),
    againstLimit(result, 'growth MB'),
    others.map((figure) => `${figure} ${againstLimit(result, figure)}`).join(', '),
    answersOf(result),
    result.verdict,
  ]
}

/** The table for a terminal. */
export const tableText = (results: readonly Result[]) => {
  const rows = [heads, ...results.map((result) => rowOf(result, result.name))]
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, at: number) =>
    rightAligned.includes(at) ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

const gibibytes = ({ memoryBytes }: BenchReport['machine']) => `${Math.round(memoryBytes / 1024 ** 3)} GiB`

/** What was measured, on which machine, with which versions. */
const circumstances = ({ date, machine, versions, isShort, attacks }: Report) => {
  const good = attacks.filter(isGood).length
  const kind = isShort ? 'the short run' : 'the whole run'
  return `Measured on ${date.slice(0, 10)} on ${machine.cores} cores of ${machine.cpu}, ${gibibytes(machine)}, Linux ${machine.kernel}: Shortcrust ${versions.shortcrust} (${versions.commit}), Bun ${versions.bun}, ${kind}. ${good} of ${attacks.length} attacks stay within their limits.`
}

/** The text between the markers, markers included. */
export const sectionOf = (report: Report) =>
  [
    begin,
    circumstances(report),
    '',
    `| ${heads.join(' | ')} |`,
    `|${heads.map((_, at) => (rightAligned.includes(at) ? '---:' : '---')).join('|')}|`,
    ...report.attacks.map(
      (result) =>
        `| ${rowOf(result, `**${result.name}**: ${result.what.replaceAll('<', '&lt;')}`).join(' | ')} |`,
    ),
    end,
  ].join('\n')

/** @throws when the page has no place for it */
export const withSection = (page: string, report: Report) => {
  if (!place.test(page)) throw new Error(`docs/attacks.md has no ${begin} … ${end}`)
  return page.replace(place, () => sectionOf(report))
}

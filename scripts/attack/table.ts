import { circumstances, inColumns } from '../measure/table.ts'
import { isGood, type Report, type Result } from './results.ts'

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
export const tableText = (results: readonly Result[]) =>
  inColumns([heads, ...results.map((result) => rowOf(result, result.name))], rightAligned).join('\n')

/** The section of docs/attacks.md: what was measured, on which machine, with which versions. */
export const sectionOf = (report: Report) => {
  const { isShort, attacks } = report
  const good = attacks.filter(isGood).length
  return [
    `${circumstances(report)}, ${isShort ? 'the short run' : 'the whole run'}. ${good} of ${attacks.length} attacks stay within their limits.`,
    '',
    `| ${heads.join(' | ')} |`,
    `|${heads.map((_, at) => (rightAligned.includes(at) ? '---:' : '---')).join('|')}|`,
    ...attacks.map(
      (result) =>
        `| ${rowOf(result, `**${result.name}**: ${result.what.replaceAll('<', '&lt;')}`).join(' | ')} |`,
    ),
  ].join('\n')
}

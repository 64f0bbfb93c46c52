// `npm run attack:report -- FILE`: writes the table of docs/attacks.md from what `npm run attack -- --json` wrote, and keeps
// that as docs/attacks.json.
import { circumstances, type Facts, inColumns, withSection, writeReport } from '../measure/report.ts'
import type { Attack, Limits, Seen } from './attack.ts'

/** What one round showed, stall and memory among the figures. */
export type Round = Seen & {
  /** Longest answer while the server rested, before the attack: what the machine alone makes of it. */
  quietMs: number
}

export type Result = Pick<Attack, 'name' | 'what' | 'senders'> & {
  limits: Limits
  /** Each figure's lowest value of all rounds. */
  best: Readonly<Record<string, number>>
  /** `ok`, or what is over its limit or wrong. */
  verdict: string
  rounds: readonly Round[]
}

/** Everything of one run, as `--json` writes it. */
export type Report = Facts & { isShort: boolean; attacks: readonly Result[] }

export const isGood = ({ verdict }: Pick<Result, 'verdict'>) => verdict === 'ok'

/**
 * A limit is exceeded when it is exceeded in every round: a busy machine makes a figure worse, but never better. What is
 * wrong in one round is wrong.
 */
export const judge = ({ name, what, senders, limits }: Attack, rounds: readonly Round[]): Result => {
  const names = [...new Set(rounds.flatMap(({ figures }) => Object.keys(figures)))]
  const best = Object.fromEntries(
    names.map((figure) => [figure, Math.min(...rounds.map(({ figures }) => figures[figure] ?? Infinity))]),
  )
  const over = Object.keys(limits).filter((figure) => !((best[figure] ?? Infinity) <= (limits[figure] ?? 0)))
  const wrong = [...new Set(rounds.flatMap((round) => round.wrong))]
  const parts = [...(over.length ? [`over: ${over.join(', ')}`] : []), ...wrong]
  return { name, what, senders, limits, best, verdict: parts.join('; ') || 'ok', rounds }
}

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

/** The cells of one row. @param label its name, or what it does */
export const rowOf = (result: Result, label: string) => {
  const { senders, best, limits, rounds, verdict } = result
  const others = new Set([...Object.keys(best), ...Object.keys(limits)]).difference(new Set(heads))
  const answers = Object.entries(rounds.at(-1)?.answers ?? {})
  return [
    label,
    String(senders),
    againstLimit(result, 'stall ms'),
    rounded(Math.min(...rounds.map(({ quietMs }) => quietMs))),
    againstLimit(result, 'growth MB'),
    [...others].map((figure) => `${figure} ${againstLimit(result, figure)}`).join(', '),
    answers.map(([status, times]) => `${times} × ${status}`).join(', '),
    verdict,
  ]
}

/** The table for a terminal. */
export const tableText = (results: readonly Result[]) =>
  inColumns([heads, ...results.map((result) => rowOf(result, result.name))], rightAligned)

/** The section of docs/attacks.md: what was measured, on which machine, with which versions. */
export const sectionOf = (report: Report) => {
  const { isShort, attacks } = report
  const good = attacks.filter(isGood).length
  const labelled = attacks.map((one) => rowOf(one, `**${one.name}**: ${one.what.replaceAll('<', '&lt;')}`))
  return [
    `${circumstances(report)}, ${isShort ? 'the short run' : 'the whole run'}. ${good} of ${attacks.length} attacks stay within their limits.`,
    '',
    `| ${heads.join(' | ')} |`,
    `|${heads.map((_, at) => (rightAligned.includes(at) ? '---:' : '---')).join('|')}|`,
    ...labelled.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')
}

if (import.meta.main)
  writeReport('attack', (json) => ({
    'docs/attacks.md': withSection('docs/attacks.md', 'attacks', sectionOf(JSON.parse(json))),
    'docs/attacks.json': json,
  }))

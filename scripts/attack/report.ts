// `npm run attack:report -- FILE`: writes the tables of docs/attacks.md and docs/attack-list.md from the output of
// `npm run attack -- --json`, and stores that as docs/attacks.json.
import {
  circumstances,
  type Facts,
  inColumns,
  sentences,
  tableRows,
  withSection,
  writeReport,
} from '../measure/report.ts'
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

const documentHeads = ['attack', 'stall ms', 'quiet', 'growth MB', 'answer MB', 'answered', 'verdict']

const documentCells = (result: Result) => {
  const [, , stall = '', quiet = '', growth = '', , answered = '', verdict = ''] = rowOf(result, '')
  const answer = 'answer MB' in { ...result.best, ...result.limits } ? againstLimit(result, 'answer MB') : ''
  return [`**${result.name}**`, stall, quiet, growth, answer, answered, verdict]
}

/** What only some attacks have. */
const furtherCells = (result: Result) =>
  Object.keys({ ...result.best, ...result.limits })
    .filter((figure) => !documentHeads.includes(figure))
    .map((figure) => [result.name, figure, againstLimit(result, figure)])

/** The section of docs/attacks.md: what was measured, on which machine, with which versions. */
export const sectionOf = (report: Report) => {
  const { isShort, attacks } = report
  const good = attacks.filter(isGood).length
  return [
    ...sentences(`${circumstances(report)}, ${isShort ? 'the short run' : 'the whole run'}.`),
    `${good} of ${attacks.length} attacks stay within their limits.`,
    '',
    ...tableRows([documentHeads]),
    '|---|---:|---:|---:|---:|---|---|',
    ...tableRows(attacks.map(documentCells)),
    '',
    'Figures that only some attacks have:',
    '',
    ...tableRows([['attack of these', 'figure', 'value']]),
    '|---|---|---:|',
    ...tableRows(attacks.flatMap(furtherCells)),
  ].join('\n')
}

/** The section of docs/attack-list.md: what each attack sends, its sizes together. */
export const whatOf = ({ attacks }: Report) => {
  const lines = attacks.map(({ name, what }) => ({ name: name.split('/')[0] ?? '', what }))
  return [...Map.groupBy(lines, ({ name }) => name)]
    .flatMap(([name, same]) => sentences(`- \`${name}\`: ${same[0]?.what.replaceAll('<', '&lt;')}`, '  '))
    .join('\n')
}

if (import.meta.main)
  writeReport('attack', (json) => {
    const report: Report = JSON.parse(json)
    return {
      'docs/attacks.md': withSection('docs/attacks.md', 'attacks', sectionOf(report)),
      'docs/attack-list.md': withSection('docs/attack-list.md', 'attacks', whatOf(report)),
      'docs/attacks.json': json,
    }
  })

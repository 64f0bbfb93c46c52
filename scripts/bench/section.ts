import { circumstances } from '../measure/table.ts'
import { type Report, type Result, sideText } from './results.ts'

const row = ({ ratio, target, isReached, what, product, baseline }: Result) =>
  [
    `**${ratio.median.toFixed(2)}** (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`,
    isReached ? target : `${target}: missed`,
    what,
    sideText(product),
    `${sideText(baseline)}, ${baseline.name}`,
  ].join(' | ')

/** README's section: what was measured, on which machine, with which versions. */
export const sectionOf = (report: Report) => {
  const { versions, seconds, rounds, figures } = report
  const reached = figures.filter(({ isReached }) => isReached).length
  return [
    `${circumstances(report)}, wrk ${versions.wrk}. The ratio is the median of ${rounds} rounds of ${seconds} s, with the lowest and the highest; ${reached} of ${figures.length} targets are reached.`,
    '',
    '![Each ratio against its target](docs/performance.svg)',
    '',
    '| ratio | target | what | product | baseline |',
    '|---|---|---|---|---|',
    ...figures.map((result) => `| ${row(result)} |`),
  ].join('\n')
}

import type { Report, Result } from './results.ts'
import { sideText } from './table.ts'

const begin = '<!-- performance -->'
const end = '<!-- /performance -->'
const place = new RegExp(`${begin}[\\s\\S]*?${end}`)

const fixed = (value: number) => value.toFixed(2)

const row = ({ ratio, target, isReached, what, product, limit }: Result) =>
  [
    `**${fixed(ratio.median)}** (${fixed(ratio.min)}–${fixed(ratio.max)})`,
    isReached ? target || '–' : `${target}: missed`,
    what,
    sideText(product),
    `${sideText(limit)}, ${limit.name}`,
  ].join(' | ')

const gibibytes = (bytes: number) => `${Math.round(bytes / 1024 ** 3)} GiB`

/** What was measured, on which machine, with which versions. */
const circumstances = ({ date, machine, versions, seconds, rounds, figures }: Report) => {
  const judged = figures.filter(({ target }) => target !== '')
  const reached = judged.filter(({ isReached }) => isReached)
  return `Measured on ${date.slice(0, 10)} on ${machine.cores} cores of ${machine.cpu}, ${gibibytes(machine.memoryBytes)}, Linux ${machine.kernel}: Shortcrust ${versions.shortcrust} (${versions.commit}), Bun ${versions.bun}, wrk ${versions.wrk}, nginx ${versions.nginx}. The ratio is the median of ${rounds} rounds of ${seconds} s, with the lowest and the highest; ${reached.length} of ${judged.length} targets are reached; rows without one explain others.`
}

/** The text between the markers, markers included. */
export const sectionOf = (report: Report) =>
  [
    begin,
    circumstances(report),
    '',
    '![Each ratio against its target](docs/performance.svg)',
    '',
    '| ratio | target | what | product | limit |',
    '|---|---|---|---|---|',
    ...report.figures.map((result) => `| ${row(result)} |`),
    end,
  ].join('\n')

/** @throws when the README has no place for it */
export const withSection = (readme: string, report: Report) => {
  if (!place.test(readme)) throw new Error(`README.md has no ${begin} … ${end}`)
  return readme.replace(place, () => sectionOf(report))
}

// `npm run bench:report -- FILE`: writes README's figures, the table of docs/benchmarks.md and docs/performance.svg from the
// output of `npm run bench -- --json`, and stores that as docs/performance.json. With `--peers` in it, docs/peers.md and .json.
import { circumstances, sentences, tableRows, withSection, writeReport } from '../measure/report.ts'
import { type PeerReport, peerSectionOf } from './peer-report.ts'
import { type Report, type Result, sideText } from './results.ts'

/** The figures that README shows. */
const headlines: readonly string[] = ['link-hot', 'page-4k-gzip', 'create-paste', 'full/start', 'memory-idle']

const outcome = (isReached: boolean, text: string) => (isReached ? text : `${text}: missed`)
const against = ({ baseline }: Result) => `${sideText(baseline)}, ${baseline.name}`

const headlineCells = (result: Result) => {
  const { ratio, isReached, what, product } = result
  return [what, sideText(product), against(result), `**${outcome(isReached, ratio.median.toFixed(2))}**`]
}

const cells = (result: Result) => {
  const { name, ratio, target, isReached, product } = result
  return [
    `**${ratio.median.toFixed(2)}** (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`,
    outcome(isReached, target),
    `\`${name}\``,
    sideText(product),
    against(result),
  ]
}

/** README's section: the figures that matter most. */
export const headlinesOf = ({ figures }: Report) =>
  [
    '![Each ratio against its target](docs/performance.svg)',
    '',
    '| what | Shortcrust | against | ratio |',
    '|---|---|---|---|',
    ...tableRows(
      headlines.flatMap((name) => figures.filter((figure) => figure.name === name)).map(headlineCells),
    ),
  ].join('\n')

/** The section of docs/benchmarks.md: every figure, on which machine, with which versions. */
export const sectionOf = (report: Report) => {
  const { versions, seconds, rounds, figures } = report
  const reached = figures.filter(({ isReached }) => isReached).length
  return [
    ...sentences(`${circumstances(report)}, wrk ${versions.wrk}.`),
    `The ratio is the median of ${rounds} rounds of ${seconds} s, with the lowest and the highest.`,
    `${reached} of ${figures.length} targets are reached.`,
    '',
    '| ratio | target | figure | Shortcrust | against |',
    '|---|---|---|---|---|',
    ...tableRows(figures.map(cells)),
  ].join('\n')
}

/** Pixels: the height of a row, where bars begin, where the target of each lies, and where they end at the latest. */
const [row, start, line, end] = [22, 200, 400, 600]

const style = `
  text { font: 12px ui-monospace, monospace; fill: #1f2328 } .reached { fill: #1a7f37 } .missed { fill: #bc4c00 }
  .target, .range { stroke: #1f2328 } .target { stroke-width: 1.5; stroke-dasharray: 4 3 } .range { opacity: .6 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .target, .range { stroke: #e6edf3 } .reached { fill: #3fb950 } .missed { fill: #db6d28 }
  }`

const barOf = ({ name, ratio, isReached, target }: Result, at: number) => {
  const y = at * row
  const unit = (line - start) / Number(target.split(' ').at(-1))
  const x = (value: number) => Math.min(end, start + value * unit).toFixed(1)
  const range = `x1="${x(ratio.min)}" x2="${x(ratio.max)}" y1="${y + row / 2}" y2="${y + row / 2}"`
  return `<text x="${start - 10}" y="${y + 15}" text-anchor="end">${Bun.escapeHTML(name)}</text>
<rect class="${isReached ? 'reached' : 'missed'}" x="${start}" y="${y + 4}" width="${Number(x(ratio.median)) - start}" height="${row - 8}" rx="2"/>
<line class="range" ${range}/>
<text x="${end + 12}" y="${y + 15}">${ratio.median.toFixed(2)}, ${target}${isReached ? '' : ': missed'}</text>`
}

/** An SVG picture in the colours of the reader's theme: a bar for each ratio, the targets of all on one dashed line. */
export const chartOf = ({ figures }: Report) => {
  const height = figures.length * row
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 ${height}" role="img" aria-label="Each ratio against its target">
<style>${style}</style>
${figures.map(barOf).join('\n')}
<line class="target" x1="${line}" x2="${line}" y1="0" y2="${height}"/>
</svg>
`
}

if (import.meta.main)
  writeReport('bench', (json) => {
    const report: Report | PeerReport = JSON.parse(json)
    const peers = () => withSection('docs/peers.md', 'peers', peerSectionOf(report as PeerReport))
    if ('servers' in report) return { 'docs/peers.md': peers(), 'docs/peers.json': json }
    return {
      'README.md': withSection('README.md', 'performance', headlinesOf(report)),
      'docs/benchmarks.md': withSection('docs/benchmarks.md', 'performance', sectionOf(report)),
      'docs/performance.svg': chartOf(report),
      'docs/performance.json': json,
    }
  })

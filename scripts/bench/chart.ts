import type { Report, Result } from './results.ts'

const rowHeight = 22
const width = 820
const labelEnd = 190
const barStart = 200
/** Where the target of every row lies; a bar ends at twice that. */
const targetAt = 400
const barEnd = 600
const textStart = 612

const style = `
  text { font: 12px ui-monospace, monospace; fill: #1f2328 }
  .head { font: bold 13px system-ui, sans-serif }
  .reached { fill: #1a7f37 } .missed { fill: #bc4c00 }
  .target { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 4 3 }
  .range { stroke: #1f2328; stroke-width: 1; opacity: .6 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .target, .range { stroke: #e6edf3 }
    .reached { fill: #3fb950 } .missed { fill: #db6d28 }
  }`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const targetOf = ({ target }: Result) => Number(target.split(' ').at(-1))
const isHigherBetter = ({ target }: Result) => target.startsWith('at least')

const barRow = (result: Result, y: number) => {
  const { name, ratio, isReached, target } = result
  const x = (value: number) =>
    Math.min(barEnd, barStart + (value / targetOf(result)) * (targetAt - barStart)).toFixed(1)
  const middle = y + rowHeight / 2
  const length = (Number(x(ratio.median)) - barStart).toFixed(1)
  return [
    `<text x="${labelEnd}" y="${middle + 4}" text-anchor="end">${escaped(name)}</text>`,
    `<rect class="${isReached ? 'reached' : 'missed'}" x="${barStart}" y="${y + 4}" width="${length}" height="${rowHeight - 8}" rx="2"/>`,
    `<line class="range" x1="${x(ratio.min)}" x2="${x(ratio.max)}" y1="${middle}" y2="${middle}"/>`,
    `<text x="${textStart}" y="${middle + 4}">${ratio.median.toFixed(2)}, ${target}${isReached ? '' : ': missed'}</text>`,
  ].join('\n')
}

const group = (title: string, results: readonly Result[], y: number) => {
  const top = y + rowHeight
  const bottom = top + results.length * rowHeight
  return [
    `<text class="head" x="${barStart}" y="${y + 15}">${title}</text>`,
    ...results.map((result, at) => barRow(result, top + at * rowHeight)),
    `<line class="target" x1="${targetAt}" x2="${targetAt}" y1="${top}" y2="${bottom}"/>`,
  ].join('\n')
}

/** An SVG picture: a bar for each ratio, all targets on one line, in the colours of the reader's theme. */
export const chartOf = ({ figures }: Report) => {
  const fast = figures.filter(isHigherBetter)
  const slim = figures.filter((result) => !isHigherBetter(result))
  const second = (fast.length + 1.5) * rowHeight
  const height = second + (slim.length + 1.5) * rowHeight
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Each ratio against its target">`,
    `<style>${style}\n</style>`,
    group('Speed: the bar should reach the dashed line', fast, 0),
    group('Time and memory: the bar should end before it', slim, second),
    '</svg>',
  ].join('\n')}\n`
}

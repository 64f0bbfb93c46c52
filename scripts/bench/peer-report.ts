import { circumstances, sentences, tableRows } from '../measure/report.ts'
import { median, type Report } from './results.ts'

/** The unit of each figure, in the order of the table. */
const units = {
  ...{ redirect: 'req/s', raw: 'req/s', page: 'req/s', 'create-link': 'req/s', 'create-paste': 'req/s' },
  ...{
    start: 'ms',
    'memory-idle': 'MB',
    'memory-used': 'MB',
    'private-idle': 'MB',
    'private-used': 'MB',
    size: 'MB',
  },
}

/** How the fault begins of a server that was right before. */
export const stopped = 'stopped answering'
/** What was measured of one figure. `faults` says why a round has no value. */
export type Measured = { values: number[]; errors: number; faults: string[] }
type Figures = Record<string, Measured | undefined>
export type MeasuredPeer = { name: string; version: string; isDurable: boolean; figures: Figures }

/** Everything of one run, as `--json` writes it; ours is the first. */
export type PeerReport = Omit<Report, 'figures'> & { servers: readonly MeasuredPeer[] }

const isWhole = ({ values, errors, faults }: Measured) => values.length > 0 && errors + faults.length === 0

/** `–` is what a server does not have; `*` is explained below. Without errors, speed counts until the server stopped. */
const cellOf = (measured: Measured | undefined, best: number) => {
  if (!measured) return '–'
  const { values, errors, faults } = measured
  const isStopped = faults.some((fault) => fault.startsWith(stopped))
  if (values.length === 0 || (isStopped && errors > 0)) return isStopped ? 'stopped*' : 'failed*'
  const value = median(values)
  const digits = value < 1000 ? 1 : 0
  const text = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
  if (!isWhole(measured)) return `${text}*`
  return value === best ? `**${text}**` : text
}

/** More requests are better, and less of the rest. The best is bold, also where it is not ours; never one with errors. */
const rowOf = (servers: readonly MeasuredPeer[], figure: string, unit: string) => {
  const all = servers.map(({ figures }) => figures[figure])
  const values = all.flatMap((one) => (one && isWhole(one) ? median(one.values) : []))
  const best = unit === 'req/s' ? Math.max(...values) : Math.min(...values)
  return [`${figure}, ${unit}`, ...all.map((measured) => cellOf(measured, best))]
}

const explain = ({ name, figures }: MeasuredPeer) =>
  Object.entries(figures).flatMap(([figure, measured]) => {
    if (!measured || isWhole(measured)) return []
    const { errors, faults } = measured
    const reasons = faults.slice(0, 1).map((fault) => `${faults.length} × ${fault}`)
    const counted = errors > 0 ? [`${errors.toLocaleString('en')} errors`] : []
    return sentences(`- \\* ${name}, \`${figure}\`: ${[...reasons, ...counted].join('; ')}.`, '  ')
  })

/** In Markdown, also for a terminal. */
export const peerTable = (servers: readonly MeasuredPeer[]) => {
  const rows = [
    ['', ...servers.map(({ name }) => name)],
    ['---', ...servers.map(() => '--:')],
    ...Object.entries(units)
      .filter(([name]) => servers.some(({ figures }) => figures[name]))
      .map(([name, unit]) => rowOf(servers, name, unit)),
    ['synced first', ...servers.map(({ isDurable }) => (isDurable ? 'yes' : 'no'))],
    ['version', ...servers.map(({ version }) => version)],
  ]
  return [...tableRows(rows), '', ...servers.flatMap(explain)].join('\n').trim()
}

/** The section of docs/peers.md. */
export const peerSectionOf = ({ rounds, seconds, servers, ...report }: PeerReport) => {
  const lines = sentences(`${circumstances(report)}, wrk ${report.versions.wrk}.`)
  const speeds = `Each speed is the median of ${rounds} rounds of ${seconds} s. The best of a row is bold.`
  return [...lines, speeds, '', peerTable(servers)].join('\n')
}

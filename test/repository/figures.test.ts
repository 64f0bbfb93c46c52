import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { type PeerReport, peerSectionOf } from '../../scripts/bench/peer-report.ts'
import { chartOf, headlinesOf, sectionOf } from '../../scripts/bench/report.ts'
import type { Report } from '../../scripts/bench/results.ts'
import { withSection } from '../../scripts/measure/report.ts'
import { repository } from '../support/process.ts'

const read = (path: string) => Bun.file(join(repository, path)).text()
const performance = JSON.parse(await read('docs/performance.json')) as Report
const peers = JSON.parse(await read('docs/peers.json')) as PeerReport

test('the sections and the chart of figures are what the reports make of the JSON in docs/', async () => {
  const made = {
    'README.md': withSection('README.md', 'performance', headlinesOf(performance)),
    'docs/benchmarks.md': withSection('docs/benchmarks.md', 'performance', sectionOf(performance)),
    'docs/performance.svg': chartOf(performance),
    'docs/peers.md': withSection('docs/peers.md', 'peers', peerSectionOf(peers)),
  }
  for (const [path, text] of Object.entries(made)) expect(text, path).toBe(await read(path))
})

test('README.md marks a figure that misses its target', () => {
  const figures = performance.figures.map((figure) => ({ ...figure, isReached: false }))
  const rows = headlinesOf({ ...performance, figures })
    .split('\n')
    .filter((line) => line.includes('| **'))
  expect(rows).toHaveLength(5)
  for (const row of rows) expect(row).toContain('missed')
})

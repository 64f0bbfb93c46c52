import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { chartOf, headlinesOf, sectionOf } from '../../scripts/bench/report.ts'
import type { Report } from '../../scripts/bench/results.ts'
import { withSection } from '../../scripts/measure/report.ts'
import { repository } from '../support/process.ts'

const read = (path: string) => Bun.file(join(repository, path)).text()
const report = JSON.parse(await read('docs/performance.json')) as Report
const readme = await read('README.md')
const benchmarks = await read('docs/benchmarks.md')

const tags = (svg: string) => [...svg.matchAll(/<(\w+)/g)].map(([, name]) => name)

const rowsOf = (section: string) => section.split('\n').filter((line) => line.includes('| **'))

describe("README's section on performance", () => {
  test('is what the report makes of docs/performance.json', () => {
    expect(withSection('README.md', 'performance', headlinesOf(report))).toBe(readme)
  })

  test('has five figures and the chart, a missed figure marked', () => {
    const rows = rowsOf(headlinesOf(report))
    expect(rows).toHaveLength(5)
    for (const row of rows) {
      const figure = report.figures.find(({ what }) => row.startsWith(`| ${what} |`))
      expect(row.includes('missed')).toBe(figure?.isReached === false)
    }
    expect(headlinesOf(report)).toContain('docs/performance.svg')
    const figures = report.figures.map((figure) => ({ ...figure, isReached: false }))
    for (const row of rowsOf(headlinesOf({ ...report, figures }))) expect(row).toContain('missed')
  })
})

describe('the table of docs/benchmarks.md', () => {
  test('is what the report makes of docs/performance.json', () => {
    expect(withSection('docs/benchmarks.md', 'performance', sectionOf(report))).toBe(benchmarks)
  })

  test('has a row for each figure, the missed ones marked', () => {
    const rows = rowsOf(sectionOf(report))
    expect(rows).toHaveLength(report.figures.length)
    report.figures.forEach((figure, at) => {
      expect(rows[at]).toContain(`\`${figure.name}\``)
      expect(rows[at]?.includes('missed')).toBe(!figure.isReached)
    })
  })

  test('states machine, date and versions', () => {
    const section = sectionOf(report)
    const { bun, wrk, commit } = report.versions
    for (const fact of [
      report.date.slice(0, 10),
      report.machine.cpu,
      report.machine.kernel,
      bun,
      wrk,
      commit,
    ])
      expect(section).toContain(fact)
  })

  test('is not put into a text without a place for it', () => {
    expect(() => withSection('README.md', 'performance', sectionOf(report), '# Nothing')).toThrow(
      'README.md has no <!-- performance -->',
    )
  })
})

describe('the chart', () => {
  test('is what the report makes of docs/performance.json', async () => {
    expect(chartOf(report)).toBe(await read('docs/performance.svg'))
  })

  test('has a bar for each figure and one line for all targets', () => {
    const svg = chartOf(report)
    expect(tags(svg).filter((name) => name === 'rect')).toHaveLength(report.figures.length)
    expect(svg.match(/class="target"/g)).toHaveLength(1)
  })

  test('ends a bar at the line when the target is met exactly, and at twice the target at most', () => {
    const [first] = report.figures
    if (!first) throw new Error('there is no figure')
    const barAt = (ratio: number) => {
      const figure = { ...first, target: 'at least 0.50', ratio: { median: ratio, min: ratio, max: ratio } }
      const svg = chartOf({ ...report, figures: [figure] })
      const [, x, width] = /<rect [^>]*x="(\d+)"[^>]*width="([\d.]+)"/.exec(svg) ?? []
      return Number(x) + Number(width)
    }
    const line = Number(/class="target" x1="(\d+)"/.exec(chartOf(report))?.[1])
    expect(barAt(0.5)).toBe(line)
    expect(barAt(1)).toBe(barAt(30))
  })

  test('writes names as text, whatever they hold', () => {
    const figures = report.figures.map((figure) => ({ ...figure, name: '<b>&' }))
    expect(chartOf({ ...report, figures })).toContain('>&lt;b&gt;&amp;</text>')
  })
})

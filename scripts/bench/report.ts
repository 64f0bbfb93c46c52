// `npm run bench:report -- FILE`: writes README's section and docs/performance.svg from what `npm run bench -- --json`
// wrote, and keeps that as docs/performance.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartOf } from './chart.ts'
import type { Report } from './results.ts'
import { withSection } from './section.ts'

const [file, ...more] = process.argv.slice(2)
if (file === undefined || more.length) {
  console.error('usage: npm run bench:report -- FILE.json')
  process.exit(2)
}

const repository = join(import.meta.dir, '../..')
const inRepository = (path: string) => join(repository, path)

try {
  const json = readFileSync(file, 'utf8')
  const report = JSON.parse(json) as Report
  const readme = withSection(readFileSync(inRepository('README.md'), 'utf8'), report)
  const chart = chartOf(report)
  writeFileSync(inRepository('README.md'), readme)
  writeFileSync(inRepository('docs/performance.svg'), chart)
  writeFileSync(inRepository('docs/performance.json'), json)
} catch (error) {
  console.error(`bench:report: ${file}: ${(error as Error).message}`)
  process.exit(1)
}

// `npm run bench:report -- FILE`: writes README's section and docs/performance.svg from what `npm run bench -- --json`
// wrote, and keeps that as docs/performance.json.
import { read, withSection, writeReport } from '../measure/section.ts'
import { chartOf } from './chart.ts'
import { sectionOf } from './section.ts'

writeReport('bench', (json) => {
  const report = JSON.parse(json)
  return {
    'README.md': withSection('README.md', read('README.md'), 'performance', sectionOf(report)),
    'docs/performance.svg': chartOf(report),
    'docs/performance.json': json,
  }
})

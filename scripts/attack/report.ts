// `npm run attack:report -- FILE`: writes the table of docs/attacks.md from what `npm run attack -- --json` wrote, and keeps
// that as docs/attacks.json.
import { read, withSection, writeReport } from '../measure/section.ts'
import { sectionOf } from './table.ts'

const page = 'docs/attacks.md'
writeReport('attack', (json) => ({
  [page]: withSection(page, read(page), 'attacks', sectionOf(JSON.parse(json))),
  'docs/attacks.json': json,
}))

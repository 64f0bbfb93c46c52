// `npm run attack:report -- FILE`: writes the table of docs/attacks.md from what `npm run attack -- --json` wrote, and keeps
// that as docs/attacks.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Report } from './results.ts'
import { withSection } from './table.ts'

const [file, ...more] = process.argv.slice(2)
if (file === undefined || more.length) {
  console.error('usage: npm run attack:report -- FILE.json')
  process.exit(2)
}

const docs = join(import.meta.dir, '../../docs')
try {
  const json = readFileSync(file, 'utf8')
  const page = withSection(readFileSync(join(docs, 'attacks.md'), 'utf8'), JSON.parse(json) as Report)
  writeFileSync(join(docs, 'attacks.md'), page)
  writeFileSync(join(docs, 'attacks.json'), json)
} catch (error) {
  console.error(`attack:report: ${file}: ${(error as Error).message}`)
  process.exit(1)
}

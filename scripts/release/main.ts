// Makes a release of the commit that is checked out: `npm run release -- [--out FOLDER] [--target NAME ...]`, by default
// every target into dist/release.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { complain, showProgress } from '../measure/options.ts'
import { makeRelease } from './make.ts'
import { commitDate } from './source.ts'
import { targets } from './targets.ts'

const { values } = parseArgs({
  options: { out: { type: 'string' }, target: { type: 'string', multiple: true } },
})
const folder = values.out ?? 'dist/release'
const names = values.target ?? targets.map(({ name }) => name)
const unknown = names.filter((name) => !targets.some((target) => target.name === name))
if (unknown.length) {
  console.error(
    `unknown target ${unknown.join(', ')}; there are ${targets.map(({ name }) => name).join(', ')}`,
  )
  process.exit(2)
}

try {
  const made = await makeRelease({
    targets: targets.filter(({ name }) => names.includes(name)),
    folder,
    workFolder: 'dist/work',
    madeAt: commitDate(process.cwd()),
    onStep: showProgress,
  })
  showProgress('')
  for (const { name, bytes } of made)
    console.log(`${(bytes / 1e6).toFixed(1).padStart(6)} MB  ${join(folder, name)}`)
} catch (error) {
  complain('release', (error as Error).message)
  process.exit(1)
}

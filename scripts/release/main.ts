// Makes a release of the commit that is checked out: `npm run release -- [--out FOLDER] [--target NAME ...]
// [--address URL] [--image NAME]`, by default every target into dist/release. The last two say where the release and its
// image will be published, for the files of deploy/.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { complain, showProgress } from '../measure/options.ts'
import { writeDeployFiles } from './deploy-files.ts'
import { commitDate, makeRelease } from './make.ts'
import { targets } from './targets.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    target: { type: 'string', multiple: true },
    address: { type: 'string' },
    image: { type: 'string' },
  },
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
  // Without an archive for each of their platforms, formula and packages would have no sums.
  if (!values.target) {
    const sums = new Map(made.map(({ name, sha256 }) => [name, sha256]))
    writeDeployFiles(folder, { sums, address: values.address?.replace(/\/+$/, ''), image: values.image })
  }
  showProgress('')
  for (const { name, bytes } of made)
    console.log(`${(bytes / 1e6).toFixed(1).padStart(6)} MB  ${join(folder, name)}`)
} catch (error) {
  complain('release', (error as Error).message)
  process.exit(1)
}

// `npm run look`: pictures of every page in every state, and one page to look through them. With `-- --docs`, those of
// docs/screenshots alone, which it replaces.
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { launchChromium, requireChromium } from '../../test/support/browser.ts'
import { repository } from '../../test/support/process.ts'
import { checkOptions, inLanes, isWanted, readOrComplain, showProgress } from '../measure/options.ts'
import { Album } from './album.tsx'
import { jobsOf, type Shot, shoot } from './camera.ts'
import { states } from './list.ts'
import { openTheatre } from './stage.ts'
import type { State } from './state.ts'

const folder = join(repository, 'dist/look')
/** Pages that are open at once: more wait for the processor. */
const tabs = 4

const takeAll = async (chosen: readonly State[]) => {
  const jobs = jobsOf(chosen)
  const shots: Shot[] = []
  const browser = await launchChromium()
  const theatre = await openTheatre(browser)
  await inLanes(jobs.entries(), tabs, async ([at, job]) => {
    shots[at] = await shoot(theatre, folder, job)
    showProgress(`${shots.filter(Boolean).length}/${jobs.length} ${job.state.name}`)
  })
  await theatre.close()
  await browser.close()
  showProgress('')
  return shots
}

/** Name of a picture in docs/screenshots → its state. */
const documented = {
  paste: 'paste/marked-range',
  log: 'paste/ansi',
  start: 'home/empty',
  created: 'home/created',
  preview: 'preview/new',
}

/** A state or a page, as in the index. */
const usage = '[--only NAME]... [--docs]'
const asked = readOrComplain('look', usage, () => {
  const { values } = parseArgs({
    options: { only: { type: 'string', multiple: true }, docs: { type: 'boolean' } },
  })
  const names = states.map(({ name }) => name)
  checkOptions('state', names, values)
  return { only: values.docs ? Object.values(documented) : (values.only ?? []), isForDocs: values.docs }
})
if (!asked) process.exit(2)
const chosen = states.filter(({ name }) => isWanted(name, asked.only))
if (!requireChromium()) process.exit(1)
const begin = performance.now()
for (const { name } of chosen) await rm(join(folder, 'pictures', name), { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const shots = await takeAll(chosen)
const pictures = shots.flatMap((shot) => shot.pictures)
const problems = shots.flatMap((shot) => shot.problems)
const index = join(folder, 'index.html')
await Bun.write(index, String(Album({ states: chosen, pictures, problems })))
if (asked.isForDocs)
  for (const [name, state] of Object.entries(documented))
    for (const theme of ['light', 'dark'])
      await copyFile(
        join(folder, `pictures/${state}/1280-${theme}.png`),
        join(repository, `docs/screenshots/${name}-${theme}.png`),
      )
for (const problem of problems) console.error(problem)
const seconds = Math.round((performance.now() - begin) / 1000)
console.log(`${pictures.length} pictures in ${seconds} s: open ${relative(process.cwd(), index)}`)
process.exit(problems.length === 0 ? 0 : 1)

// Makes docs/screenshots again, light and dark: `bun scripts/screenshots.ts`. Each is one that `npm run look` takes.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../test/support/process.ts'

/** Name of a picture → its state. */
const pictures = {
  paste: 'paste/marked-range',
  log: 'paste/ansi',
  start: 'home/empty',
  created: 'home/created',
  preview: 'preview/new',
}

const only = Object.values(pictures).flatMap((state) => ['--only', state])
const look = [process.execPath, join(import.meta.dir, 'look/main.ts'), ...only]
const { exitCode } = Bun.spawnSync(look, { stdio: ['ignore', 'inherit', 'inherit'] })
if (exitCode !== 0) process.exit(exitCode)
for (const [name, state] of Object.entries(pictures))
  for (const theme of ['light', 'dark'])
    copyFileSync(
      join(repository, `dist/look/pictures/${state}/1280-${theme}.png`),
      join(repository, `docs/screenshots/${name}-${theme}.png`),
    )

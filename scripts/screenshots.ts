// Makes the pictures of the README again: `bun scripts/screenshots.ts`. Each is one that `npm run look` takes.
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../test/support/process.ts'

/** Name of a picture → its state, and how it is shown. */
const pictures = {
  paste: 'paste/marked-range/1280-light',
  log: 'paste/ansi/1280-dark',
  start: 'home/empty/1280-light',
  created: 'home/created/1280-dark',
  preview: 'preview/new/1280-dark',
}

const only = Object.values(pictures).flatMap((path) => ['--only', path.split('/').slice(0, 2).join('/')])
const look = [process.execPath, join(import.meta.dir, 'look/main.ts'), ...only]
const { exitCode } = Bun.spawnSync(look, { stdio: ['ignore', 'inherit', 'inherit'] })
if (exitCode !== 0) process.exit(exitCode)
for (const [name, path] of Object.entries(pictures))
  copyFileSync(
    join(repository, `dist/look/pictures/${path}.png`),
    join(repository, `docs/screenshots/${name}.png`),
  )

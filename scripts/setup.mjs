// Fetches the pinned Bun and the frozen lock file when they are not there yet, on a machine with Node.js alone.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const stamp = 'node_modules/.shortcrust-setup'
const manifest = readFileSync('package.json')
const packer = 'scripts/pack-grammars.ts'
const wanted = ['bun.lock', packer]
  .reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256').update(manifest))
  .digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const { bun } = JSON.parse(manifest).devDependencies
  console.error(`setting up: Bun ${bun} and the packages of bun.lock`)
  const command = `npx --yes bun@${bun} install --frozen-lockfile`
  const inBun = process.versions.bun === bun
  const { status } = inBun
    ? spawnSync(process.execPath, ['install', '--frozen-lockfile'], { stdio: ['ignore', 2, 2] })
    : spawnSync(command, { shell: true, stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    console.error(`setting up failed: \`${command}\` ended with ${status}. Is the npm registry reachable?`)
    process.exit(1)
  }
  const bunFile = 'node_modules/.bin/bun'
  const packed = spawnSync(bunFile, [packer], {
    shell: process.platform === 'win32',
    stdio: ['ignore', 2, 2],
  })
  if (packed.status !== 0) process.exit(1)
  writeFileSync(stamp, wanted)
}

// Measures `shortcrust mirror`: `bun scripts/bench/mirror.ts [ITEMS]`, by default 100,000 pastes of 1 KB in a folder of
// their own, which is removed at the end. The first pass copies all of them, the others find them unchanged. After each pass,
// `find` asks for size and time of the same files in both folders: what the disk and the kernel take alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../test/support/process.ts'
import { writeManyPastes } from './many-pastes.ts'

const items = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'shortcrust-mirror-'))
const [data, copy] = [join(folder, 'data'), join(folder, 'copy')]
try {
  writeManyPastes(data, items, (at) => `${at} `.repeat(150))
  writeFileSync(join(data, 'shortcrust.json'), '{"product":"shortcrust","format":1}')
  for (const pass of ['copies all', 'unchanged', 'unchanged', 'unchanged']) {
    const began = performance.now()
    const { code, stderr } = await run(['mirror', data, copy])
    if (code !== 0) throw new Error(stderr)
    const seconds = (performance.now() - began) / 1000
    const walking = performance.now()
    Bun.spawnSync(['find', data, copy, '-type', 'f', '-printf', '%s %T@\n'], { stdout: 'ignore' })
    const walk = (performance.now() - walking) / 1000
    console.log(`${pass}: ${seconds.toFixed(2)} s, find ${walk.toFixed(2)} s: ${stderr.trim()}`)
  }
} finally {
  rmSync(folder, { recursive: true })
}

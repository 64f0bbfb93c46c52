import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isGone } from '../support/gone.ts'
import { follow, repository, temporaryFolder } from '../support/process.ts'

const script = `
  import { openRunFolder } from '${join(repository, 'test/support/run-folder.ts')}'
  const { path, remove } = openRunFolder()
  console.log(path)
  for await (const _ of Bun.stdin.stream()) {}
  await remove()
`

/** A test run in a folder for temporary files of its own. */
const startRun = async (temporary: string) => {
  const child = Bun.spawn([process.execPath, '-e', script], {
    env: { PATH: process.env.PATH, TMPDIR: temporary },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const [path] = await follow(child.stdout).waitFor(/^.+(?=\n)/)
  return { child, path }
}

test('the folder of a run is gone when the run has ended', async () => {
  const { child, path } = await startRun(temporaryFolder())
  mkdirSync(join(path, 'a/b'), { recursive: true })
  child.stdin.end()
  expect(await child.exited).toBe(0)
  expect(existsSync(path)).toBe(false)
})

test('the folder of a run goes away after kill -9', async () => {
  const { child, path } = await startRun(temporaryFolder())
  writeFileSync(join(path, 'file'), '')
  child.kill('SIGKILL')
  await isGone(path)
})

test('a run sweeps what an earlier one left, and leaves alone what another uses or did not make', async () => {
  const temporary = temporaryFolder()
  const other = await startRun(temporary)
  const left = join(temporary, 'shortcrust-run-left')
  const foreign = join(temporary, 'shortcrust-else')
  for (const folder of [left, foreign]) mkdirSync(join(folder, 'test-a'), { recursive: true })
  const next = await startRun(temporary)
  expect([left, foreign, other.path, next.path].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
  ])
  for (const { child } of [other, next]) {
    child.stdin.end()
    expect(await child.exited).toBe(0)
  }
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LockFile } from './lock-file.ts'
import type { Target } from './targets.ts'

const name = 'runtimes'

/**
 * Installs Bun for each target into a folder of its own, by the hashes of the lock file. `bun build --target` would
 * fetch them too, but checks no hash and does not ask the registry that is configured (oven-sh/bun#25713).
 * @returns where the runtime of a target lies
 * @throws {Error} with what Bun says, for example when a hash does not fit
 */
export const installRuntimes = async (lock: LockFile, targets: readonly Target[], folder: string) => {
  const wanted = lock.packages.filter(({ key }) => targets.some(({ runtime }) => runtime === key))
  const dependencies = Object.fromEntries(wanted.map(({ key, version }) => [key, version]))
  const packages = Object.fromEntries(wanted.map(({ key, entry }) => [key, entry]))
  const { lockfileVersion, configVersion } = lock
  const workspaces = { '': { name, dependencies } }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, dependencies }))
  writeFileSync(
    join(folder, 'bun.lock'),
    JSON.stringify({ lockfileVersion, configVersion, workspaces, packages }),
  )
  const child = Bun.spawn([process.execPath, 'install', '--frozen-lockfile', '--os', '*', '--cpu', '*'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const stderr = await new Response(child.stderr).text()
  if ((await child.exited) !== 0) throw new Error(`the runtimes were not installed\n${stderr}`)
  return ({ runtime, extension }: Target) => join(folder, 'node_modules', runtime, `bin/bun${extension}`)
}

import { cpus, release, totalmem } from 'node:os'
import { version } from '../../package.json' with { type: 'json' }
import { commitOf } from '../../src/cli/server/commit.ts'
import { repository } from '../../test/support/process.ts'

/** On what, of what and when something was measured. */
export const facts = () => ({
  date: new Date().toISOString(),
  machine: {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: release(),
  },
  versions: { shortcrust: version, commit: commitOf(repository), bun: Bun.version },
})
export type Facts = ReturnType<typeof facts>

/** The first version number a program says. */
export const versionOf = (...command: string[]) => {
  const { stdout, stderr } = Bun.spawnSync(command)
  return /\d+\.\d+[.\w]*/.exec(`${stdout}${stderr}`)?.[0] ?? 'unknown'
}

import { cpus, release, totalmem } from 'node:os'
import { version } from '../../package.json' with { type: 'json' }
import { repository } from '../../test/support/process.ts'
import { pathOf } from './requirements.ts'
import type { Report } from './results.ts'

const output = (command: readonly string[]) => {
  const { stdout, stderr } = Bun.spawnSync([...command], { cwd: repository })
  return `${stdout}${stderr}`
}

/** The first version number a program says. */
const versionIn = (text: string) => /\d+\.\d+[.\w]*/.exec(text)?.[0] ?? 'unknown'

/** Commit of this folder, with `-dirty` when it was changed since; `unknown` outside of git. */
export const commit = () => {
  const { exitCode, stdout } = Bun.spawnSync(['git', 'describe', '--always', '--dirty', '--exclude=*'], {
    cwd: repository,
  })
  return exitCode === 0 ? stdout.toString().trim() : 'unknown'
}

/** On what the figures were measured. */
export const machine = (): Report['machine'] => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryBytes: totalmem(),
  kernel: release(),
})

/** On what, and of what, the figures are. */
export const facts = (): Pick<Report, 'machine' | 'versions'> => ({
  machine: machine(),
  versions: {
    shortcrust: version,
    commit: commit(),
    bun: Bun.version,
    wrk: versionIn(output(['wrk', '-v'])),
    nginx: versionIn(output([pathOf('nginx') ?? 'nginx', '-v'])),
  },
})

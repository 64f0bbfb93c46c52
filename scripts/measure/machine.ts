import { cpus, release, totalmem } from 'node:os'
import { version } from '../../package.json' with { type: 'json' }
import { repository } from '../../test/support/process.ts'

const output = (command: readonly string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...command], { cwd: repository })
  return { exitCode, text: `${stdout}${stderr}`.trim() }
}

/** Commit of this folder, with `-dirty` when it was changed since; `unknown` outside of git. */
const commit = () => {
  const { exitCode, text } = output(['git', 'describe', '--always', '--dirty', '--exclude=*'])
  return exitCode === 0 ? text : 'unknown'
}

/** On what, of what and when something was measured. */
export const facts = () => ({
  date: new Date().toISOString(),
  machine: {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: release(),
  },
  versions: { shortcrust: version, commit: commit(), bun: Bun.version },
})
export type Facts = ReturnType<typeof facts>

/** The first version number a program says. */
export const versionOf = (...command: readonly string[]) =>
  /\d+\.\d+[.\w]*/.exec(output(command).text)?.[0] ?? 'unknown'

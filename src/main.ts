import { randomBytes } from 'node:crypto'
import { readFileSync, write } from 'node:fs'
import { homedir } from 'node:os'
import { isatty, type ReadStream } from 'node:tty'
import { exitCodeOf } from './cli/ending.ts'
import { createLines } from './cli/lines.ts'
import type { Terminal } from './cli/terminal.ts'
import { childCommand, spawnSelf } from './highlight/child/spawn.ts'
import { createIds } from './items/ids.ts'
import { createLogSink } from './log-sink.ts'
import { createOutput } from './output.ts'
import type { Environment } from './settings/sources.ts'

const output = createOutput({
  'standard output': (bytes, done) => write(1, bytes, done),
  'standard error': (bytes, done) => write(2, bytes, done),
})
const isWatched = isatty(2)
const lines = createLines(output, isWatched)

const readFile = (path: string) => readFileSync(path, 'utf8')

const terminal: Terminal = {
  ...lines,
  logSink: createLogSink(output),
  drained: () => output.flushed('standard error').catch(() => {}),
  giveUp: output.giveUp,
  isWatched,
  columns: (isatty(1) && process.stdout.columns) || undefined,
  stdin: () => process.stdin as ReadStream,
  readFile,
  env: process.env,
  home: homedir,
  platform: process.platform,
  stopSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
    }),
  spawnChild: spawnSelf(import.meta.path),
  ids: createIds(randomBytes),
  now: Date.now,
  monotonic: () => performance.now(),
}

const usageError = (problems: readonly string[]) => {
  for (const problem of problems) terminal.printError(`shortcrust: ${problem}`)
  return 2
}

const printHelp = async (name: string | undefined) => {
  const { commandHelp, help } = await import('./cli/help.ts')
  for (const line of (name === undefined ? help() : commandHelp(name)).split('\n')) terminal.print(line)
  return 0
}

// Imported here, so the highlighting child does not even parse it, which saves 4 MB.
const main = async (): Promise<number> => {
  const { readArguments } = await import('./cli/arguments.ts')
  const asked = readArguments(process.argv.slice(2))
  if (asked.what === 'nothing') return usageError([asked.problem])
  if (asked.what === 'help') return printHelp(asked.command)
  if (asked.what === 'version') {
    terminal.print((await import('./cli/version.ts')).versionLine())
    return 0
  }
  const { entry, words, flags } = asked
  if (entry.flags) return (await entry.load())(words, flags, terminal)
  const { readConfig } = await import('./settings/config.ts')
  const result = readConfig({ flags: flags as Environment, env: process.env, readFile })
  if ('problems' in result) return usageError(result.problems)
  return (await entry.load())(words, result.config, terminal, flags)
}

const [, , command, lane] = process.argv
if (command === childCommand)
  (await import('./highlight/child/child.ts')).runHighlightChild(lane === 'slow' ? 'slow' : 'quick')
else process.exit(await exitCodeOf(main(), output, lines))

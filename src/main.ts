import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { version } from '../package.json' with { type: 'json' }
import { commands, usageOf } from './commands/list.ts'
import type { Terminal } from './commands/terminal.ts'
import { readConfig, settings } from './config.ts'
import { AppError } from './errors.ts'
import { childCommand, spawnSelf } from './highlight/spawn.ts'
import { createIds } from './services/ids.ts'

/** Back to the start of the line and wipe it: what stands there is how far a work was. Nothing when piped. */
const wipeLine = process.stderr.isTTY ? '\r\x1b[K' : ''

const terminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${wipeLine}${line.replaceAll('\n', ' ')}\n`),
  writeError: (text) => process.stderr.write(text),
  progress: (text) => {
    if (wipeLine) process.stderr.write(wipeLine + text)
  },
  stopSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
    }),
  spawnChild: spawnSelf(import.meta.path),
  ids: createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
  now: Date.now,
  monotonic: () => performance.now(),
}

const usageError = (problems: readonly string[]) => {
  for (const problem of problems) terminal.printError(`shortcrust: ${problem}`)
  return 2
}

const flagOptions: Record<string, { type: 'string' }> = Object.fromEntries(
  Object.values(settings).flatMap(({ flag }) => (flag === undefined ? [] : [[flag, { type: 'string' }]])),
)

/** @throws {TypeError} of `parseArgs`, whose message names the flag */
const parseCommandLine = () =>
  parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: { ...flagOptions, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } },
  })

const main = async (): Promise<number> => {
  const { values, positionals } = parseCommandLine()
  const [name = 'serve', ...words] = positionals
  if (values.version) {
    terminal.print(`shortcrust ${version}`)
    return 0
  }
  if (values.help || name === 'help') {
    terminal.print((await import('./commands/help.ts')).help())
    return 0
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!entry) return usageError([`unknown command "${name}"; see shortcrust --help`])
  const [least, most] = entry.words
  if (words.length < least || words.length > most) return usageError([`usage: ${usageOf(name)}`])
  const flags = values as Record<string, string>
  const result = readConfig({ flags, env: process.env, readFile: (path) => readFileSync(path, 'utf8') })
  if ('problems' in result) return usageError(result.problems)
  const command = await entry.load()
  return command(words, result.config, terminal)
}

const exitCodeOf = (error: unknown) => {
  const { code, message } = error as { code?: string; message: string }
  if (code?.startsWith('ERR_PARSE_ARGS'))
    return usageError([`${message.split(/\.\s/)[0]}; see shortcrust --help`])
  if (!(error instanceof AppError)) throw error
  terminal.printError(`shortcrust: ${message}`)
  return 1
}

if (process.argv[2] === childCommand) (await import('./highlight/child.ts')).runHighlightChild()
else process.exit(await main().catch(exitCodeOf))

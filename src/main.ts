import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { version } from '../package.json' with { type: 'json' }
import type { Terminal } from './commands/terminal.ts'
import { type Config, readConfig, settings } from './config.ts'
import { childCommand, spawnSelf } from './highlight/spawn.ts'
import { createIds } from './services/ids.ts'

const terminal: Terminal = {
  print: (line) => process.stdout.write(`${line}\n`),
  printError: (line) => process.stderr.write(`${line}\n`),
  writeError: (text) => process.stderr.write(text),
  stopSignal: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal))
    }),
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

const withConfig = (flags: object, run: (config: Config) => Promise<number>) => {
  const readFile = (path: string) => readFileSync(path, 'utf8')
  const result = readConfig({ flags: flags as Record<string, string>, env: process.env, readFile })
  return 'problems' in result ? usageError(result.problems) : run(result.config)
}

const main = async (): Promise<number> => {
  const { values, positionals } = parseCommandLine()
  const [command = 'serve', ...words] = positionals
  if (values.version) {
    terminal.print(`shortcrust ${version}`)
    return 0
  }
  if (values.help || command === 'help') {
    terminal.print((await import('./commands/help.ts')).help())
    return 0
  }
  if (command === 'serve' && words.length === 0) {
    const { serve } = await import('./commands/serve.ts')
    return withConfig(values, (config) => serve(config, terminal, spawnSelf(import.meta.path)))
  }
  if (command === 'keys') {
    const { keys } = await import('./commands/keys.ts')
    return withConfig(values, ({ dataFolder }) => keys(words, dataFolder, terminal))
  }
  return usageError([`unknown command "${[command, ...words].join(' ')}"; see shortcrust --help`])
}

if (process.argv[2] === childCommand) (await import('./highlight/child.ts')).runHighlightChild()
else {
  try {
    process.exit(await main())
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    process.exit(usageError([`${message.split('. ')[0]}; see shortcrust --help`]))
  }
}

import { AppError } from '../errors.ts'
import { createKeys, type Keys } from '../services/keys.ts'
import { openKeyStore } from '../store/key-file.ts'
import type { Terminal } from './terminal.ts'

export const keysUsage = 'usage: shortcrust keys add NAME | keys list | keys revoke NAME   [--data FOLDER]'

type Action = (keys: Keys, name: string, terminal: Terminal) => Promise<void>

const add: Action = async (keys, name, { print, printError }) => {
  const key = await keys.add(name)
  printError(`API key "${name}", shown only this once:`)
  print(key)
}

const list: Action = async (keys, _, { print, printError }) => {
  const all = await keys.list()
  if (all.length === 0) printError('there are no keys; make one with: shortcrust keys add NAME')
  const width = Math.max(...all.map(({ name }) => name.length), 0)
  for (const { name, createdAt } of all) print(`${name.padEnd(width)}  ${new Date(createdAt).toISOString()}`)
}

const revoke: Action = async (keys, name, { printError }) => {
  await keys.revoke(name)
  printError(`API key "${name}" revoked`)
}

const actions: Readonly<Record<string, { run: Action; words: number }>> = {
  add: { run: add, words: 1 },
  list: { run: list, words: 0 },
  revoke: { run: revoke, words: 1 },
}

/** Makes, lists and revokes API keys, also while a server runs. @returns the exit code */
export const keys = async (
  words: readonly string[],
  dataFolder: string,
  terminal: Terminal,
): Promise<number> => {
  const [verb = '', ...rest] = words
  const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined
  if (!action || rest.length !== action.words) {
    terminal.printError(keysUsage)
    return 2
  }
  const service = createKeys({ store: openKeyStore(dataFolder), ids: terminal.ids, now: terminal.now })
  try {
    await action.run(service, rest[0] ?? '', terminal)
    return 0
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    terminal.printError(`shortcrust: ${error.message}`)
    return 1
  }
}

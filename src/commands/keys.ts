import { createKeys, type Keys } from '../services/keys.ts'
import { openKeyStore } from '../store/key-file.ts'
import { usageOf } from './list.ts'
import type { Command, Terminal } from './terminal.ts'

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

/** Makes, lists and revokes API keys, also while a server runs. */
export const keys: Command = async ([verb = '', ...rest], { dataFolder }, terminal) => {
  const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined
  if (!action || rest.length !== action.words) {
    terminal.printError(`usage: ${usageOf('keys')}`)
    return 2
  }
  const { ids, now } = terminal
  await action.run(createKeys({ store: openKeyStore(dataFolder), ids, now }), rest[0] ?? '', terminal)
  return 0
}

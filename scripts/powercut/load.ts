// `bun scripts/powercut/load.ts SEED DATA LEDGER STEPS`, run under strace: servers that are started, killed and stopped, with a
// load on each. The notes of the ledger are written to a file, so they appear in the trace between the calls of the server.
import { existsSync, openSync, writeSync } from 'node:fs'
import { createClient } from '../../test/support/client.ts'
import { cleanEnv, run, start, target, testKey } from '../../test/support/process.ts'
import { createRandom } from '../crash/random.ts'
import { createLedger, type Note } from './ledger.ts'
import { createLimitedLedger } from './limited.ts'
import {
  changeItem,
  createItem,
  deleteItem,
  type LoadParts,
  type Operation,
  operations,
  work,
} from './operations.ts'

/** What a client knows of an API key. */
export type KnownKey = { path: string; key: string; state: 'alive' | 'dying' | 'deleted' }

const [seed = '1', data = '', ledgerFile = '', steps = '120'] = process.argv.slice(2)
const random = createRandom(Number(seed))
const file = openSync(ledgerFile, 'a')
const note: Note = (kind, known) => writeSync(file, `${JSON.stringify([kind, known])}\n`)

const ledger = createLedger(note)
const limited = createLimitedLedger(note)
const keys: KnownKey[] = []
const connections = 6

const keyCommand = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(['keys', ...words, '--data', data])
  if (code !== 0) throw new Error(`keys ${words[0]} ended with ${code}: ${stderr}`)
  return stdout.trim()
}

const addKey = async () => {
  const path = `key-${keys.length}`
  const known: KnownKey = { path, key: '', state: 'alive' }
  keys.push(known)
  known.key = await keyCommand('add', path)
  note('key', known)
}

const revokeKey = async () => {
  const known = keys.find(({ key, state }) => key !== '' && state === 'alive')
  if (!known) return
  known.state = 'dying'
  note('key', known)
  await keyCommand('revoke', known.path)
  known.state = 'deleted'
  note('key', known)
}

/** What `kill -9` rounds do, and changes of keys, which are commands and take long. */
const table: readonly Operation[] = [...operations, { weight: 3, act: addKey }, { weight: 2, act: revokeKey }]

/** What happens too seldom to leave it to chance: keys, and the deletion of a paste that was changed. */
const certainly = async (parts: LoadParts) => {
  await addKey()
  await revokeKey()
  // The newest paste, without a name.
  const newest = { ...random, next: () => 0.99, pick: <T>(values: readonly T[]) => values.at(-1) as T }
  const ofNewest = { ...parts, random: newest }
  await createItem(ofNewest, false)
  await changeItem(ofNewest)
  await deleteItem(ofNewest)
}

/** A first start that is killed once it has made a file or folder: what it did not sync, nobody may count on later. */
const interruptedStart = async () => {
  const awaited = random.pick(['', '/tmp', '/lock', '/shortcrust.json', '/index.sqlite'])
  const server = Bun.spawn([...target, '--port', '0', '--data', data], {
    env: cleanEnv({ SHORTCRUST_API_KEY: testKey }),
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  while (!existsSync(data + awaited)) Bun.sleepSync(0.1)
  server.kill('SIGKILL')
  await server.exited
}

const session = async (end: 'kill' | 'stop') => {
  const server = await start({ data, args: ['--rate-limit', 'off', '--log', 'off'] })
  let left = Math.ceil(Number(steps) / 3)
  let isOver = false
  const { promise: isDone, resolve } = Promise.withResolvers<void>()
  // A kill comes during the load, a stop after it.
  const isEnough = () => {
    if (left-- <= 0) resolve()
    return isOver || (end === 'stop' && left < 0)
  }
  const parts = { client: createClient(server.url), url: server.url, ledger, limited, random }
  // One after the other, so each folder is made by itself, and nothing else syncs the one above it.
  for (const { act } of operations.slice(0, 2)) await act(parts)
  await certainly(parts)
  const workers = Array.from({ length: connections }, () => work(parts, isEnough, table))
  await isDone
  if (end === 'stop') await Promise.all(workers)
  isOver = true
  await (end === 'stop' ? server.stop() : server.kill())
  await Promise.all(workers)
}

if (import.meta.main) {
  await interruptedStart()
  for (const end of ['kill', 'stop', 'kill'] as const) await session(end)
  if (limited.problems.length) throw new Error(limited.problems.join('\n'))
  process.exit(0)
}

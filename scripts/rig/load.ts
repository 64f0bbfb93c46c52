// `bun scripts/rig/load.ts SEED DATA LEDGER STEPS`, run under strace: servers that are started, killed and stopped, with a
// load on each. Each step and its answer are written to a file, so they appear in the trace between the calls of the server.
import { existsSync, openSync, writeSync } from 'node:fs'
import { cleanEnv, run, start, target, testKey } from '../../test/support/process.ts'
import { createRandom } from '../measure/random.ts'
import { createModel } from './model.ts'
import { moods } from './operations.ts'
import { createRecorder, isCutOff, type Recorded } from './player.ts'

/** What a client knows of an API key. `dying`: its revocation was sent and not answered. */
export type KnownKey = { name: string; key: string; state: 'alive' | 'dying' | 'deleted' }

export type Event = Recorded | KnownKey

const [seed = '1', data = '', ledgerFile = '', steps = '120'] = process.argv.slice(2)
const random = createRandom(Number(seed))
const file = openSync(ledgerFile, 'a')
const note = (event: Event) => writeSync(file, `${JSON.stringify(event)}\n`)

const apiKeys = new Map([['environment', testKey]])
const keys: KnownKey[] = []
const connections = 6

const keyCommand = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(['keys', ...words, '--data', data])
  if (code !== 0) throw new Error(`keys ${words[0]} ended with ${code}: ${stderr}`)
  return stdout.trim()
}

const addKey = async () => {
  const known: KnownKey = { name: `key-${keys.length}`, key: '', state: 'alive' }
  keys.push(known)
  known.key = await keyCommand('add', known.name)
  note(known)
}

const revokeKey = async () => {
  const known = keys.find(({ key, state }) => key !== '' && state === 'alive')
  if (!known) return
  known.state = 'dying'
  note(known)
  await keyCommand('revoke', known.name)
  known.state = 'deleted'
  note(known)
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

const play = createRecorder(createModel(), Number(seed), note)

/**
 * What happens too seldom to leave it to chance, one after the other: each folder is made by itself, so nothing else syncs the one
 * above it, and a paste is deleted that was changed.
 */
const certainly = async (url: string) => {
  const [paste, link] = [0.3, 0.6]
  for (const luck of [paste, link]) await play(url, apiKeys, { create: 1 }, luck)
  await addKey()
  await revokeKey()
  for (const mood of [{ create: 1 }, { change: 1 }, { erase: 1 }]) await play(url, apiKeys, mood, paste)
}

/** Of a hundred operations, so many change keys: they are commands, and take long. */
const keyChance = 0.04

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
  const act = () => {
    if (random.next() >= keyChance) return play(server.url, apiKeys, moods.writing)
    return random.next() < 0.6 ? addKey() : revokeKey()
  }
  const work = async () => {
    while (!isEnough())
      await act().catch((error) => {
        if (!isOver || !isCutOff(error)) throw error
      })
  }
  await certainly(server.url)
  const workers = Promise.all(Array.from({ length: connections }, work))
  await Promise.race([isDone, workers])
  if (end === 'stop') await workers
  isOver = true
  await (end === 'stop' ? server.stop() : server.kill())
  await workers
}

if (import.meta.main) {
  await interruptedStart()
  for (const end of ['kill', 'stop', 'kill'] as const) await session(end)
  process.exit(0)
}

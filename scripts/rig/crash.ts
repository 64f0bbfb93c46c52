// `npm run crash -- --operations N --kills N [--seed S]`: many clients at once create, change, read, list, find and delete. The
// executable is killed with SIGKILL in between and started again. Every answer is held against a model in memory, and after
// each start the whole folder is. `npm run crash:postgres -- --restarts N …`: the same with two servers on one database. Clients
// go on while one of the servers is killed and started again, or the database is restarted at once.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  isFolder,
  type RunningServer,
  run,
  start,
  target,
  temporaryFolder,
  testKey,
} from '../../test/support/process.ts'
import { readOrComplain, showProgress, wholeNumber } from '../measure/options.ts'
import { createRandom } from '../measure/random.ts'
import { type Checked, checkAll, exhaust, leftIn, missingIn } from './check.ts'
import { createModel, type Item, lastOf, Wrong } from './model.ts'
import { type Mood, makeStep, moods, type Step } from './operations.ts'
import { begin, exchange, isCutOff, judge, noteUnanswered } from './player.ts'

const usage = '[--operations N] [--kills N] [--restarts N] [--seed S]'
const chosen = readOrComplain('crash', usage, () => {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { operations: text, kills: text, restarts: text, seed: text } })
  if (isFolder && values.restarts) throw new Error('--restarts is of a database: npm run crash:postgres')
  return {
    operations: wholeNumber('operations', values.operations, 2000, 1),
    kills: wholeNumber('kills', values.kills, 8, 1),
    restarts: wholeNumber('restarts', values.restarts, isFolder ? 0 : 4, 0),
    seed: wholeNumber('seed', values.seed, Date.now() % 1e9, 0),
  }
})
if (!chosen) process.exit(2)
const { operations, kills, restarts, seed } = chosen

const clients = 16
const olderPerCheck = 60
/** Walking the whole folder costs more than a round, so it is done now and then. */
const roundsPerVerify = 10
const olderAtEnd = 2000
const longestErasureMs = 60_000
/** A kill so soon after a start that what has expired is just being erased. */
const latestKillMs = 120
/** What lives longer is not waited for. */
const longestLifeMs = 5000
/** How long servers may take to work again after their database does, and how long clients wait before they try. */
const [longestRecoveryMs, retryMs] = [10_000, 100]
/** So many such kills follow a round of items that expire. */
const earlyKills = 3
/** What the rounds are about. */
const order = ['everything', 'changing', 'naming', 'expiring'] as const

const operationsPerRound = (operations / (kills + restarts)) * (1 + earlyKills / order.length)

const random = createRandom(seed)
const model = createModel()
const data = join(temporaryFolder(), 'data')
const options = { data, args: ['--rate-limit', 'off', '--log', 'off'] }
const owners = ['environment', 'ben', 'cleo']
const keys = new Map([['environment', testKey]])
const database = isFolder ? undefined : await (await import('./database.ts')).openDatabase(data)
/** Those that run: one on a folder, two on a database. */
const servers: RunningServer[] = []
let sent = 0
let killed = 0
let restarted = 0

const command = async (...words: string[]) => {
  const { code, stdout, stderr } = await run([...words, '--data', data])
  if (code !== 0) throw new Wrong(`${words.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return stdout.trim()
}
const addKey = async (name: string) => keys.set(name, await command('keys', 'add', name, '--create'))

const play = async (url: string, name: string, step: Step) => {
  const key = keys.get(step.owner ?? '')
  const request = begin(model, name, step)
  const answer = await exchange(url, keys, step).catch((error) => {
    noteUnanswered(request)
    throw error
  })
  if (database && answer.status === 503) {
    noteUnanswered(request)
    // Nobody knows what became of it, as if it had been cut off.
    throw Object.assign(new Wrong(`${request.line} → 503 ${answer.text}`), { code: 'ConnectionClosed' })
  }
  // It was revoked meanwhile.
  if (answer.status === 401 && step.owner !== undefined && keys.get(step.owner) !== key) step.refuse?.()
  else judge(request, answer)
}

const checkedAt = (url: string): Checked => ({
  ...{ model, random, owners },
  ask: (step) => exchange(url, keys, step),
  play: (name, step) => play(url, name, step),
})

const untilExpired = async (isWaited: (item: Item) => boolean) => {
  const ends = [...model.items].filter(isWaited).map(({ expires }) => expires.from)
  const last = Math.max(0, ...ends.filter((end) => end < Date.now() + longestLifeMs))
  await Bun.sleep(Math.max(0, last - Date.now()))
}

const startAll = async () => {
  while (servers.length < (database ? 2 : 1)) servers.push(await start(options))
}

/** Kills a server, or restarts the database; with a database, everything works again afterwards. */
const strike = async () => {
  const left = { kills: kills - killed, restarts: restarts - restarted }
  if (database && left.restarts > 0 && random.next() * (left.kills + left.restarts) < left.restarts) {
    restarted++
    await database.restart()
  } else {
    killed++
    const [struck] = servers.splice(random.below(servers.length), 1)
    await struck?.kill()
    if (database) await startAll()
  }
  const deadline = Date.now() + longestRecoveryMs
  for (const { url } of servers)
    while (!(await fetch(`${url}/readyz`)).ok) {
      if (Date.now() > deadline) throw new Wrong(`a server does not work again after ${longestRecoveryMs} ms`)
      await Bun.sleep(retryMs)
    }
}

/**
 * Clients send until a server is killed, or with a database until it is there again.
 * @param isDone resolves when it is time for that
 * @param pause what each client waits for before its next request
 */
const loadAndStrike = async (
  mood: Mood,
  isDone: Promise<unknown>,
  pause: () => Promise<unknown> | undefined = () => undefined,
) => {
  let [isOver, isStruck] = [false, false]
  const work = async () => {
    for (await pause(); !isOver; await pause()) {
      sent++
      const usable = owners.filter((owner) => keys.has(owner))
      try {
        await play(random.pick(servers).url, ...makeStep({ model, random, owners: usable }, mood))
      } catch (error) {
        if (!isStruck || !isCutOff(error)) throw error
        await Bun.sleep(retryMs)
      }
    }
  }
  const all = Promise.all(Array.from({ length: clients }, work))
  await Promise.race([isDone, all])
  isStruck = true
  isOver = isFolder
  const struck = strike().finally(() => {
    isOver = true
  })
  await Promise.all([struck, all])
  await database?.untilIdle()
}

/** Revokes a key under load, and gives its name to another. */
const renewKey = async (url: string, name: string) => {
  const former = keys.get(name) ?? ''
  keys.delete(name)
  await command('keys', 'revoke', name)
  const { status } = await fetch(`${url}/key`, { headers: { key: former } })
  if (status !== 401) throw new Wrong(`a revoked key answered ${status}`)
  await addKey(name)
}

const temporaryFiles = () => (existsSync(join(data, 'tmp')) ? readdirSync(join(data, 'tmp')) : [])

const startAndCheck = async (older = olderPerCheck) => {
  const before = temporaryFiles()
  await startAll()
  // Erasing what has expired, the new process writes there too.
  const leftovers = temporaryFiles().filter((name) => before.includes(name))
  if (leftovers.length) throw new Wrong(`temporary files were not swept: ${leftovers}`)
  const { url } = random.pick(servers)
  await checkAll(checkedAt(url), older)
  return url
}

const playRound = async (about: keyof typeof moods) => {
  const derived = random.pick(['words.sqlite', 'index.sqlite', '', '', '', ''])
  for (const file of derived && isFolder ? readdirSync(data) : [])
    if (file.startsWith(derived)) rmSync(join(data, file))
  const url = await startAndCheck()
  const begin = sent
  const size = Math.ceil(operationsPerRound * (0.5 + random.next()))
  const isEnough = Promise.withResolvers<void>()
  let expired: Promise<void> | undefined
  const pause = () => {
    if (sent - begin >= size) isEnough.resolve()
    if (about !== 'expiring' || sent - begin < size / 2) return undefined
    expired ??= untilExpired(({ alias = '' }) => alias.startsWith('brief'))
    return expired
  }
  const renewal = random.next() < 0.2 ? renewKey(url, 'cleo') : undefined
  await loadAndStrike(moods[about], Promise.all([isEnough.promise, renewal]), pause)
  if (about !== 'expiring') return
  // All of it is erased at the next start, while clients list it.
  await untilExpired(() => true)
  for (let left = earlyKills; left > 0; left--) {
    await startAll()
    await loadAndStrike({ list: 1 }, Bun.sleep(random.next() * latestKillMs))
  }
}

const expectNone = (items: readonly Item[], what: string) => {
  const [first] = items
  if (first) throw new Wrong(`${what}: ${items.length}\n${lastOf(first)}`)
}

const expectErased = async () => {
  const deadline = Date.now() + longestErasureMs
  await untilExpired(() => true)
  const left = () => {
    const paths = database && new Set(database.paths())
    return leftIn(model, (path) => paths?.has(path) ?? existsSync(join(data, path)))
  }
  while (left().length && Date.now() < deadline) await Bun.sleep(100)
  expectNone(left(), 'gone, but stored a minute after the start')
}

const expectBackup = async () => {
  const file = join(temporaryFolder(), 'backup.tgz')
  await command('backup', file)
  const { stdout } = Bun.spawnSync(['tar', '-tzf', file])
  const paths = new Set(stdout.toString().split('\n'))
  const isThere = (path: string) => paths.has(path)
  expectNone(leftIn(model, isThere), 'gone, but in the backup')
  expectNone(missingIn(model, isThere), 'not in the backup')
}

const playAll = async () => {
  for (const owner of owners.slice(1)) await addKey(owner)
  for (let round = 0; killed < kills || restarted < restarts || sent < operations; round++) {
    await playRound(order[round % order.length] as keyof typeof moods)
    if (isFolder && round % roundsPerVerify === roundsPerVerify - 1) await command('verify')
    showProgress(`${sent} operations, ${killed} kills, ${restarted} restarts, ${model.items.size} items`)
  }
  await exhaust(checkedAt(await startAndCheck(olderAtEnd)))
  await expectErased()
  await expectBackup()
  for (const server of servers) await server.stop()
  if (isFolder) await command('verify')
}

console.log(
  `${operations} operations, ${kills} kills, ${restarts} restarts, seed ${seed}, ${target.join(' ')}`,
)
const problem = await playAll().catch((error) => error)
showProgress('')
if (problem) console.log(problem instanceof Wrong ? `PROBLEM ${problem.message}` : problem)
const outcome = problem ? 'a problem' : 'no problem'
console.log(`seed ${seed}: ${sent} operations, ${killed} kills, ${restarted} restarts, ${outcome}`)
process.exit(problem ? 1 : 0)

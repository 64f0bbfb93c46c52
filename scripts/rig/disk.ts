import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { collections } from '../../src/services/items.ts'
import { inspectFolder, problemOfName } from '../../src/store/folder/inspect.ts'
import { createClient } from '../../test/support/client.ts'
import { run, start, testKey } from '../../test/support/process.ts'
import { createRandom } from '../measure/random.ts'
import { type Checked, checkAll, erasedIn, exhaust } from './check.ts'
import type { Event, KnownKey } from './load.ts'
import { createModel, type Model } from './model.ts'
import { begin, exchange, judge, type Recorded, replay } from './player.ts'
import type { Recording } from './record.ts'
import type { State } from './states.ts'

/** What the clients knew at a moment. */
export type Known = { model: Model; keys: KnownKey[] }

/** Items of older events are in the lists and are looked at by `verify`. */
const recentEvents = 40

/** @param point a line of the trace */
export const knownAt = ({ trace, seed }: Recording, point: number): Known => {
  const events = trace.notes.filter(({ at }) => at <= point).map(({ text }) => JSON.parse(text) as Event)
  const ofItems = events.filter((event): event is Recorded => 'at' in event)
  const keys = new Map(events.flatMap((event) => ('key' in event ? [[event.name, event] as const] : [])))
  let then: number | undefined = 0
  const model = createModel(() => then ?? Date.now())
  const sent = replay(model, seed, ofItems, (at) => {
    then = at
  })
  then = undefined
  model.touched.clear()
  for (const event of ofItems.slice(-recentEvents))
    for (const item of sent.get('step' in event ? event.step : event.answered)?.step.about ?? [])
      if (model.items.has(item)) model.touched.add(item)
  return { model, keys: [...keys.values()] }
}

/** Files that a program changes in place, so that none is shared by two states. */
const isChangedInPlace = (path: string) => !/\.(json|gone)$/.test(path)

const overwrite = (path: string, bytes: Buffer) => {
  const file = openSync(path, 'r+')
  ftruncateSync(file, 0)
  writeSync(file, bytes)
  closeSync(file)
}

/**
 * Builds a state in an empty folder. A file that is whole in many states is written once, and the index that the recording
 * ended with is that very file: an index that is another file is never trusted.
 */
export const build = ({ folder, disk, trace }: Recording, { folders, files }: State, target: string) => {
  const pool = join(folder, 'pool')
  mkdirSync(pool, { recursive: true })
  mkdirSync(target, { mode: 0o700 })
  for (const path of folders) mkdirSync(join(target, path), { mode: 0o700 })
  const lastIndex = trace.root.entries?.get('data')?.entries?.get('index.sqlite')
  for (const [path, { place, bytes, version }] of files) {
    const [to, pooled] = [join(target, path), join(pool, version ?? '')]
    if (place === lastIndex) {
      linkSync(join(disk, 'data/index.sqlite'), to)
      overwrite(to, bytes)
    } else if (version === undefined || isChangedInPlace(path)) writeFileSync(to, bytes, { mode: 0o600 })
    else {
      if (!existsSync(pooled)) writeFileSync(pooled, bytes, { mode: 0o600 })
      linkSync(pooled, to)
    }
  }
}

const problemOfKey = async (url: string, { name, key, state }: KnownKey) => {
  const { status } = await fetch(`${url}/pastes?limit=1`, { headers: { key } })
  const isRight = state === 'dying' || (status === 401) === (state === 'deleted')
  return isRight ? [] : [`${name}, which is ${state}, answered ${status}`]
}

/** The program creates, and reads what it created. */
const problemOfCreating = async (url: string) => {
  const client = createClient(url)
  const text = `after the power cut ${Math.random()}`
  const { rawUrl = '' } = await client.paste({ text })
  await client.link()
  return (await (await client.get(rawUrl)).text()) === text ? [] : ['a new paste is not what was sent']
}

const apiKeys = new Map([['environment', testKey]])

/** What the rig checks of a server, by what its documents say. */
export const checkedAt = (url: string, model: Model): Checked => ({
  ...{ model, random: createRandom(1), owners: ['environment'], isBrief: true },
  ask: (step) => exchange(url, apiKeys, step),
  play: async (name, step) => judge(begin(model, name, step), await exchange(url, apiKeys, step)),
})

const problemsOfServer = async (url: string, { model, keys }: Known) => {
  const checked = checkedAt(url, model)
  await checkAll(checked, 0)
  const problems = (await Promise.all(keys.map((key) => problemOfKey(url, key)))).flat()
  await exhaust(checked)
  return [...problems, ...(await problemOfCreating(url))]
}

/**
 * Damage that `verify` would report, found by its own code: the command itself takes a third of a start. What was deleted is
 * off the disk once that was answered.
 */
const problemsOfFiles = async (data: string, { model }: Known) => {
  const problems: string[] = []
  if (!existsSync(data)) return problems
  for await (const file of inspectFolder(data, collections)) {
    const problem =
      'problem' in file
        ? file.problem
        : isNewest.test(file.path) && (await problemOfName(data, file, Date.now()))
    if (problem) problems.push(`verify: ${file.path} ${problem}`)
  }
  for (const { kind, id } of erasedIn(model, (path) => existsSync(join(data, path))))
    problems.push(`${kind} ${id} was deleted, and its text is on the disk`)
  return problems
}

/** A document, and no name of one. */
const isNewest = /^(pastes|links)\/..\/[^.]+\.json$/

/** The index is not synced while it changes: a torn one is no loss, for the next start builds it again. */
const tornIndex = /^damaged {2}index\.sqlite: (database disk image is malformed|file is not a database)/

const problemsOfVerify = async (data: string) => {
  const { stdout } = existsSync(data) ? await run(['verify', '--data', data]) : { stdout: '' }
  const lines = stdout.split('\n').filter((line) => /^(damaged|foreign) /.test(line) && !tornIndex.test(line))
  return lines.map((line) => `verify: ${line}`)
}

/**
 * Opens a state with the real program, and holds it against what the clients knew.
 * @param isThorough whether the command `verify` is run as well
 */
export const problemsOf = async (disk: string, known: Known, isThorough: boolean): Promise<string[]> => {
  const data = join(disk, 'data')
  const problems = await problemsOfFiles(data, known)
  if (isThorough) problems.push(...(await problemsOfVerify(data)))
  try {
    const server = await start({ data, args: ['--rate-limit', 'off', '--log', 'off'] })
    try {
      problems.push(...(await problemsOfServer(server.url, known)))
    } finally {
      await server.kill()
    }
  } catch (error) {
    problems.push((error as Error).message.split('\n').join(' '))
  }
  return problems
}

export const remove = (disk: string) => rm(disk, { recursive: true, force: true })

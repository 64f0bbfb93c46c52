import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { start, temporaryFolder, testKey } from '../../test/support/process.ts'
import { checkAll, exhaust } from './check.ts'
import { checkedAt } from './disk.ts'
import { createModel } from './model.ts'
import { moods } from './operations.ts'
import { createRecorder } from './player.ts'
import { changingCalls } from './trace.ts'

/** A call that fails: the one of that number of its kind, in each thread, for strace counts by thread. */
export type Fault = { call: string; number: number; error: 'EIO' | 'ENOSPC' }

const steps = 40
const args = ['--rate-limit', 'off', '--log', 'off']
const toldAsError = /answered (503|507)/

/** What a disk does that is full, is an error of these calls alone. */
const growingCalls = ['openat', 'write', 'pwrite64', 'rename', 'mkdir', 'ftruncate', 'fsync', 'fdatasync']

const strace = (trace: string, fault?: Fault) => [
  ...'strace -D -f -y -s 100 -e signal=none -o'.split(' '),
  trace,
  ...['-e', `trace=${changingCalls}`],
  ...(fault ? ['-e', `inject=${fault.call}:error=${fault.error}:when=${fault.number}`] : []),
]

/** Documents, names and tombstones: a client that asked to write one gets an error when that fails. */
const isPromised = (line: string) =>
  /\/(pastes|links)\/|\/tmp\/[^"]*\.(json|gone)/.test(line) && !/-probe|-heads/.test(line)

/** Reading one is no write, and is answered with 500 where it fails. */
const isReading = (line: string) => line.includes('.json"') && line.includes('O_RDONLY')

const hits = (trace: string) =>
  readFileSync(trace, 'utf8')
    .split('\n')
    .filter((line) => line.includes('(INJECTED)'))

const keys = new Map([['environment', testKey]])

/** Sends a load, and holds the server against it. */
const createLoad = (seed: number) => {
  const model = createModel()
  const send = createRecorder(model, seed, () => {})
  const problemIn = async (check: Promise<unknown>) => {
    const problem = await check.then(
      () => undefined,
      (error: Error) => error,
    )
    return problem ? [problem.message] : []
  }
  return {
    run: async (url: string) => {
      const errors: string[] = []
      for (let at = 0; at < steps; at++)
        await send(url, keys, moods.writing).catch((error: Error) => void errors.push(error.message))
      return errors
    },
    create: (url: string) => send(url, keys, { create: 1 }),
    problems: (url: string) => problemIn(checkAll(checkedAt(url, model), model.items.size)),
    exhaust: (url: string) => problemIn(exhaust(checkedAt(url, model))),
  }
}

/** A document that could not be read this once can be read the next time, unless the fault comes to another thread. */
const problemsOnceRead = async (trace: string, find: () => Promise<string[]>) => {
  for (let failed = 0; ; ) {
    const found = await find()
    const failedNow = hits(trace).filter(isReading).length
    if (found.length === 0 || failedNow === failed) return found
    failed = failedNow
  }
}

const threads = 3

/** The fault may come only now, to each thread once; the server recovers from it without a restart. */
const createAfterAll = async (create: () => Promise<void>, errors: string[]) => {
  for (let left = threads; left > 0; left--) {
    const failed = await create().catch((error: Error) => error)
    if (!failed) return []
    errors.push(failed.message)
  }
  return ['nothing can be created any more']
}

/** A server on a folder that a former one has made, with one fault. @returns the lines of the trace, and what is wrong */
const play = async (seed: number, fault?: Fault) => {
  const folder = mkdtempSync(join(temporaryFolder(), 'fault-'))
  const [data, trace] = [join(folder, 'data'), join(folder, 'trace')]
  await (await start({ data, args })).stop()
  const load = createLoad(seed)
  const problems: string[] = []
  let errors: string[] = []
  let unstarted = ''
  const server = await start({ data, args, prefix: strace(trace, fault) }).catch((error: Error) => {
    unstarted = error.message
  })
  if (server) {
    errors = await load.run(server.url)
    problems.push(...(await problemsOnceRead(trace, () => load.problems(server.url))))
    problems.push(...(await createAfterAll(() => load.create(server.url), errors)))
    const { status } = await fetch(`${server.url}/readyz`)
    if (status !== 200) problems.push(`/readyz answered ${status} after all`)
    await server.kill()
  }
  const lines = readFileSync(trace, 'utf8').split('\n')
  const hit = hits(trace)
  // What the runtime wants of the system before the program runs is no matter of this program. The fault may hit the reason too.
  const isTellable = hit.every((line) => line.includes(data) && !line.includes('"shortcrust: '))
  if (unstarted && isTellable && !unstarted.includes('shortcrust: '))
    problems.push(`no reason was given: ${unstarted}`)
  if (server && hit.some(isPromised) && errors.length === 0 && !hit.some(isReading))
    problems.push(`no client got an error for ${hit[0]}`)
  for (const error of errors)
    if (!toldAsError.test(error) && !hit.some(isReading))
      problems.push(`after ${hit[0] ?? 'no fault'}: ${error}`)
  const after = await start({ data, args })
  problems.push(
    ...(await load.problems(after.url)),
    ...(await createAfterAll(() => load.create(after.url), [])),
  )
  problems.push(...(await load.exhaust(after.url)))
  await after.kill()
  rmSync(folder, { recursive: true, force: true })
  return { lines, hit, problems: [...new Set(problems)] }
}

/** Every call of a recorded load that changes the data folder, by its number within its thread, with each error. */
export const everyFault = async (seed: number): Promise<Fault[]> => {
  const { lines, problems } = await play(seed)
  if (problems[0]) throw new Error(`without a fault: ${problems[0]}`)
  const counts = new Map<string, number>()
  const faults = new Map<string, Fault>()
  for (const line of lines) {
    const [, thread, call = ''] = /^(\d+) +(\w+)\(/.exec(line) ?? []
    if (thread === undefined) continue
    const number = (counts.get(`${thread} ${call}`) ?? 0) + 1
    counts.set(`${thread} ${call}`, number)
    const isChange = call !== 'openat' || /O_CREAT|O_DIRECTORY/.test(line) || !line.includes('.json"')
    if (!line.includes('/data') || !isChange) continue
    for (const error of ['EIO', 'ENOSPC'] as const)
      if (error === 'EIO' || growingCalls.includes(call))
        faults.set(`${call} ${number} ${error}`, { call, number, error })
  }
  return [...faults.values()]
}

/** @returns which calls failed, as lines of the trace, and what is wrong */
export const playFault = (seed: number, fault: Fault) => play(seed, fault)

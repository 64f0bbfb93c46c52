// `npm run bench -- --peers FILE`: ours beside other programs of its kind; docs/peers.md says how.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import { megabyte, privateBytes, rest, treeBytes } from '../../test/support/memory.ts'
import { answerText, programBytes, startOther } from '../../test/support/other-server.ts'
import { target } from '../../test/support/process.ts'
import { playRows } from '../measure/options.ts'
import { type Entrant, given, type Load, loadsOf, peers, prepare, type RunningPeer } from './peer-loads.ts'
import { type Measured, stopped } from './peer-report.ts'
import { takeTurns } from './rounds.ts'
import { type Ask, createLoad, readWrkOutput } from './wrk.ts'

/** Ours, and the peers that the file names. @throws {Error} whose message says what is wrong with the file */
export const readPeers = (file: string): Entrant[] => {
  const [ours = '', ...known] = Object.keys(peers)
  const named: Record<string, { path?: string; version?: string }> = JSON.parse(readFileSync(file, 'utf8'))
  const all = { [ours]: { version, path: target[0] }, ...named }
  return Object.entries(all).map(([name, { version = '?', path }]) => {
    const peer = peers[name]
    if (!peer) throw new Error(`${file}: there is no peer "${name}"; there are ${known.join(', ')}`)
    if (!path) throw new Error(`${file}: "${name}" has no "path"; say where its program is`)
    if (!existsSync(path)) throw new Error(`${file}: the path of "${name}" does not exist: ${path}`)
    return { name, version, path: resolve(path), peer, isDurable: peer.isDurable, figures: {} }
  })
}

const measuredOf = ({ figures }: Entrant, figure: string): Measured => {
  figures[figure] ??= { values: [], errors: 0, faults: [] }
  return figures[figure]
}

/** An error is a fault of this figure, and ends nothing else. */
const attempt = async (entrant: Entrant, figure: string, work: (to: Measured) => Promise<unknown>) => {
  const measured = measuredOf(entrant, figure)
  await work(measured).catch((error: Error) => measured.faults.push(error.message))
}

const launch = async (closers: AsyncDisposableStack, entrant: Entrant): Promise<RunningPeer> => {
  const server = await startOther(closers, entrant.peer, { ...given, path: entrant.path })
  measuredOf(entrant, 'start').values.push(server.startMs)
  return { ...entrant, ...server }
}

/** @returns what begins the load of one server, warmed up if need be, and what checks that it still answers right */
const prepareLoad = async (server: RunningPeer, load: Load, measured: Measured) => {
  const { asks, check } = await prepare(server, load)
  let answers = 0
  const begin = createLoad(server.url, asks, (output) => {
    const { requests, errors } = readWrkOutput(output)
    measured.errors += Object.values(errors).reduce((sum, one) => sum + one, 0)
    const right = requests - (errors['status above 399'] ?? 0)
    answers += right
    return right
  })
  for (let left = server.peer.isCompiledWhileRunning ? 4 : 0; left > 0 && answers < 20_000; left--)
    await (await begin(1)).answered()
  const checkAgain = () =>
    check().catch(({ message }: Error) => {
      throw new Error(`${stopped} after ${answers.toLocaleString('en')} answers (${message.split('. ')[0]})`)
    })
  return { begin, checkAgain }
}

/** Milliseconds of a turn: several times the 40 ms that a server waits which sends head and body apart. */
const turnMs = 250

type Chosen = { seconds: number; rounds: number; isSmoke: boolean }

/** One round of a load, with all servers in turns. */
const playRound = async (load: Load, entrants: readonly Entrant[], { seconds }: Chosen) => {
  await using closers = new AsyncDisposableStack()
  const ready = new Map<Entrant, { server: RunningPeer } & Awaited<ReturnType<typeof prepareLoad>>>()
  for (const entrant of entrants)
    await attempt(entrant, load.name, async (measured) => {
      const server = await launch(closers, entrant)
      ready.set(entrant, { server, ...(await prepareLoad(server, load, measured)) })
    })
  if (ready.size === 0) return
  const begins = [...ready].map(([entrant, { server, begin }]) => {
    const faultOf = (error: Error) => measuredOf(entrant, load.name).faults.push(error.message)
    const beginBoth = async () => {
      const run = await begin(seconds * ready.size).catch((error) => void faultOf(error))
      // The server is halted too, or it would answer what is left in another's turn.
      const halt = () => [run?.halt(), server.child.kill('SIGSTOP')]
      const goOn = () => [server.child.kill('SIGCONT'), run?.goOn()]
      const answered = async () => (await run?.answered().catch((error) => void faultOf(error))) ?? 0
      return { halt, goOn, answered, endsAt: run?.endsAt ?? performance.now() + seconds * 1000 }
    }
    return [entrant.name, beginBoth] as const
  })
  const order = begins.map(([name]) => name)
  const rates = await takeTurns(Object.fromEntries(begins), turnMs, order)
  for (const [entrant, { checkAgain }] of ready)
    await attempt(entrant, load.name, async ({ values }) => {
      values.push(rates[entrant.name] ?? 0)
      await checkAgain()
    })
}

/** Asks 1,024 times, 32 at a time. No request is given up, as wrk does at its end: not every server survives that. */
const use = async (server: RunningPeer, load: Load, measured: Measured) => {
  const { asks, check } = await prepare(server, load)
  const send = ({ path, ...init }: Ask) => answerText(server.url + path, init).catch(() => measured.errors++)
  for (let done = 0; done < 1024; done += 32)
    await Promise.all(Array.from({ length: 32 }, (_, at) => send(asks[done + at] ?? asks[0])))
  await check().catch(() => Promise.reject(new Error(`${stopped} in ${load.name}`)))
}

/** Memory of each with all of its processes, after its first answer and after 1,024 requests of each load. */
const playMemory = async (entrants: readonly Entrant[], { isSmoke }: Chosen) => {
  await using closers = new AsyncDisposableStack()
  const running: RunningPeer[] = []
  const weigh = async (when: string) => {
    await rest({ isSmoke })
    for (const one of running)
      for (const [figure, bytesOf] of Object.entries({ memory: undefined, private: privateBytes }))
        await attempt(one, `${figure}-${when}`, async ({ values }) =>
          values.push(treeBytes(one.child.pid, bytesOf) / megabyte),
        )
  }
  for (const entrant of entrants)
    await attempt(entrant, 'memory-idle', async () => running.push(await launch(closers, entrant)))
  await weigh('idle')
  for (const one of running)
    for (const load of loadsOf(one)) await attempt(one, 'memory-used', (measured) => use(one, load, measured))
  await weigh('used')
}

/** Measures every figure of every server; `figures` of each then has them. */
export const playPeers = async (entrants: readonly Entrant[], chosen: Chosen) => {
  for (const entrant of entrants)
    await attempt(entrant, 'size', async (to) => to.values.push(programBytes(entrant) / megabyte))
  await playMemory(entrants, chosen)
  await playRows('bench', [...new Set(entrants.flatMap(loadsOf))], async (load) => {
    const having = entrants.filter((one) => loadsOf(one).includes(load))
    for (let round = 0; round < chosen.rounds; round++)
      await playRound(load, round % 2 === 0 ? having : having.toReversed(), chosen)
  })
}

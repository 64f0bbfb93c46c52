import { join } from 'node:path'
import { megabyte } from '../../test/support/memory.ts'
import { netcatPort } from '../../test/support/netcat.ts'
import { type RunningServer, start, temporaryFolder } from '../../test/support/process.ts'
import { type Attack, createNotes, type Seen, type Stock } from './attack.ts'
import type { Monitor } from './monitor.ts'
import { type Remote, startRemote } from './processes.ts'
import type { Round } from './report.ts'
import type { Sender } from './sender.ts'

export type Pace = {
  /** Length of an attack that runs until it must stop, in seconds. */
  seconds: number
  times: number
  /** At least so long a server rests, and the monitor watches it rest. */
  restMs: number
  /** A round that takes longer is ended. */
  longestMs: number
}
export const paces = {
  long: { seconds: 4, times: 3, restMs: 1000, longestMs: 120_000 },
  short: { seconds: 1, times: 1, restMs: 500, longestMs: 120_000 },
} as const satisfies Record<string, Pace>

const longestRestMs = 15_000
const stillBytes = megabyte
/** A server that grew by so much is ended: the machine belongs to others, too. */
const mostGrowthBytes = 2000 * megabyte
const lookMs = 250

type Server = { url: string; pid: number }

/** Waits until the memory of a server no longer changes. @returns the longest answer meanwhile */
const rest = async (monitor: Remote<Monitor>, { url, pid }: Server, restMs: number) => {
  const began = performance.now()
  for (;;) {
    const { startBytes } = await monitor.begin(url, pid)
    await Bun.sleep(restMs)
    const { stallMs, peakBytes } = await monitor.end()
    if (peakBytes - startBytes < stillBytes || performance.now() - began > longestRestMs) return stallMs
  }
}

/** @returns why the server must be ended, once it has grown far too much or takes far too long; nothing once `isOver` */
const guard = async (monitor: Remote<Monitor>, longestMs: number, isOver: () => boolean) => {
  const endsAt = performance.now() + longestMs
  for (;;) {
    await Bun.sleep(lookMs)
    if (isOver()) return undefined
    const { peakBytes, startBytes } = await monitor.look()
    if (isOver()) return undefined
    if (peakBytes - startBytes > mostGrowthBytes) return 'ended: it grew too much'
    if (performance.now() > endsAt) return 'ended: it took too long'
  }
}

const startServer = (attack: Attack, data: string, program?: readonly string[]) => {
  const args = ['--rate-limit', 'off', ...(attack.args ?? [])]
  return start({ args, data, ...(program && { program }) })
}

/** Where a server takes texts by netcat, if it does. */
const netcatPortOf = async ({ args = [] }: Attack, server: RunningServer): Promise<Stock> =>
  args.includes('--netcat') ? { netcatPort: `${await netcatPort(server)}` } : {}

/** What makes a data folder ready. @returns it, and what the attack needs to know of it */
export const prepare = async (attack: Attack, program?: readonly string[]) => {
  const data = join(temporaryFolder(), 'data')
  if (!attack.prepare) return { data, stock: {} }
  const server = await startServer(attack, data, program)
  try {
    return { data, stock: await attack.prepare({ url: server.url, data }) }
  } finally {
    await server.stop()
  }
}

type Prepared = { data: string; stock: Stock }

/** Plays an attack once, against a fresh server. @param program what is started instead of the executable */
export const playRound = async (
  attack: Attack,
  { data, stock }: Prepared,
  { seconds, times, restMs, longestMs }: Pace,
  program?: readonly string[],
): Promise<Round> => {
  await using closers = new AsyncDisposableStack()
  const server = await startServer(attack, data, program)
  closers.defer(async () => void (await server.kill()))
  // On a machine of two cores the strangers, who have machines of their own, would else take the processor from the server.
  const sender = startRemote<Sender>('sender.ts', ['nice', '-n', '10'])
  closers.defer(sender.stop)
  const { remote: monitor, stop } = startRemote<Monitor>('monitor.ts')
  closers.defer(stop)
  const quietMs = await rest(monitor, server, restMs)

  const { url, pid } = server
  const target = { url, pid, stock: { ...stock, ...(await netcatPortOf(attack, server)) }, seconds, times }
  const notes = createNotes()
  const whileHeld = async () => {
    await sender.remote.holds()
    if (attack.meanwhile) await attack.meanwhile({ ...target, notes })
    else await Bun.sleep(seconds * 1000)
  }
  await monitor.begin(url, pid)
  let isOver = false
  const guarded = guard(monitor, longestMs, () => isOver)
  const played = sender.remote.play(attack.name, target)
  // It fails for a reason that the attack meets as well, unless the attack is over already and nothing holds.
  const held = whileHeld().finally(() => sender.remote.stop())
  held.catch(() => {})
  played.catch(() => {})
  const outcome = await Promise.race([
    played,
    held.then(() => played),
    guarded.then<string | Seen>((why) => why ?? played),
  ])
  isOver = true
  await guarded
  const isEnded = typeof outcome === 'string'
  const { stallMs, peakBytes, startBytes, childPeakBytes, isAlive } = await (isEnded
    ? monitor.look()
    : monitor.end())
  const seen: Seen = isEnded ? { answers: {}, figures: {}, wrong: [outcome] } : outcome
  const hasStack = /\n +at |^\S+ error /m.test(server.stderr.text())
  return {
    quietMs,
    answers: seen.answers,
    figures: {
      'stall ms': stallMs,
      'growth MB': (peakBytes - startBytes) / megabyte,
      ...(childPeakBytes > 0 && { 'child MB': childPeakBytes / megabyte }),
      ...seen.figures,
      ...notes.seen.figures,
    },
    wrong: [
      ...seen.wrong,
      ...notes.seen.wrong,
      ...(isAlive || isEnded ? [] : ['the server no longer answers']),
      ...(hasStack ? ['a failure in the log'] : []),
    ],
  }
}

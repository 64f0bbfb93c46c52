import { join } from 'node:path'
import { megabyte } from '../../test/support/memory.ts'
import { start, temporaryFolder } from '../../test/support/process.ts'
import { withClosers } from '../measure/children.ts'
import { type Attack, createNotes, type Seen, type Stock } from './attack.ts'
import { startMonitor, startSender } from './processes.ts'
import type { Round } from './results.ts'

export type Pace = {
  /** Length of an attack that goes on until it is told to stop, in seconds. */
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

const serverArgs = ['--rate-limit', 'off']
const longestRestMs = 15_000
const stillBytes = megabyte
/** A server that grew by so much is ended: the machine belongs to others, too. */
const mostGrowthBytes = 2000 * megabyte
const lookMs = 250

type Monitor = Awaited<ReturnType<typeof startMonitor>>

/** Waits until the memory of a server no longer changes. @returns the longest answer meanwhile */
const rest = async (monitor: Monitor, restMs: number) => {
  const began = performance.now()
  for (;;) {
    const { startBytes } = await monitor.begin()
    await Bun.sleep(restMs)
    const { stallMs, peakBytes } = await monitor.end()
    if (peakBytes - startBytes < stillBytes || performance.now() - began > longestRestMs) return stallMs
  }
}

/** Ends the server once it has grown far too much, or takes far too long. @returns why, or nothing once `isOver` */
const guard = async (
  monitor: Monitor,
  kill: () => Promise<unknown>,
  longestMs: number,
  isOver: () => boolean,
) => {
  const endsAt = performance.now() + longestMs
  for (;;) {
    await Bun.sleep(lookMs)
    if (isOver()) return
    const { peakBytes, startBytes } = await monitor.look()
    const hasGrown = peakBytes - startBytes > mostGrowthBytes
    if (isOver() || !(hasGrown || performance.now() > endsAt)) continue
    await kill()
    return hasGrown ? 'ended: it grew too much' : 'ended: it took too long'
  }
}

/** What makes a data folder ready. @returns it, and what the attack needs to know of it */
export const prepare = async (attack: Attack, program?: readonly string[]) => {
  const data = join(temporaryFolder(), 'data')
  if (!attack.prepare) return { data, stock: {} }
  const server = await start({
    args: [...serverArgs, ...(attack.args ?? [])],
    data,
    ...(program && { program }),
  })
  try {
    return { data, stock: await attack.prepare({ url: server.url, data }) }
  } finally {
    await server.stop()
  }
}

type Prepared = { data: string; stock: Stock }

/** Plays an attack once, against a fresh server. @param program what is started instead of the executable */
export const playRound = (
  attack: Attack,
  { data, stock }: Prepared,
  { seconds, times, restMs, longestMs }: Pace,
  program?: readonly string[],
): Promise<Round> =>
  withClosers(async (defer) => {
    const server = await start({
      args: [...serverArgs, ...(attack.args ?? [])],
      data,
      ...(program && { program }),
    })
    defer(server.kill)
    const sender = await startSender()
    defer(sender.stop)
    const monitor = await startMonitor(server.url, server.pid)
    defer(monitor.stop)
    const quietMs = await rest(monitor, restMs)

    const target = { url: server.url, pid: server.pid, stock, seconds, times }
    const notes = createNotes()
    const whileHeld = async () => {
      if (attack.meanwhile) await attack.meanwhile({ ...target, notes })
      else await Bun.sleep(seconds * 1000)
    }
    await monitor.begin()
    let isOver = false
    const guarded = guard(monitor, server.kill, longestMs, () => isOver)
    const played = sender.play(attack.name, target, whileHeld)
    // Once the guard has ended the server, what the strangers say no longer matters.
    played.catch(() => {})
    const endedBy = guarded.then<string | Seen>((why) => why ?? played)
    const outcome = await Promise.race([played, endedBy])
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
  })

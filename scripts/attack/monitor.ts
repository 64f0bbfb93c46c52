// Asks `/healthz` every 20 ms on a connection of its own and looks at the server's memory: a process of its own, so that
// nothing else that the tool does can hold it up.
import { writeFileSync } from 'node:fs'
import { childrenOf, peakResidentBytes, residentBytes } from '../../test/support/memory.ts'
import { serveCalls } from './processes.ts'
import { openWire, type Wire } from './wire.ts'

/** What it saw since `begin`. */
type Watched = {
  stallMs: number
  startBytes: number
  peakBytes: number
  /** Of the highlighting child; 0 where there was none. */
  childPeakBytes: number
  /** Whether the server still answered at the end. */
  isAlive: boolean
}

const everyMs = 20
let target = { url: '', pid: 0 }
let wire: Wire | undefined
let watched: Watched | undefined
let askedAt = 0
/** The question that is not answered yet. */
let asking: Promise<void> | undefined

const ifRunning = <T>(look: () => T, otherwise: T) => {
  try {
    return look()
  } catch {
    // Between two looks, a process may end.
    return otherwise
  }
}

const lookAtMemory = (into: Watched) => {
  into.peakBytes = ifRunning(() => peakResidentBytes(target.pid), into.peakBytes)
  for (const child of ifRunning(() => childrenOf(target.pid), [])) {
    const peak = ifRunning(() => peakResidentBytes(child), 0)
    into.childPeakBytes = Math.max(into.childPeakBytes, peak)
  }
}

const noteWait = (into: Watched) => {
  into.stallMs = Math.max(into.stallMs, performance.now() - askedAt)
}

const askOnce = async (into: Watched) => {
  askedAt = performance.now()
  if (!wire?.isOpen()) wire = await openWire(target.url)
  into.isAlive = (await wire.ask({ path: '/healthz' })).status === 200
  noteWait(into)
}

const look = () => {
  if (watched && asking) noteWait(watched)
  return watched as Watched
}

setInterval(() => {
  if (!watched) return
  lookAtMemory(watched)
  // One question at a time: a stall is the time until it is answered.
  asking ??= askOnce(watched).finally(() => {
    asking = undefined
  })
}, everyMs)

const calls = {
  begin: async (url: string, pid: number) => {
    await asking
    target = { url, pid }
    wire ??= await openWire(url)
    // 5 sets the peak (VmHWM) back to what is resident now.
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
    const startBytes = residentBytes(pid)
    watched = { stallMs: 0, startBytes, peakBytes: startBytes, childPeakBytes: 0, isAlive: true }
    return watched
  },
  look,
  end: async () => {
    const current = look()
    watched = undefined
    // What was asked during the attack and is not answered yet counts, too.
    await asking
    await askOnce(current)
    lookAtMemory(current)
    return current
  },
}
export type Monitor = typeof calls
serveCalls(calls)

// Asks `/healthz` every 20 ms on a connection of its own and looks at the server's memory: a process of its own, so that
// nothing else that the tool does can hold it up. `bun monitor.ts URL PID`; takes orders and answers over IPC.
import { writeFileSync } from 'node:fs'
import { childrenOf, peakResidentBytes, residentBytes } from '../../test/support/memory.ts'
import { openWire } from './wire.ts'

/** What it saw between `begin` and `end`. */
export type Watched = {
  stallMs: number
  startBytes: number
  peakBytes: number
  /** Of the highlighting child; 0 where there was none. */
  childPeakBytes: number
  /** Whether the server still answered at the end. */
  isAlive: boolean
}
export type Order = 'begin' | 'look' | 'end'

const everyMs = 20
const [, , url = '', pidText = ''] = process.argv
const pid = Number(pidText)

let watched: Watched | undefined
let wire = await openWire(url)

const ifRunning = <T>(look: () => T, otherwise: T) => {
  try {
    return look()
  } catch {
    // Between two looks, a process may end.
    return otherwise
  }
}

const lookAtMemory = (into: Watched) => {
  into.peakBytes = ifRunning(() => peakResidentBytes(pid), into.peakBytes)
  for (const child of ifRunning(() => childrenOf(pid), []))
    into.childPeakBytes = Math.max(
      into.childPeakBytes,
      ifRunning(() => peakResidentBytes(child), 0),
    )
}

const begin = (): Watched => {
  // 5 sets the peak (VmHWM) back to what is resident now.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const startBytes = residentBytes(pid)
  return { stallMs: 0, startBytes, peakBytes: startBytes, childPeakBytes: 0, isAlive: true }
}

const isAnswering = async () => {
  if (!wire.isOpen()) wire = await openWire(url)
  return (await wire.ask({ path: '/healthz' })).status === 200
}

let probing: Promise<void> = Promise.resolve()
let askedAt = 0
const noteWait = (into: Watched) => {
  into.stallMs = Math.max(into.stallMs, performance.now() - askedAt)
}
const tick = async (into: Watched) => {
  askedAt = performance.now()
  into.isAlive = await isAnswering()
  noteWait(into)
}

let isBusy = false
setInterval(() => {
  if (!watched) return
  lookAtMemory(watched)
  // One question at a time: a stall is the time until it is answered.
  if (isBusy) return
  isBusy = true
  probing = tick(watched).finally(() => {
    isBusy = false
  })
}, everyMs)

const end = async () => {
  const current = watched
  watched = undefined
  if (!current) return
  // What was asked during the attack and is not answered yet counts, too.
  await probing
  await tick(current)
  lookAtMemory(current)
  return current
}

process.on('message', async (order: Order) => {
  if (order === 'end') return process.send?.(await end())
  if (order === 'begin') {
    await probing
    watched = begin()
  } else if (watched && isBusy) noteWait(watched)
  process.send?.(watched)
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

import type { Child, Job, LaneName, SpawnChild } from './child/protocol.ts'
import type { Lines } from './render.ts'

export type LaneParts = {
  name: LaneName
  spawn: SpawnChild
  /** Longest that a job runs. */
  runMs: number
  /** Longest that a child takes to load itself and a grammar, which on a small and busy machine are seconds. */
  startMs: number
  /** How long a child may be idle before it is ended. */
  idleMs: number
  /** How many jobs wait at most. */
  maxWaiting: number
  /** A child that takes more memory after a job is ended: a new one has no grammar loaded. */
  maxChildBytes: number
  onFailure: (why: string) => void
}

/** What became of a job; `crowded`: it made room for another one and was never tried. */
export type JobOutcome = Lines | 'failed' | 'crowded'

export type Ticket = {
  outcome: Promise<JobOutcome>
  /** Takes a job back that was not started. @returns false where it was */
  leave: () => boolean
}

/** Runs jobs one after the other in one child process. */
export type Lane = {
  /** @param rank lower ones go first */
  add: (job: Job, rank: number) => Ticket
  close: () => void
}

type Pending = { job: Job; rank: number; settle: (outcome: JobOutcome) => void }

/** One child process and those that wait for it, because only a process can be stopped in the middle of a line. */
export const createLane = (parts: LaneParts): Lane => {
  const { name, spawn, runMs, startMs, idleMs, maxWaiting, maxChildBytes, onFailure } = parts
  /** In the order of their ranks; of one rank, in the order they came. */
  const queue: Pending[] = []
  let child: Child | undefined
  let running: Pending | undefined
  let pieces: string[] = []
  let runTimer: Timer | undefined
  let idleTimer: Timer | undefined

  const endChild = () => {
    clearTimeout(runTimer)
    clearTimeout(idleTimer)
    const ending = child
    child = undefined
    ending?.kill()
  }

  const finish = (outcome: JobOutcome) => {
    clearTimeout(runTimer)
    const done = running
    running = undefined
    pieces = []
    done?.settle(outcome)
    startNext()
  }

  const fail = (why: string) => {
    onFailure(why)
    endChild()
    finish('failed')
  }

  const allow = (ms: number, why: string) => {
    clearTimeout(runTimer)
    runTimer = setTimeout(() => fail(why), ms)
  }

  const startChild = () => {
    const started = spawn(
      name,
      (result) => {
        if (started !== child) return
        if ('isStarted' in result) return allow(runMs, `stopped after ${runMs} ms`)
        if ('piece' in result) return void pieces.push(result.piece)
        if ('failure' in result) {
          onFailure(result.failure)
          return finish('failed')
        }
        const { residentBytes, ...lines } = result
        if (residentBytes > maxChildBytes) endChild()
        finish({ html: pieces, ...lines })
      },
      () => {
        if (started !== child) return
        child = undefined
        if (running) fail('the highlighting process ended by itself')
      },
    )
    return started
  }

  const startNext = () => {
    if (running) return
    running = queue.shift()
    clearTimeout(idleTimer)
    if (!running) {
      if (!child) return
      idleTimer = setTimeout(endChild, idleMs)
      idleTimer.unref()
      return
    }
    allow(startMs, `did not start within ${startMs} ms`)
    try {
      child ??= startChild()
      child.send(running.job)
    } catch (error) {
      fail(String(error))
    }
  }

  /** The last of those that wait makes room, which may be the newcomer. */
  const enqueue = (pending: Pending) => {
    const at = queue.findIndex(({ rank }) => rank > pending.rank)
    queue.splice(at < 0 ? queue.length : at, 0, pending)
    startNext()
    if (queue.length > maxWaiting) queue.pop()?.settle('crowded')
  }

  return {
    add: (job, rank) => {
      const { promise: outcome, resolve: settle } = Promise.withResolvers<JobOutcome>()
      const pending = { job, rank, settle }
      enqueue(pending)
      return {
        outcome,
        leave: () => {
          const at = queue.indexOf(pending)
          if (at >= 0) queue.splice(at, 1)
          return at >= 0
        },
      }
    },
    close: endChild,
  }
}

import type { Child, Job, JobResult, LaneName, SpawnChild } from './child/protocol.ts'
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

type RunnerParts = Omit<LaneParts, 'maxWaiting'>

/** One thing to do later, for the job or an idle child: a new one takes the place of the former. */
const createTimer = () => {
  let timer: Timer | undefined
  return {
    clear: () => clearTimeout(timer),
    set: (ms: number, act: () => void) => {
      clearTimeout(timer)
      timer = setTimeout(act, ms)
      return timer
    },
  }
}

/** Starts a child that is heard as long as it is the one in use. */
const startChild = (
  { name, spawn }: RunnerParts,
  inUse: () => Child | undefined,
  receive: (result: JobResult) => void,
  lose: () => void,
) => {
  const started = spawn(
    name,
    (result) => void (started === inUse() && receive(result)),
    () => void (started === inUse() && lose()),
  )
  return started
}

/** One child process, started when it is needed, with one job at a time: only a process can be stopped inside a line. */
const createRunner = (parts: RunnerParts) => {
  const { runMs, startMs, idleMs, maxChildBytes, onFailure } = parts
  let child: Child | undefined
  let settle: ((outcome: JobOutcome) => void) | undefined
  let pieces: string[] = []
  const timer = createTimer()

  const end = () => {
    timer.clear()
    const ending = child
    child = undefined
    ending?.kill()
  }

  const finish = (outcome: JobOutcome) => {
    const done = settle
    settle = undefined
    pieces = []
    timer.set(idleMs, end).unref()
    done?.(outcome)
  }

  const fail = (why: string) => {
    onFailure(why)
    end()
    finish('failed')
  }

  const receive = (result: JobResult) => {
    if ('isStarted' in result) return void timer.set(runMs, () => fail(`stopped after ${runMs} ms`))
    if ('piece' in result) return void pieces.push(result.piece)
    if ('failure' in result) {
      onFailure(result.failure)
      return finish('failed')
    }
    const { residentBytes, ...lines } = result
    if (residentBytes > maxChildBytes) end()
    finish({ html: pieces, ...lines })
  }

  const lose = () => {
    child = undefined
    if (settle) fail('the highlighting process ended by itself')
  }

  return {
    run: (job: Job, done: (outcome: JobOutcome) => void) => {
      settle = done
      timer.set(startMs, () => fail(`did not start within ${startMs} ms`))
      try {
        child ??= startChild(parts, () => child, receive, lose)
        child.send(job)
      } catch (error) {
        fail(String(error))
      }
    },
    end,
  }
}

type Pending = { job: Job; rank: number; settle: (outcome: JobOutcome) => void }

/** A child process and those that wait for it, in the order of their ranks; of one rank, in the order they came. */
export const createLane = ({ maxWaiting, ...parts }: LaneParts): Lane => {
  const { run, end } = createRunner(parts)
  const queue: Pending[] = []
  let isRunning = false

  const startNext = () => {
    const next = isRunning ? undefined : queue.shift()
    if (!next) return
    isRunning = true
    run(next.job, (outcome) => {
      isRunning = false
      next.settle(outcome)
      startNext()
    })
  }

  const leave = (pending: Pending) => {
    const at = queue.indexOf(pending)
    if (at >= 0) queue.splice(at, 1)
    return at >= 0
  }

  return {
    add: (job, rank) => {
      const { promise: outcome, resolve: settle } = Promise.withResolvers<JobOutcome>()
      const pending = { job, rank, settle }
      const at = queue.findIndex((other) => other.rank > rank)
      queue.splice(at < 0 ? queue.length : at, 0, pending)
      startNext()
      // The last of those that wait makes room, which may be the newcomer.
      if (queue.length > maxWaiting) queue.pop()?.settle('crowded')
      return { outcome, leave: () => leave(pending) }
    },
    close: end,
  }
}

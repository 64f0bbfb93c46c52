import type { Child, Job, JobResult, LaneName, SpawnChild } from './child/protocol.ts'
import type { Lines } from './lines.ts'

export type LaneParts = {
  name: LaneName
  spawn: SpawnChild
  /** Longest running time of a job. */
  runMs: number
  /** Longest time for loading the child and a grammar: seconds on a small, busy machine. */
  startMs: number
  /** Idle time before the child is stopped. */
  idleMs: number
  /** Most jobs in the queue. */
  maxWaiting: number
  /** A child above this is stopped after its job; a new one starts without grammars. */
  maxChildBytes: number
  onFailure: (why: string) => void
}

/** `crowded`: the queue was full, so the job never ran. */
export type JobOutcome = Lines | 'failed' | 'crowded'

export type Ticket = {
  outcome: Promise<JobOutcome>
  /** Removes a job from the queue. @returns false if it has started */
  leave: () => boolean
}

/** Runs one job at a time in a child process. */
export type Lane = {
  /** @param rank lower ranks run first */
  add: (job: Job, rank: number) => Ticket
  close: () => void
}

type RunnerParts = Omit<LaneParts, 'maxWaiting'>

/** A single timer, for a job or an idle child: setting it replaces the earlier one. */
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

/** Starts a child. Its messages are ignored once it is no longer in use. */
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

/** One child process, started on demand, with one job at a time: only a process can be stopped in the middle of a line. */
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

/** A child process and its queue, ordered by rank, then by arrival. */
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
      // The job with the last place is dropped, perhaps the new one.
      if (queue.length > maxWaiting) queue.pop()?.settle('crowded')
      return { outcome, leave: () => leave(pending) }
    },
    close: end,
  }
}

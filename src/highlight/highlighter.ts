import { existsSync, readFileSync } from 'node:fs'
import type { Job, Lines } from './lines.ts'
import { isShownAsLog } from './log.ts'

/** The result of highlighting, when its reader gets it. */
export type Highlighting = {
  /** `undefined` if the text is shown plain; the early ones of a comparison whose colours come later. */
  lines: Lines | undefined
  /** True if a job ran and failed, so it should not be repeated on each read. */
  isFailed: boolean
  /** The result of a job that was still running when the reader's wait was over. */
  later?: Promise<Highlighting>
}

export type HighlighterParts = Omit<LaneParts, 'name' | 'idleMs' | 'maxWaiting' | 'maxChildBytes'> & {
  /** Longest time that a reader waits; longer than `runMs`. */
  waitMs: number
  /** Idle time before the child of a lane is stopped. */
  idleMs: Record<LaneName, number>
  /** Memory limit of a lane's child, checked after each job. */
  maxChildBytes: Record<LaneName, number>
  /** Larger texts are shown plain; logs and lines of plain text may be eight times as large. */
  maxChars: number
}

export type Highlighter = {
  /** False for a text that is always shown plain. */
  isHighlightable: (job: Job) => boolean
  /**
   * Renders a job that is highlightable. Never fails, and takes at most `waitMs`.
   * @param isUsual false if a reader asked for another language, or for a word: such jobs come last
   */
  highlight: (job: Job, isUsual: boolean) => Promise<Highlighting>
  /** Starts a child and loads its grammar for a text whose first reader comes soon. */
  prepare: (job: Pick<Job, 'text' | 'language'>) => void
  close: () => void
}

/**
 * Of a text that was created: for its first lines, a grammar compiles most of what it compiles at all. Of a hostile line of
 * this length, the child has enough in half a second.
 */
const preparedChars = 1024

/** Takes about 0.1 s. */
const quickChars = 64 * 1024

/** Twelve seconds of work: later readers would wait in vain. */
const maxWaiting = { quick: 64, slow: 8 }

/** A log of 1 MiB takes 0.15 s of processor time, as much as 64 KiB of other languages or more. */
const fasterWithoutGrammar = 8

/** The characters of a job; of one without a grammar, as many as a grammar reads meanwhile. */
const weightOf = (job: Job) => {
  if (job.compare) return job.text.length + job.compare.text.length
  const hasGrammar = job.language !== 'text' && !isShownAsLog(job)
  return hasGrammar ? job.text.length : job.text.length / fasterWithoutGrammar
}

const highlightingOf = (outcome: JobOutcome): Highlighting =>
  typeof outcome === 'string'
    ? { lines: undefined, isFailed: outcome === 'failed' }
    : { lines: outcome, isFailed: false }

/**
 * Highlights in two child processes. A running job cannot be interrupted for another one. So most requests, for short texts
 * in their own language, have their own process; the other one starts when something else is requested.
 */
export const createHighlighter = (parts: HighlighterParts): Highlighter => {
  const { waitMs, idleMs, maxChildBytes, maxChars } = parts
  const laneOf = (name: LaneName) =>
    createLane({
      ...parts,
      name,
      idleMs: idleMs[name],
      maxWaiting: maxWaiting[name],
      maxChildBytes: maxChildBytes[name],
    })
  const [quick, slow] = [laneOf('quick'), laneOf('slow')]

  const add = (job: Job, isUsual: boolean) => {
    const weight = weightOf(job)
    if (isUsual && weight <= quickChars) return quick.add(job, weight)
    return slow.add(job, isUsual ? weight : maxChars + weight)
  }

  return {
    isHighlightable: (job) => {
      const { text, language, show, compare } = job
      if (compare) return text.length <= maxChars && compare.text.length <= maxChars
      return (language !== 'text' || show !== undefined) && weightOf(job) <= maxChars
    },

    prepare: ({ text, language }) => {
      if (language !== 'text') quick.prepare({ text: text.slice(0, preparedChars), language })
    },

    highlight: (job, isUsual) => {
      const { outcome, early, leave } = add(job, isUsual)
      const done = outcome.then(highlightingOf)
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          // Only the queue was too long, so the text did not fail: its next read tries again.
          const late = { lines: early(), isFailed: false }
          resolve(leave() ? late : { ...late, later: done })
        }, waitMs)
        done.then((highlighting) => {
          clearTimeout(timer)
          resolve(highlighting)
        })
      })
    },

    close: () => {
      quick.close()
      slow.close()
    },
  }
}

const mebibyte = 1024 ** 2

/** Limits for highlighting. A child takes 65 MB; with ten grammars 110, with all of them 700. */
export const highlightingLimits = {
  waitMs: 2000,
  runMs: 1800,
  stuckMs: 60_000,
  idleMs: { quick: 60_000, slow: 10_000 },
  maxChars: mebibyte,
  // One grammar with everything it embeds may need 250 MB more.
  maxChildBytes: { quick: 192 * mebibyte, slow: 128 * mebibyte },
}

export type LaneParts = {
  name: LaneName
  spawn: SpawnChild
  /** Longest time of a job on the processor; by the clock where the system does not tell it. */
  runMs: number
  /** Longest time by the clock for loading the child and a grammar, and for a job: a small, busy machine needs half of it. */
  stuckMs: number
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
  /** The lines so far, if colours are still to come. */
  early: () => Lines | undefined
  /** Removes a job from the queue. @returns false if it has started */
  leave: () => boolean
}

/** Runs one job at a time in a child process. */
export type Lane = {
  /** @param rank lower ranks run first */
  add: (job: Job, rank: number) => Ticket
  /** Runs a job whose result nobody needs, unless the child is busy or has met its language. */
  prepare: (job: Job) => void
  close: () => void
}

type RunnerParts = Omit<LaneParts, 'maxWaiting'>

/** A single timer, for a job or an idle child: setting it replaces the earlier one. */
const createTimer = ({ runMs, stuckMs }: RunnerParts) => {
  let timer: Timer | undefined
  const clear = () => clearTimeout(timer)
  const set = (ms: number, act: () => void) => {
    clear()
    timer = setTimeout(act, ms)
    return timer
  }

  /** By the clock, TypeScript never had colours where two programs kept two cores busy: 125 lines took 3.5 s, not 0.4. */
  const limit = ({ processorMs }: Child, stop: (why: string) => void) => {
    const before = processorMs() ?? 0
    const wait = (ms: number, passed: number) => {
      set(ms, () => {
        const left = before + runMs - (processorMs() ?? before + runMs)
        if (left <= 0) stop(`stopped after ${runMs} ms`)
        else if (passed >= stuckMs) stop(`did not end within ${stuckMs} ms`)
        else wait(left, passed + ms)
      })
    }
    wait(runMs, runMs)
  }
  return { clear, set, limit }
}

/** A child, and the languages that it has met. */
type Started = Child & { met: Set<string> }

/** Starts a child. Its messages are ignored once it is no longer in use. */
const startChild = (
  { name, spawn }: RunnerParts,
  inUse: () => Started | undefined,
  receive: (result: JobResult) => void,
  lose: () => void,
) => {
  const child = spawn(
    name,
    (result) => void (started === inUse() && receive(result)),
    () => void (started === inUse() && lose()),
  )
  const started: Started = { ...child, met: new Set() }
  return started
}

/** The lines of a job as they come. */
const createReceived = () => {
  let pieces: string[] = []
  let early: Lines | undefined
  return {
    add: (piece: string) => void pieces.push(piece),
    take: (rest: Omit<Lines, 'html'>): Lines => {
      const lines = { html: pieces, ...rest }
      pieces = []
      if (lines.isEarly) early = lines
      return lines
    },
    /** Early lines are better than none. */
    failure: (): JobOutcome => {
      if (!early) return 'failed'
      const { isEarly: _, ...lines } = early
      return lines
    },
  }
}

/** One child process, started on demand, with one job at a time: only a process can be stopped in the middle of a line. */
const createRunner = (parts: RunnerParts, onEarly: (lines: Lines) => void) => {
  const { stuckMs, idleMs, maxChildBytes, onFailure } = parts
  let child: Started | undefined
  let settle: ((outcome: JobOutcome) => void) | undefined
  let received = createReceived()
  const timer = createTimer(parts)
  const end = () => {
    timer.clear()
    const ending = child
    child = undefined
    ending?.kill()
  }

  const finish = (outcome: JobOutcome) => {
    const done = settle
    settle = undefined
    received = createReceived()
    timer.set(idleMs, end).unref()
    done?.(outcome)
  }

  const fail = (why: string, isOver = true) => {
    onFailure(why)
    if (isOver) end()
    finish(received.failure())
  }

  const receive = (result: JobResult) => {
    if ('isStarted' in result) return void (child && timer.limit(child, fail))
    if ('piece' in result) return received.add(result.piece)
    if ('failure' in result) return fail(result.failure, false)
    const { residentBytes, ...rest } = result
    const lines = received.take(rest)
    if (lines.isEarly) return onEarly(lines)
    if (residentBytes > maxChildBytes) end()
    finish(lines)
  }

  const lose = () => {
    child = undefined
    if (settle) fail('the highlighting process ended by itself')
  }

  return {
    run: (job: Job, done: (outcome: JobOutcome) => void) => {
      settle = done
      timer.set(stuckMs, () => fail(`did not start within ${stuckMs} ms`))
      try {
        child ??= startChild(parts, () => child, receive, lose)
        child.met.add(job.language)
        child.send(job)
      } catch (error) {
        fail(String(error))
      }
    },
    hasMet: (language: string) => child?.met.has(language) ?? false,
    end,
  }
}

type Pending = { job: Job; rank: number; settle: (outcome: JobOutcome) => void; early?: Lines }

/** A child process and its queue, ordered by rank, then by arrival. */
export const createLane = ({ maxWaiting, ...parts }: LaneParts): Lane => {
  let running: Pending | undefined
  const { run, hasMet, end } = createRunner(parts, (early) => Object.assign(running ?? {}, { early }))
  const queue: Pending[] = []

  const startNext = () => {
    const next = running ? undefined : queue.shift()
    if (!next) return
    running = next
    run(next.job, (outcome) => {
      running = undefined
      next.settle(outcome)
      startNext()
    })
  }

  const leave = (pending: Pending) => {
    const at = queue.indexOf(pending)
    if (at >= 0) queue.splice(at, 1)
    return at >= 0
  }

  const add = (job: Job, rank: number) => {
    const { promise: outcome, resolve: settle } = Promise.withResolvers<JobOutcome>()
    const pending: Pending = { job, rank, settle }
    const at = queue.findIndex((other) => other.rank > rank)
    queue.splice(at < 0 ? queue.length : at, 0, pending)
    startNext()
    // The job with the last place is dropped, perhaps the new one.
    if (queue.length > maxWaiting) queue.pop()?.settle('crowded')
    return { outcome, early: () => pending.early, leave: () => leave(pending) }
  }

  return {
    add,
    prepare: (job) => {
      if (!running && !hasMet(job.language)) add(job, 0)
    },
    close: end,
  }
}

// Messages between the highlighting process and its parent.

/** `isStarted`: the child and its grammar are loaded, and the job starts. */
export type JobResult =
  | { isStarted: true }
  /** A piece of the HTML: 10 MB at once would block the parent. */
  | { piece: string }
  /** Follows the last piece. @param residentBytes memory of the child */
  | (Omit<Lines, 'html'> & { residentBytes: number })
  | { failure: string }

/** The child process, for the highlighter. */
export type Child = {
  send: (job: Job) => void
  kill: () => void
  /** @returns its time on the processor so far, in ms; `undefined` where the system does not tell */
  processorMs: () => number | undefined
}
/** `quick`: short texts in their own language; `slow`: everything else, with a lower priority. */
export type LaneName = 'quick' | 'slow'
export type SpawnChild = (lane: LaneName, onResult: (result: JobResult) => void, onExit: () => void) => Child

/** Argument that turns the executable into the highlighting child. */
export const childCommand = 'highlight-child'

/** `utime` and `stime`, in hundredths of a second, follow the name, which may hold spaces: proc_pid_stat(5). Only on Linux. */
const processorMs = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return 10 * (Number(fields[11]) + Number(fields[12]))
  } catch {
    return
  }
}

/** On Linux this is the file that runs, even when an upgrade has put another one in its place. */
const ownFile = '/proc/self/exe'

/** Starts this program again as the child, both from source and from the executable. */
export const spawnSelf =
  (mainModule: string): SpawnChild =>
  (lane, onResult, onExit) => {
    const isCompiled = mainModule.includes('$bunfs') || mainModule.includes('~BUN')
    const command = isCompiled
      ? [existsSync(ownFile) ? ownFile : process.execPath, childCommand, lane]
      : [process.execPath, mainModule, childCommand, lane]
    const child = Bun.spawn(command, {
      argv0: process.execPath,
      // Returns freed memory at once: an idle child takes 49 MB instead of 55.
      env: { MIMALLOC_PURGE_DELAY: '0' },
      stdio: ['ignore', 'ignore', 'ignore'],
      ipc: (message) => onResult(message as JobResult),
      onExit,
    })
    return {
      send: (job) => child.send(job),
      kill: () => child.kill('SIGKILL'),
      processorMs: () => processorMs(child.pid),
    }
  }

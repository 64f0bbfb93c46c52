import { dropControls } from './ansi.ts'
import { renderPlain } from './plain.ts'
import type { Child, Job, SpawnChild } from './protocol.ts'

export type Rendering = {
  /** Lines of a paste. */
  html: string
  /** How many milliseconds they are worth keeping. */
  keepMs: number
  /** What became of a job that was still running when its reader had waited long enough. */
  later?: Promise<Rendering>
}

export type HighlighterParts = {
  spawn: SpawnChild
  /** Longest that a reader waits. */
  waitMs: number
  /** Longest that a job runs, which is less. */
  runMs: number
  /** Longest that a child takes to load itself and a grammar, which on a small and busy machine are seconds. */
  startMs: number
  /** How long a child may be idle before it is ended. */
  idleMs: number
  /** Larger texts are shown plain. */
  maxChars: number
  onFailure: (why: string) => void
}

export type Highlighter = {
  /** Never fails and never takes longer than the deadline: the worst answer is the escaped plain text. */
  render: (text: string, language: string) => Promise<Rendering>
  close: () => void
}

type Pending = { job: Job; settle: (html: string | undefined, keepMs: number) => void }

/** What failed is not tried again at each reading, but may have been the fault of a busy moment. */
const failureKeepMs = 60_000

/** Highlights in a child process, one job at a time, because only a process can be stopped in the middle of a line. */
export const createHighlighter = (parts: HighlighterParts): Highlighter => {
  const { spawn, waitMs, runMs, startMs, idleMs, maxChars, onFailure } = parts
  const queue: Pending[] = []
  let child: Child | undefined
  let running: Pending | undefined
  let runTimer: Timer | undefined
  let idleTimer: Timer | undefined

  const endChild = () => {
    clearTimeout(runTimer)
    clearTimeout(idleTimer)
    const ending = child
    child = undefined
    ending?.kill()
  }

  const finish = (html: string | undefined) => {
    clearTimeout(runTimer)
    const done = running
    running = undefined
    done?.settle(html, html === undefined ? failureKeepMs : Number.POSITIVE_INFINITY)
    startNext()
  }

  const fail = (why: string) => {
    onFailure(why)
    endChild()
    finish(undefined)
  }

  const allow = (ms: number, why: string) => {
    clearTimeout(runTimer)
    runTimer = setTimeout(() => fail(why), ms)
  }

  const startChild = () => {
    const started = spawn(
      (result) => {
        if (started !== child) return
        if ('isStarted' in result) return allow(runMs, `stopped after ${runMs} ms`)
        if ('failure' in result) onFailure(result.failure)
        finish('html' in result ? result.html : undefined)
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
    if (!running) {
      clearTimeout(idleTimer)
      idleTimer = setTimeout(endChild, idleMs)
      idleTimer.unref()
      return
    }
    clearTimeout(idleTimer)
    allow(startMs, `did not start within ${startMs} ms`)
    try {
      child ??= startChild()
      child.send(running.job)
    } catch (error) {
      fail(String(error))
    }
  }

  return {
    render: (text, language) => {
      let plainHtml: Promise<string> | undefined
      // At most once: who waited too long gets it, and so does who is told later that it failed.
      const plain = () => {
        plainHtml ??= renderPlain(language === 'ansi' ? dropControls(text) : text)
        return plainHtml
      }
      const plainFor = async (keepMs: number) => ({ html: await plain(), keepMs })
      if (language === 'text' || text.length > maxChars) return plainFor(Number.POSITIVE_INFINITY)
      const { promise: done, resolve: settle } = Promise.withResolvers<Rendering>()
      const pending: Pending = {
        job: { text, language },
        settle: (html, keepMs) => settle(html === undefined ? plainFor(keepMs) : { html, keepMs }),
      }
      queue.push(pending)
      startNext()
      return new Promise((resolve) => {
        const waitTimer = setTimeout(() => {
          // Waiting behind others is no fault of this text: it is highlighted when it is read the next time.
          const at = queue.indexOf(pending)
          if (at >= 0) queue.splice(at, 1)
          resolve(plainFor(0).then((now) => (at < 0 ? { ...now, later: done } : now)))
        }, waitMs)
        done.then((rendering) => {
          clearTimeout(waitTimer)
          resolve(rendering)
        })
      })
    },
    close: endChild,
  }
}

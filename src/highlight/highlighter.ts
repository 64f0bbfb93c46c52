import { dropControls } from './ansi.ts'
import { renderPlain } from './render.ts'

export type Job = { text: string; language: string }
export type JobResult = { html: string } | { failure: string }

/** HTML lines of a paste. `isFinal`: asking again would give the same, so it may be kept. */
export type Rendering = { html: string; isFinal: boolean }

/** The child process as the highlighter sees it. */
export type Child = { send: (job: Job) => void; kill: () => void }
export type SpawnChild = (onResult: (result: JobResult) => void, onExit: () => void) => Child

export type HighlighterParts = {
  spawn: SpawnChild
  /** Longest that a reader waits; a job that ran longer than `runMs`, which is less, is stopped for good. */
  waitMs: number
  runMs: number
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

type Pending = { job: Job; settle: (html: string | undefined, isFinal: boolean) => void }

/** Highlights in a child process, one job at a time, because only a process can be stopped in the middle of a line. */
export const createHighlighter = (parts: HighlighterParts): Highlighter => {
  const { spawn, waitMs, runMs, idleMs, maxChars, onFailure } = parts
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
    done?.settle(html, true)
    startNext()
  }

  const fail = (why: string) => {
    onFailure(why)
    endChild()
    finish(undefined)
  }

  const startChild = () => {
    const started = spawn(
      (result) => {
        if (started !== child) return
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
    runTimer = setTimeout(() => fail(`stopped after ${runMs} ms`), runMs)
    try {
      child ??= startChild()
      child.send(running.job)
    } catch (error) {
      fail(String(error))
    }
  }

  return {
    render: (text, language) => {
      const plain = () => renderPlain(language === 'ansi' ? dropControls(text) : text)
      if (language === 'text' || text.length > maxChars)
        return Promise.resolve({ html: plain(), isFinal: true })
      return new Promise((resolve) => {
        const settle = (html: string | undefined, isFinal: boolean) => {
          clearTimeout(waitTimer)
          resolve({ html: html ?? plain(), isFinal })
        }
        const pending = { job: { text, language }, settle }
        // Waiting behind others is no fault of this text: it is shown plain now and highlighted the next time.
        const waitTimer = setTimeout(() => {
          const at = queue.indexOf(pending)
          if (at >= 0) queue.splice(at, 1)
          settle(undefined, false)
        }, waitMs)
        queue.push(pending)
        startNext()
      })
    },
    close: endChild,
  }
}

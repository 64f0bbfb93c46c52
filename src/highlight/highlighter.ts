import type { LaneName } from './child/protocol.ts'
import { createLane, type JobOutcome, type LaneParts } from './lane.ts'
import type { Lines } from './render.ts'

/** What came of highlighting, in time for its reader. */
export type Highlighting = {
  /** `undefined`: the text is shown plain. */
  lines: Lines | undefined
  /** True where it was tried: what failed is not tried again at each reading. */
  isFailed: boolean
  /** What became of a job that was still running when its reader had waited long enough. */
  later?: Promise<Highlighting>
}

export type HighlighterParts = Omit<LaneParts, 'name' | 'idleMs' | 'maxWaiting' | 'maxChildBytes'> & {
  /** Longest that a reader waits, which is more than a job runs. */
  waitMs: number
  /** How long the child of either lane may be idle before it is ended. */
  idleMs: Record<LaneName, number>
  /** What the child of either lane may take after a job. */
  maxChildBytes: Record<LaneName, number>
  /** Larger texts are shown plain. */
  maxChars: number
}

export type Highlighter = {
  /** False for what is shown plain whatever happens. */
  isHighlightable: (text: string, language: string) => boolean
  /**
   * Of a text that is highlightable. Never fails and never takes longer than the deadline.
   * @param isOwnLanguage false where a reader wants to read it in another one
   */
  highlight: (text: string, language: string, isOwnLanguage: boolean) => Promise<Highlighting>
  close: () => void
}

/** Takes a tenth of a second. */
const quickChars = 64 * 1024

/** Twelve seconds of work; whoever comes after would wait in vain. */
const maxWaiting = { quick: 64, slow: 8 }

const highlightingOf = (outcome: JobOutcome): Highlighting =>
  typeof outcome === 'string'
    ? { lines: undefined, isFailed: outcome === 'failed' }
    : { lines: outcome, isFailed: false }

/**
 * Highlights in two child processes. A running job cannot make room for another one, so what most readers wait for,
 * short texts in their own language, has a process of its own; the other one is started when something else is asked for.
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

  const add = (text: string, language: string, isOwnLanguage: boolean) => {
    const job = { text, language }
    if (isOwnLanguage && text.length <= quickChars) return quick.add(job, text.length)
    return slow.add(job, isOwnLanguage ? text.length : maxChars + text.length)
  }

  return {
    isHighlightable: (text, language) => language !== 'text' && text.length <= maxChars,

    highlight: (text, language, isOwnLanguage) => {
      const { outcome, leave } = add(text, language, isOwnLanguage)
      const done = outcome.then(highlightingOf)
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          // Waiting behind others is no fault of this text: it is highlighted when it is read the next time.
          const late = { lines: undefined, isFailed: false }
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

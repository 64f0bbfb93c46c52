import { createLane, type JobOutcome, type LaneName, type LaneParts } from './lane.ts'
import type { Job, Lines } from './lines.ts'
import { isShownAsLog } from './log.ts'

/** The result of highlighting, when its reader gets it. */
export type Highlighting = {
  /** `undefined` if the text is shown plain. */
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
  close: () => void
}

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

    highlight: (job, isUsual) => {
      const { outcome, leave } = add(job, isUsual)
      const done = outcome.then(highlightingOf)
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          // Only the queue was too long, so the text did not fail: its next read tries again.
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

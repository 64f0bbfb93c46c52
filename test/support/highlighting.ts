import { join } from 'node:path'
import {
  createHighlighter,
  type HighlighterParts,
  type JobResult,
  type LaneName,
  type SpawnChild,
  spawnSelf,
} from '../../src/highlight/highlighter.ts'
import { type Job, plainPieces, renderPlain } from '../../src/highlight/lines.ts'
import { repository } from './process.ts'

/** Shorter than the wait, as the highlighter demands. */
export const times = {
  waitMs: 2000,
  runMs: 1800,
  stuckMs: 60_000,
  idleMs: { quick: 60_000, slow: 10_000 },
}

export const maxChars = 200_000
export const maxChildBytes = { quick: 1_000_000, slow: 500_000 }

/** What a reader is told. */
export const highlighted = (html: string) => ({
  lines: { html: [html], shown: 1, total: 1, isPartial: false },
  isFailed: false,
})
export const failed = { lines: undefined, isFailed: true }
export const notNow = { lines: undefined, isFailed: false }

/** A text without a grammar. */
export const plainHtml = (text: string) => [...plainPieces(text)].join('')

type FakeChild = {
  lane: LaneName
  jobs: Job[]
  isKilled: boolean
  /** Its time on the processor; `undefined` as on a system that does not tell. */
  processorMs: number | undefined
  answer: (result: JobResult) => void
  /** Answers the job. */
  finish: (html: string, residentBytes?: number) => void
  end: () => void
}

/** A highlighter whose children do what a test tells them. @param refuse makes a spawn, a send or a start fail */
export const withFakeChildren = (refuse: { spawn?: boolean; send?: boolean; start?: boolean } = {}) => {
  const children: FakeChild[] = []
  const failures: string[] = []
  const spawn: SpawnChild = (lane, answer, end) => {
    if (refuse.spawn) throw new Error('no more processes')
    const finish: FakeChild['finish'] = (html, residentBytes = 0) => {
      answer({ piece: html })
      answer({ shown: 1, total: 1, isPartial: false, residentBytes })
    }
    const child: FakeChild = { lane, jobs: [], isKilled: false, processorMs: undefined, answer, finish, end }
    children.push(child)
    return {
      send: (job) => {
        if (refuse.send) throw new Error('broken pipe')
        child.jobs.push(job)
        if (!refuse.start) answer({ isStarted: true })
      },
      kill: () => {
        child.isKilled = true
      },
      processorMs: () => child.processorMs,
    }
  }
  const highlighter = createHighlighter({
    ...times,
    spawn,
    maxChars,
    maxChildBytes,
    onFailure: (why) => failures.push(why),
  })
  return {
    ...highlighter,
    /** In the paste's own language. */
    highlight: (text: string, language: string, isOwnLanguage = true) =>
      highlighter.highlight({ text, language }, isOwnLanguage),
    ask: highlighter.highlight,
    failures,
    children,
    /** @throws when there is no such child */
    child: (at: number) => {
      const child = children[at]
      if (!child) throw new Error(`there is no child ${at}`)
      return child
    },
  }
}

/** Starts the real child, from source. */
export const spawnReal = spawnSelf(join(repository, 'src/main.ts'))

/**
 * A highlighter with the real child, and so patient that a machine under load fails nothing: the deadlines have their
 * tests in highlighter.test.ts.
 */
export const withRealChild = (other: Partial<HighlighterParts> = {}) => {
  const failures: string[] = []
  const highlighter = createHighlighter({
    spawn: spawnReal,
    waitMs: 60_000,
    runMs: 50_000,
    stuckMs: 50_000,
    idleMs: { quick: 60_000, slow: 60_000 },
    maxChars: 100_000,
    maxChildBytes: { quick: Number.POSITIVE_INFINITY, slow: Number.POSITIVE_INFINITY },
    onFailure: (why) => failures.push(why),
    ...other,
  })
  /** The lines of a text in its own language. @throws where they should be highlighted and are not */
  const render = async (text: string, language: string) => {
    const lines = highlighter.isHighlightable({ text, language })
      ? (await highlighter.highlight({ text, language }, true)).lines
      : await renderPlain(text, language)
    if (!lines) throw new Error(`not highlighted: ${failures}`)
    return { ...lines, html: lines.html.join('') }
  }
  return { ...highlighter, render, failures }
}

import type { CompareWith } from '../compare/diff-html.ts'
import type { Lines } from '../lines.ts'
import type { Show } from '../show.ts'

// Messages between the highlighting process and its parent.

/**
 * @param show what the page shows instead of the whole text as it is
 * @param compare the text is compared with another one
 */
export type Job = { text: string; language: string; show?: Show; compare?: CompareWith }

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

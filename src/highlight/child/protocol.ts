import type { Lines } from '../render.ts'
// What the highlighting process and its parent say to each other.

export type Job = { text: string; language: string }

/** `isStarted`: the child and its grammar are loaded, and the job itself begins. */
export type JobResult =
  | { isStarted: true }
  /** A piece of the HTML: 10 MB at once would hold up the parent. */
  | { piece: string }
  /** All pieces were sent. @param residentBytes memory of the child */
  | (Omit<Lines, 'html'> & { residentBytes: number })
  | { failure: string }

/** The child process as the highlighter sees it. */
export type Child = { send: (job: Job) => void; kill: () => void }
/** `quick`: short texts in their own language; `slow`: everything else, whose readers come last. */
export type LaneName = 'quick' | 'slow'
export type SpawnChild = (lane: LaneName, onResult: (result: JobResult) => void, onExit: () => void) => Child

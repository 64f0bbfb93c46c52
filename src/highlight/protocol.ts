// What the highlighting process and its parent say to each other.

export type Job = { text: string; language: string }
/** `isStarted`: the child and its grammar are loaded, and the job itself begins. */
export type JobResult = { isStarted: true } | { html: string } | { failure: string }

/** The child process as the highlighter sees it. */
export type Child = { send: (job: Job) => void; kill: () => void }
export type SpawnChild = (onResult: (result: JobResult) => void, onExit: () => void) => Child

const children = new Set<Bun.Subprocess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

/** Ends a child with this process at the latest. @returns what ends it */
export const keep = (child: Bun.Subprocess) => {
  children.add(child)
  child.exited.then(() => children.delete(child))
  return () => {
    child.kill('SIGTERM')
    return child.exited
  }
}

/** To be called when something is done, the last one first. */
export type Defer = (close: () => unknown) => void

/** Calls what was deferred in `work` when that is done, the last one first. */
export const withClosers = async <T>(work: (defer: Defer) => Promise<T>): Promise<T> => {
  const closers: (() => unknown)[] = []
  try {
    return await work((close) => closers.push(close))
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

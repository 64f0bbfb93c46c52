/** Whether the last write reached the disk. */
export type Health = {
  isGood: () => boolean
  /** Passes on what a write does, and remembers how it ended. */
  watch: <T>(write: Promise<T>) => Promise<T>
  close: () => void
}

/** How often a failed disk is tried again, so that a server nobody writes to notices that it is well. */
const retryMs = 5000

/** @param tryWrite a write that changes nothing anybody sees */
export const createHealth = (tryWrite: () => Promise<void>): Health => {
  let isGood = true
  let timer: Timer | undefined

  const succeed = () => {
    isGood = true
    clearTimeout(timer)
  }
  const fail = () => {
    isGood = false
    clearTimeout(timer)
    timer = setTimeout(() => tryWrite().then(succeed, fail), retryMs)
    timer.unref()
  }
  return {
    isGood: () => isGood,
    watch: async (write) => {
      try {
        const result = await write
        succeed()
        return result
      } catch (error) {
        fail()
        throw error
      }
    },
    close: () => clearTimeout(timer),
  }
}

/** Whether the last write reached the disk. */
export type Health = {
  isGood: () => boolean
  /** Passes on what a write does, and remembers how it ended. */
  watch: <T>(write: Promise<T>) => Promise<T>
  close: () => void
}

export type HealthParts = {
  /** A write that changes nothing anybody sees. */
  tryWrite: () => Promise<void>
  onChange: (isGood: boolean) => void
}

/** How often a failed disk is tried again, so that a server nobody writes to notices that it is well. */
const retryMs = 1000

export const createHealth = ({ tryWrite, onChange }: HealthParts): Health => {
  let isGood = true
  let timer: Timer | undefined

  const become = (isGoodNow: boolean) => {
    clearTimeout(timer)
    if (isGood !== isGoodNow) onChange(isGoodNow)
    isGood = isGoodNow
    if (isGood) return
    timer = setTimeout(() => tryWrite().then(succeed, fail), retryMs)
    timer.unref()
  }
  const succeed = () => become(true)
  const fail = () => become(false)

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

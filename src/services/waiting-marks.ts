import type { ExpiryIndex, Mark } from '../store/derived/expiry-index.ts'

/** The marks of the hours that have begun, which are few; those of later hours stay on disk until then. */
export type WaitingMarks = {
  /** Durable once it answers. @throws {AppError} storage errors */
  add: (mark: Mark) => Promise<void>
  /** Reads what belongs to the hours up to this one. @returns false when that was done before */
  readUpTo: (hour: number) => Promise<boolean>
  /** @param time milliseconds since the epoch */
  dueAt: (time: number) => Mark[]
  remove: (mark: Mark) => Promise<void>
  /** Removes the empty folders of the hours before this one. */
  closeBefore: (hour: number) => Promise<void>
}

const keyOf = ({ kind, id }: Mark) => `${kind}-${id}`

/** @param isKnown false for kinds of another version, whose marks are left alone */
export const createWaitingMarks = (index: ExpiryIndex, isKnown: (kind: string) => boolean): WaitingMarks => {
  const { hourOf } = index
  const marks = new Map<string, Mark>()
  const openHours = new Set<number>()
  let knownHour = -1

  const know = (mark: Mark) => {
    openHours.add(hourOf(mark.expiresAt))
    if (isKnown(mark.kind)) marks.set(keyOf(mark), mark)
  }

  const readHours = async (after: number, last: number) => {
    for (const hour of await index.hours()) {
      if (hour <= after || hour > last) continue
      openHours.add(hour)
      for (const mark of await index.marksOf(hour)) know(mark)
    }
  }

  return {
    add: async (mark) => {
      await index.add(mark)
      if (hourOf(mark.expiresAt) <= knownHour) know(mark)
    },

    readUpTo: async (hour) => {
      const former = knownHour
      if (hour <= former) return false
      // First, so that a mark put beside those that are being read is known as well.
      knownHour = hour
      try {
        await readHours(former, hour)
        return true
      } catch (error) {
        knownHour = former
        throw error
      }
    },

    dueAt: (time) => [...marks.values()].filter(({ expiresAt }) => expiresAt <= time),

    remove: async (mark) => {
      await index.remove(mark)
      marks.delete(keyOf(mark))
    },

    closeBefore: async (hour) => {
      const past = [...openHours].filter((one) => one < hour)
      if (past.length === 0) return
      const needed = new Set([...marks.values()].map(({ expiresAt }) => hourOf(expiresAt)))
      for (const one of past) {
        if (needed.has(one)) continue
        openHours.delete(one)
        await index.close(one)
      }
    },
  }
}

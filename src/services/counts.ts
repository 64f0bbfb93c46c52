import type { ItemKind } from '../items/ids.ts'
import type { CountChange, CountsStore } from '../store/derived/counts-store.ts'

type CountsParts = {
  store: CountsStore
  /** How long a count may stay only in memory. */
  flushMs: number
  /** Called after the counts of these items were written. */
  onWritten: (items: readonly Pick<CountChange, 'kind' | 'id'>[]) => void
  /** Called when reading or writing starts to fail, and when it works again. */
  onChange: (isGood: boolean, cause: unknown) => void
}

/** A step blocks the event loop for 1 ms: 1,000 ids took 12 ms. */
const idsPerStep = 100

const minuteMs = 60_000

/** What is written at once. */
type Step = { changes: readonly CountChange[]; uses: ReadonlyMap<string, number> }

/** Changes that are not on disk yet. */
const createPending = () => {
  const changes = new Map<string, CountChange>()
  /** A step whose write failed: whether it is stored nobody knows, so it is written again as it is. */
  let failed: Step | undefined
  const uses = new Map<string, number>()
  /** The last recorded minute per key, so a key in use is written once per minute. */
  const usedMinutes = new Map<string, number>()
  return {
    isEmpty: () => changes.size + uses.size === 0 && failed === undefined,
    steps: () => Math.ceil(changes.size / idsPerStep) + (failed ? 1 : 0),

    add: (kind: ItemKind, id: string) => {
      const key = `${kind}/${id}`
      const change = changes.get(key)
      if (!change) changes.set(key, { kind, id, by: 1 })
      // A late read of a deleted item does not count.
      else if (change.by !== 'forgotten') change.by++
    },
    forget: (kind: ItemKind, id: string) => void changes.set(`${kind}/${id}`, { kind, id, by: 'forgotten' }),
    keyUsed: (name: string, usedAt: number) => {
      const minute = usedAt - (usedAt % minuteMs)
      if (usedMinutes.get(name) === minute) return
      usedMinutes.set(name, minute)
      uses.set(name, minute)
    },

    /** The count of an item, given the stored part. */
    sum: (kind: ItemKind, id: string, stored = 0) => {
      const again = failed?.changes.find((one) => one.kind === kind && one.id === id)?.by ?? 0
      const by = changes.get(`${kind}/${id}`)?.by ?? 0
      return by === 'forgotten' || again === 'forgotten' ? 0 : stored + again + by
    },
    /** Takes the next ids, or what failed. What comes meanwhile waits. */
    takeStep: (): Step => {
      const step = failed ?? { changes: [...changes.values().take(idsPerStep)], uses: new Map(uses) }
      if (!failed) {
        for (const { kind, id } of step.changes) changes.delete(`${kind}/${id}`)
        uses.clear()
      }
      failed = undefined
      return step
    },
    putBack: (step: Step) => {
      failed = step
    },
  }
}

type Pending = ReturnType<typeof createPending>

/** Writes one step after the other. */
const createSteps = (pending: Pending, { store, onWritten }: Pick<CountsParts, 'store' | 'onWritten'>) => {
  /** The step that is being written, and how many were begun. */
  let step: Promise<unknown> | undefined
  let steps = 0

  const writeTaken = async (taken: Step) => {
    try {
      await store.write(taken.changes, taken.uses)
    } catch (error) {
      pending.putBack(taken)
      throw error
    }
    onWritten(taken.changes)
  }

  return {
    write: async () => {
      steps++
      step = writeTaken(pending.takeStep())
      await step
      step = undefined
    },
    /** The stored counts plus the pending ones, as they are while nothing is being written: none is in both. */
    sums: async (kind: ItemKind, ids: readonly string[]) => {
      for (;;) {
        await step?.catch(() => {})
        const before = steps
        const found = await store.get(kind, ids)
        if (steps === before) return ids.map((id) => pending.sum(kind, id, found.get(id)))
      }
    },
  }
}

/** Writes pending changes `flushMs` after the first of them, until none are left. */
const createWriter = (pending: Pending, parts: CountsParts) => {
  const { store, flushMs, onChange } = parts
  const steps = createSteps(pending, parts)
  let timer: Timer | undefined
  let isClosed = false
  let isGood = true
  let flushing: Promise<void> = Promise.resolve()

  const become = (isGoodNow: boolean, cause?: unknown) => {
    if (isGood !== isGoodNow) onChange(isGoodNow, cause)
    isGood = isGoodNow
  }

  const schedule = () => {
    if (timer !== undefined || isClosed || pending.isEmpty()) return
    timer = setTimeout(flush, flushMs)
    timer.unref()
  }

  /** Changes that arrive meanwhile wait for the next flush, so visitors cannot keep this running. */
  const writeAll = async () => {
    try {
      await store.prepare()
      for (let left = pending.steps(); left > 1; left--) {
        await steps.write()
        await new Promise((resolve) => setImmediate(resolve))
      }
      await steps.write()
      become(true)
    } catch (cause) {
      become(false, cause)
    }
    schedule()
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (!pending.isEmpty()) flushing = flushing.then(writeAll)
    return flushing
  }

  return {
    sums: steps.sums,
    become,
    schedule,
    flush,
    close: async () => {
      isClosed = true
      await flush()
      store.close()
    },
  }
}

/** Counts reads and visits, and remembers when keys were last used. */
export const createCounts = (parts: CountsParts) => {
  const pending = createPending()
  const { sums, become, schedule, flush, close } = createWriter(pending, parts)

  /** Calls `note` and schedules a flush within `flushMs`. */
  const noting =
    <A extends unknown[]>(note: (...args: A) => void) =>
    (...args: A) => {
      note(...args)
      schedule()
    }

  const ofMany = (kind: ItemKind, ids: readonly string[]): Promise<readonly number[]> =>
    sums(kind, ids).catch((cause) => {
      become(false, cause)
      return ids.map((id) => pending.sum(kind, id))
    })

  return {
    /** Adds one, in memory; it reaches the disk within about a second. */
    add: noting(pending.add),
    /** Drops the count of a deleted item with the next write. */
    forget: noting(pending.forget),
    /** Records the use of a key; only the minute is written. */
    keyUsed: noting(pending.keyUsed),
    /** The stored counts plus the pending ones, in the order of the ids. If the store fails, only the pending ones. */
    ofMany,
    of: async (kind: ItemKind, id: string) => (await ofMany(kind, [id]))[0] ?? 0,
    /** Writes what is pending. Never rejects: what could not be written stays pending. */
    flush,
    /** Writes for the last time and closes the store. */
    close,
  }
}
export type Counts = ReturnType<typeof createCounts>

import type { ItemKind } from '../items/ids.ts'
import type { CountChange, CountsStore } from '../store/store.ts'

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

/** Changes that are not on disk yet. */
const createPending = () => {
  const changes = new Map<string, CountChange>()
  const uses = new Map<string, number>()
  /** The last recorded minute per key, so a key in use is written once per minute. */
  const usedMinutes = new Map<string, number>()
  return {
    isEmpty: () => changes.size + uses.size === 0,
    steps: () => Math.ceil(changes.size / idsPerStep),

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
      const by = changes.get(`${kind}/${id}`)?.by ?? 0
      return by === 'forgotten' ? 0 : stored + by
    },
    /** Writes the next ids; they stay pending if `write` throws. @returns what was written */
    writeStep: (write: CountsStore['write']) => {
      const step = [...changes.entries().take(idsPerStep)]
      const written = step.map(([, change]) => change)
      write(written, uses)
      for (const [key] of step) changes.delete(key)
      uses.clear()
      return written
    },
  }
}

type Pending = ReturnType<typeof createPending>

/** Writes pending changes `flushMs` after the first of them, until none are left. */
const createWriter = (pending: Pending, { store, flushMs, onWritten, onChange }: CountsParts) => {
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
      for (let steps = pending.steps(); steps > 1; steps--) {
        onWritten(pending.writeStep(store.write))
        await new Promise((resolve) => setImmediate(resolve))
      }
      onWritten(pending.writeStep(store.write))
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
  const { become, schedule, flush, close } = createWriter(pending, parts)

  /** Calls `note` and schedules a flush within `flushMs`. */
  const noting =
    <A extends unknown[]>(note: (...args: A) => void) =>
    (...args: A) => {
      note(...args)
      schedule()
    }

  const ofMany = (kind: ItemKind, ids: readonly string[]): readonly number[] => {
    let stored: ReadonlyMap<string, number> = new Map()
    try {
      stored = parts.store.get(kind, ids)
    } catch (cause) {
      become(false, cause)
    }
    return ids.map((id) => pending.sum(kind, id, stored.get(id)))
  }

  return {
    /** Adds one, in memory; it reaches the disk within about a second. */
    add: noting(pending.add),
    /** Drops the count of a deleted item with the next write. */
    forget: noting(pending.forget),
    /** Records the use of a key; only the minute is written. */
    keyUsed: noting(pending.keyUsed),
    /** The stored counts plus the pending ones, in the order of the ids. If the disk fails, only the pending ones. */
    ofMany,
    of: (kind: ItemKind, id: string) => ofMany(kind, [id])[0] ?? 0,
    /** Writes what is pending. Never rejects: what could not be written stays pending. */
    flush,
    /** Writes for the last time and closes the store. */
    close,
  }
}
export type Counts = ReturnType<typeof createCounts>

import type { ItemKind } from '../items/ids.ts'
import type { CountChange, CountsStore } from '../store/derived/counts-store.ts'

/** How often items were read or followed, and when keys were last used. */
export type Counts = {
  /** Notes one more, in memory alone; it is on disk within about a second. */
  add: (kind: ItemKind, id: string) => void
  /** What is stored and what is not yet. Never throws: without the disk it tells what memory holds. */
  of: (kind: ItemKind, id: string) => number
  /** The counts of many items, in the order of their ids. */
  ofMany: (kind: ItemKind, ids: readonly string[]) => readonly number[]
  /** Drops the count of an item that is no more, with the next write. */
  forget: (kind: ItemKind, id: string) => void
  /** Notes that a key was used; the disk gets the minute alone. */
  keyUsed: (name: string, usedAt: number) => void
  /** Writes what memory holds. Never rejects: what could not be written is kept for the next time. */
  flush: () => Promise<void>
  /** Writes for the last time. */
  close: () => Promise<void>
}

export type CountsParts = {
  store: CountsStore
  /** How long a count may stay in memory alone. */
  flushMs: number
  /** Told when reading or writing begins to fail, and when it works again. */
  onChange: (isGood: boolean, cause: unknown) => void
}

/** A step holds up the event loop: 1 ms, as measured for 1,000 ids in 12 ms. */
const idsPerStep = 100

const minuteMs = 60_000

/** What is in memory alone. */
const createPending = () => {
  const changes = new Map<string, CountChange>()
  const uses = new Map<string, number>()
  /** The minute that was noted last for each key: a key in use is written once a minute. */
  const usedMinutes = new Map<string, number>()
  return {
    isEmpty: () => changes.size + uses.size === 0,
    steps: () => Math.ceil(changes.size / idsPerStep),

    add: (kind: ItemKind, id: string) => {
      const key = `${kind}/${id}`
      const change = changes.get(key)
      if (!change) changes.set(key, { kind, id, by: 1 })
      // Whoever still saw it counts no more.
      else if (change.by !== 'forgotten') change.by++
    },
    forget: (kind: ItemKind, id: string) => changes.set(`${kind}/${id}`, { kind, id, by: 'forgotten' }),
    keyUsed: (name: string, usedAt: number) => {
      const minute = usedAt - (usedAt % minuteMs)
      if (usedMinutes.get(name) === minute) return
      usedMinutes.set(name, minute)
      uses.set(name, minute)
    },

    /** What an item's count is, with this much of it stored. */
    sum: (kind: ItemKind, id: string, stored = 0) => {
      const by = changes.get(`${kind}/${id}`)?.by ?? 0
      return by === 'forgotten' ? 0 : stored + by
    },
    /** Kept where the write fails. @throws what it throws */
    writeStep: (write: CountsStore['write']) => {
      const step = [...changes.entries().take(idsPerStep)]
      write(
        step.map(([, change]) => change),
        uses,
      )
      for (const [key] of step) changes.delete(key)
      uses.clear()
    },
  }
}

type Pending = ReturnType<typeof createPending>

/** Writes what is pending, a while after it came, until there is nothing left. */
const createWriter = (pending: Pending, { store, flushMs, onChange }: CountsParts) => {
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

  /** What comes meanwhile waits for the next second: no visitor keeps this going. */
  const writeAll = async () => {
    try {
      await store.prepare()
      for (let steps = pending.steps(); steps > 1; steps--) {
        pending.writeStep(store.write)
        await new Promise((resolve) => setImmediate(resolve))
      }
      pending.writeStep(store.write)
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

export const createCounts = (parts: CountsParts): Counts => {
  const pending = createPending()
  const { become, schedule, flush, close } = createWriter(pending, parts)

  /** Calls `note`, and has written what it noted within `flushMs`. */
  const noting =
    <A extends unknown[]>(note: (...args: A) => void) =>
    (...args: A) => {
      note(...args)
      schedule()
    }

  const ofMany: Counts['ofMany'] = (kind, ids) => {
    let stored: ReadonlyMap<string, number> = new Map()
    try {
      stored = parts.store.get(kind, ids)
    } catch (cause) {
      become(false, cause)
    }
    return ids.map((id) => pending.sum(kind, id, stored.get(id)))
  }

  return {
    add: noting(pending.add),
    forget: noting(pending.forget),
    keyUsed: noting(pending.keyUsed),
    ofMany,
    of: (kind, id) => ofMany(kind, [id])[0] ?? 0,
    flush,
    close,
  }
}

import type { ItemKind } from '../items/ids.ts'
import type { ItemStore, StoredItem } from '../store/store.ts'
import type { Counts } from './counts.ts'

type SweepParts = {
  stores: Readonly<Record<ItemKind, Pick<ItemStore<StoredItem>, 'due' | 'eraseDue'>>>
  counts: Pick<Counts, 'forget'>
  /** Called when an erasure failed; it will be tried again. */
  onFailure: (what: string, cause: unknown) => void
}

export const sweepMs = 5000

/** More would delay the fsyncs of requests; one at a time manages only a few hundred per second. */
const erasedAtOnce = 8

/** Items per lookup. A full batch means that there may be more. */
const dueAtOnce = 1000

/** Erases expired items from disk. */
export const createSweep = ({ stores, counts, onFailure }: SweepParts) => {
  let isStopped = false
  let running: Promise<void> | undefined
  let timer: Timer | undefined

  /** @returns true if there may be more */
  const eraseSome = async (kind: ItemKind) => {
    const store = stores[kind]
    const failures: unknown[] = []
    const due = await store.due(dueAtOnce).catch((error) => {
      failures.push(error)
      return []
    })
    const isMore = due.length === dueAtOnce
    const work = async () => {
      for (let row = due.shift(); row && !isStopped; row = due.shift())
        try {
          if (await store.eraseDue(row)) counts.forget(kind, row.id)
        } catch (error) {
          failures.push(error)
        }
    }
    await Promise.all(Array.from({ length: erasedAtOnce }, work))
    if (failures.length) onFailure(`expired items are not erased yet: ${failures.length}`, failures[0])
    return isMore && !isStopped && failures.length === 0
  }

  const sweep = async () => {
    for (const kind of Object.keys(stores) as ItemKind[]) while (await eraseSome(kind));
  }

  const run = () => {
    running ??= sweep().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    /** Erases what is due, and resolves when done. A call during a sweep joins it. */
    run,
    /** Sweeps now, and then every `sweepMs`. */
    start: () => {
      timer = setInterval(run, sweepMs)
      timer.unref()
      void run()
    },
    /** Stops; resolves when no erasure is in flight. */
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}

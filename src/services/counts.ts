import type { ItemKind } from '../items/ids.ts'
import type { CountsStore } from '../store/derived/counts-store.ts'

/** How often items were read or followed. */
export type Counts = {
  /** Notes one more, in memory alone; it is on disk within about a second. */
  add: (kind: ItemKind, id: string) => void
  /** What is stored and what is not yet. Never rejects: without the disk it tells what memory holds. */
  of: (kind: ItemKind, id: string) => Promise<number>
  /** Drops the count of an item that is no more, with the next write. */
  forget: (kind: ItemKind, id: string) => void
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

const kinds = ['paste', 'link'] as const satisfies readonly ItemKind[]
const collectionOf = { paste: 'pastes', link: 'links' } as const

/** With it no sum is positive, whatever is stored and whatever comes after it. */
const forgotten = Number.NEGATIVE_INFINITY

const none = (): Record<ItemKind, Map<string, number>> => ({ paste: new Map(), link: new Map() })

const addTo = (counts: Map<string, number>, id: string, change: number) =>
  counts.set(id, (counts.get(id) ?? 0) + change)

export const createCounts = ({ store, flushMs, onChange }: CountsParts): Counts => {
  let waiting = none()
  /** Taken from `waiting` by a flush that is not through yet. */
  let leaving = none()
  let timer: Timer | undefined
  let isClosed = false
  let isGood = true
  let turn: Promise<unknown> = Promise.resolve()
  let flushing: Promise<void> = Promise.resolve()

  const become = (isGoodNow: boolean, cause?: unknown) => {
    if (isGood !== isGoodNow) onChange(isGoodNow, cause)
    isGood = isGoodNow
  }

  /** One after the other, so that nothing is seen both as stored and as leaving. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  const change = (kind: ItemKind, id: string, by: number) => {
    addTo(waiting[kind], id, by)
    if (timer !== undefined || isClosed) return
    timer = setTimeout(flush, flushMs)
    timer.unref()
  }

  const writeShard = async (kind: ItemKind, shard: string, changes: Map<string, number>) => {
    await store.add(collectionOf[kind], shard, changes)
    for (const id of changes.keys()) leaving[kind].delete(id)
  }

  const writeAll = async () => {
    leaving = waiting
    waiting = none()
    let failure: { cause: unknown } | undefined
    for (const kind of kinds) {
      const shards = Map.groupBy(leaving[kind], ([id]) => store.shardOf(id))
      for (const [shard, changes] of shards)
        await inTurn(() => writeShard(kind, shard, new Map(changes))).catch((cause) => {
          failure = { cause }
        })
    }
    const kept = leaving
    leaving = none()
    for (const kind of kinds) for (const [id, count] of kept[kind]) change(kind, id, count)
    become(failure === undefined, failure?.cause)
  }

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (kinds.some((kind) => waiting[kind].size > 0)) flushing = flushing.then(writeAll)
    return flushing
  }

  return {
    add: (kind, id) => change(kind, id, 1),
    forget: (kind, id) => change(kind, id, forgotten),

    of: (kind, id) =>
      inTurn(async () => {
        const stored = await store.get(collectionOf[kind], id).catch((cause) => {
          become(false, cause)
          return 0
        })
        const sum = stored + (leaving[kind].get(id) ?? 0) + (waiting[kind].get(id) ?? 0)
        return Math.max(0, sum)
      }),

    flush,
    close: () => {
      isClosed = true
      return flush()
    },
  }
}

import type { ItemKind } from '../items/ids.ts'
import type { ExpiryIndex, Mark } from '../store/derived/expiry-index.ts'
import type { Collection } from '../store/documents/collection.ts'
import { createWaitingMarks } from './waiting-marks.ts'

type Expiring = { id: string; expiresAt?: number }
type Erasable = Pick<Collection<Expiring>, 'peek' | 'load' | 'erase' | 'all'>

export type SweepParts = {
  index: ExpiryIndex
  collections: Readonly<Record<ItemKind, Erasable>>
  /** Milliseconds since the epoch. */
  now: () => number
  /** Told of each item that was erased, where it could be read. */
  onErased: (kind: ItemKind, item: Expiring) => Promise<void>
  /** Told of what failed and will be tried again. */
  onFailure: (what: string, cause: unknown) => void
}

/** Sees to it that an item will be erased; durable once it answers. @throws {AppError} storage errors */
export type AddExpiry = (kind: ItemKind, id: string, expiresAt: number) => Promise<void>

/** Erases from disk what has expired. */
export type Sweep = {
  add: AddExpiry
  /** Erases what is due; resolves when that is done. One that runs already is joined. */
  run: () => Promise<void>
  /** Sweeps now, and from now on every `sweepMs`. */
  start: () => void
  /** Ends it; resolves when no erasure is under way any more. */
  stop: () => Promise<void>
}

export const sweepMs = 5000

/** More would crowd out the fsyncs of requests; one alone manages some hundred a second. */
const erasedAtOnce = 8

export const createSweep = ({ index, collections, now, onErased, onFailure }: SweepParts): Sweep => {
  const marks = createWaitingMarks(index, (kind) => Object.hasOwn(collections, kind))
  let isStopped = false
  let running: Promise<void> | undefined
  let completing: Promise<void> | undefined
  let timer: Timer | undefined

  /** Where an item was never written, its mark may meet another of the same id. A damaged one is due by its mark. */
  const eraseMeant = async (kind: ItemKind, { id, expiresAt }: Mark) => {
    const collection = collections[kind]
    const item = collection.peek(id) ?? (await collection.load(id).catch(() => undefined))
    const isReadable = typeof item === 'object'
    if (isReadable && item.expiresAt !== expiresAt) return
    const isErased = await collection.erase(id)
    if (isErased && isReadable) await onErased(kind, item)
  }

  const erase = async (mark: Mark) => {
    await eraseMeant(mark.kind as ItemKind, mark)
    await marks.remove(mark)
  }

  const eraseDue = async () => {
    const due = marks.dueAt(now())
    const failures: unknown[] = []
    const work = async () => {
      while (!isStopped) {
        const mark = due.pop()
        if (!mark) return
        await erase(mark).catch((error) => failures.push(error))
      }
    }
    await Promise.all(Array.from({ length: erasedAtOnce }, work))
    if (failures.length) onFailure(`expired items are not erased yet: ${failures.length}`, failures[0])
  }

  /** Makes the marks of every item anew: the one pass over all documents, which is not made again. */
  const complete = async () => {
    if (await index.isComplete()) return
    for (const [kind, collection] of Object.entries(collections))
      for await (const { id, expiresAt } of collection.all()) {
        if (isStopped) return
        if (expiresAt !== undefined) await marks.add({ kind, id, expiresAt })
      }
    await index.setComplete()
  }

  const completeBeside = () => {
    completing ??= complete()
      .catch((error) => onFailure('not every expiry is known yet', error))
      .finally(() => {
        completing = undefined
      })
  }

  const sweep = async () => {
    const hour = index.hourOf(now())
    if (await marks.readUpTo(hour)) completeBeside()
    await eraseDue()
    await marks.closeBefore(hour)
  }

  const run = () => {
    running ??= sweep()
      .catch((error) => onFailure('expired items cannot be found', error))
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    add: (kind, id, expiresAt) => marks.add({ kind, id, expiresAt }),
    run,
    start: () => {
      timer = setInterval(run, sweepMs)
      timer.unref()
      void run()
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      await running
      await completing
    },
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Row, RowKey } from '../store.ts'
import type { Found } from './facts.ts'
import type { ItemKey, Query } from './protocol.ts'
import { createSteps, createWaiting, type FinderParts, firstRow, type Progress } from './steps.ts'

/** Finds items by their words. The words are built from the documents; they may be deleted at any time. */
export type Finder = {
  /** From now on, a change starts the worker. What changed before is found by comparing. */
  start: () => void
  /** The document of this row was written, or writing it failed. */
  changed: (row: Row) => void
  removed: (row: RowKey) => void
  /** These items were used more often. If nobody searches, nothing is noted: all is compared before the first search. */
  used: (items: readonly ItemKey[]) => void
  /**
   * What the documents must still confirm. What was created a second ago is found.
   * @returns as `found` `undefined` if the text has no word, or too many; `isComplete` is false while words are being read
   * @throws {Error} if the words cannot be read
   */
  search: (query: Query) => Promise<{ found: readonly Found[] | undefined; isComplete: boolean }>
  /** Writes what is waiting, and syncs the words. */
  close: () => Promise<void>
}

/** How long changes are collected, unless somebody searches: each transaction costs as much as ten items. */
const collectMs = 500
/** More are not remembered one by one: all items are compared then. */
const maxWaiting = 20_000
/** A search waits so long for what was changed before it, and for words that are being built. */
const [settleMs, buildMs] = [200, 1000]
/** After a failure, for example of a full disk. */
const retryMs = 5000
const closeMs = 2000

/** @returns false if the work takes longer */
const within = async (milliseconds: number, work: Promise<unknown>) => {
  const { promise: isLate, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(resolve, milliseconds, false)
  const isInTime = await Promise.race([work.then(() => true), isLate]).catch(() => true)
  clearTimeout(timer)
  return isInTime
}

/** Does what is left to do, some time after it was noted. */
const createLoop = ({ next, recover, isIdle }: ReturnType<typeof createSteps>) => {
  let isStopped = false
  let working: Promise<void> | undefined
  let step: Promise<unknown> = Promise.resolve()
  let timer: Timer | undefined

  const work = async () => {
    while (!isStopped && !isIdle()) {
      step = next().catch(recover)
      if ((await step.catch(() => false)) === false) return
    }
  }
  const now = () => {
    clearTimeout(timer)
    timer = undefined
    working ??= work().finally(() => {
      working = undefined
      if (!isIdle()) after(retryMs)
    })
    return working
  }
  const after = (milliseconds: number) => {
    if (timer !== undefined || working || isStopped) return
    timer = setTimeout(now, milliseconds)
    timer.unref()
  }
  return {
    now,
    after,
    /** The message that the worker is answering. */
    step: () => step,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await within(closeMs, Promise.all([working, step]))
    },
  }
}

const newProgress = (): Progress => ({
  ...{ link: undefined, isComplete: false, comparedTo: firstRow },
  ...{ isChecked: false, isFailing: false },
})

export const createFinder = (parts: FinderParts): Finder => {
  const [waiting, progress] = [createWaiting(parts.uses), newProgress()]
  const steps = createSteps(parts, waiting, progress)
  const { opened, distrust, recover } = steps
  const loop = createLoop(steps)
  let isStarted = false

  const note = (add: () => void) => {
    if (!isStarted) return
    add()
    if (waiting.size() > maxWaiting) {
      waiting.clear()
      distrust()
    }
    loop.after(collectMs)
  }

  /** Two steps: the one on its way, and the one that takes what waits now. */
  const settle = async () => {
    for (let turn = 0; turn < 2; turn++) {
      void loop.now()
      await loop.step()
      // The loop begins its next step.
      await nextTurn()
    }
  }

  const ask = async (query: Query) => {
    const link = await opened()
    const working = loop.now()
    const isInTime = await (progress.isComplete ? within(settleMs, settle()) : within(buildMs, working))
    return { found: await link.call('search', query), isComplete: isInTime && progress.isComplete }
  }

  return {
    start: () => {
      isStarted = true
    },
    changed: (row) => note(() => waiting.add(row)),
    removed: ({ kind, id }) => note(() => waiting.add({ kind, id })),
    used: (items) => progress.link && note(() => items.forEach(waiting.addUsed)),
    search: (query) =>
      ask(query).catch(async (error) => {
        await recover(error)
        return ask(query)
      }),

    close: async () => {
      await loop.stop()
      const link = await progress.link?.catch(() => undefined)
      if (!link) return
      const finish = async () => {
        while (waiting.size() > 0) await link.call('put', waiting.take())
        await link.call('close', progress.isComplete)
      }
      await within(closeMs, finish())
      link.end()
    },
  }
}

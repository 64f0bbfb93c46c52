import { AppError } from '../../errors.ts'
import type { Report, Row, RowKey } from '../store.ts'
import type { Hit, Search, SearchQuery } from './tokens.ts'

export type ItemKey = { kind: string; id: string }

/** A change of an item. A document that was written is read if its words of this version are missing. */
export type WordsChange = ItemKey & {
  what: 'written' | 'removed' | 'used'
  version?: number
  expiresAt?: number | undefined
  uses: number
}

/** What the worker is asked, with its answers. A search does not wait for a long `put`. */
export type WordsCalls = {
  /** Opens the words, empty ones if none can be trusted. @returns also what was damaged */
  open: {
    ask: { folder: string; boot: string; isNew: boolean }
    answer: { isComplete: boolean; isOnDisk: boolean; damage: string | undefined }
  }
  /** From the first to the last put, all items are compared; what was not put is removed, and the file is checked. */
  put: {
    ask: { changes: readonly WordsChange[]; isFirst?: boolean; isLast?: boolean }
    answer: { items: number; added: number }
  }
  /** @returns `undefined` if the text has no word, or too many */
  search: { ask: SearchQuery; answer: readonly Hit[] | undefined }
  /** @param ask true if the next start may trust the words, even after a power cut */
  close: { ask: boolean; answer: unknown }
}
export type WordsMessage = {
  [K in keyof WordsCalls]: { id: number; what: K; ask: WordsCalls[K]['ask'] }
}[keyof WordsCalls]

/** Compiled, every entry point is a script below the one folder of the program. */
const address = () => {
  const isCompiled = import.meta.url.includes('$bunfs') || import.meta.url.includes('~BUN')
  return new URL(isCompiled ? './store/words/worker.js' : './worker.ts', import.meta.url)
}

/** Starts the worker: 6 MB and 7 ms of another core. */
const startWorker = () => {
  const worker = new Worker(address().href)
  worker.unref()
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  let lastId = 0
  let ended: Error | undefined

  const endAll = (message: string) => {
    ended ??= new Error(message)
    for (const { reject } of waiting.values()) reject(ended)
    waiting.clear()
  }
  worker.onmessage = ({ data: { id, answer, failure, code } }: MessageEvent) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (failure === undefined) call?.resolve(answer as never)
    else call?.reject(Object.assign(new Error(failure), { code }))
  }
  worker.onerror = ({ message }) => endAll(message)
  worker.addEventListener('close', () => endAll('the worker ended'))

  return {
    /** @throws {Error} with the `code` of SQLite or of the system; without one if the worker ended */
    call: <K extends keyof WordsCalls>(
      what: K,
      ask: WordsCalls[K]['ask'],
    ): Promise<WordsCalls[K]['answer']> => {
      if (ended) return Promise.reject(ended)
      const call = Promise.withResolvers<never>()
      waiting.set(++lastId, call)
      worker.postMessage({ id: lastId, what, ask })
      return call.promise
    },
    hasEnded: () => ended !== undefined,
    end: () => worker.terminate(),
  }
}
type Link = ReturnType<typeof startWorker>

/** Finds items by their words. The words are built from the documents; they may be deleted at any time. */
export type Finder = {
  /** From now on, a change starts the worker. What changed before is found by comparing. */
  start: () => void
  /** The document of this row was written, or writing it failed. */
  changed: (row: Row) => void
  removed: (row: RowKey) => void
  /** These items were used more often. If nobody searches, nothing is noted: all is compared before the first search. */
  used: (items: readonly ItemKey[]) => void
  /** What was created a second ago is found. @throws {Error} if the words cannot be read */
  search: Search
  /** Writes what is waiting, and syncs the words. */
  close: () => Promise<void>
}

/** How often each of some items was used. */
export type UsesOf = (kind: string, ids: readonly string[]) => readonly number[]

export type FinderParts = {
  /** The data folder. */
  folder: string
  boot: string
  report: Report
  /** Rows of the index in order; waits while it is being built. @throws {AppError} storage errors */
  rowsAfter: (after: RowKey, count: number) => Promise<readonly Row[]>
  uses: UsesOf
  /** Unused for so long, the worker ends: its 4 MB are free, and the next search takes 10 ms longer. */
  restMs?: number | undefined
}

/** Items per message: 1 ms of this thread, and 30 ms of the worker. */
const rowsAtOnce = 500
/** How long changes are collected, unless somebody searches: each transaction costs as much as ten items. */
const collectMs = 500
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

const written = ({ kind, id, version, expiresAt }: Row) =>
  ({ kind, id, what: 'written', version, expiresAt }) as const

/** True for errors after which the words are still right, such as a full disk. */
const isPassing = (error: Error) => {
  const { code = '' } = error as NodeJS.ErrnoException
  return error instanceof AppError || /^E[A-Z]|^SQLITE_(FULL|IOERR|READONLY|BUSY|CANTOPEN)/.test(code)
}

type Unsent = Omit<WordsChange, 'uses'>

/** Changes that the worker does not know yet, by item; the last one counts. */
const createWaiting = (usesOf: UsesOf) => {
  const changes = new Map<string, Unsent>()
  return {
    count: () => changes.size,
    clear: () => changes.clear(),
    add: (change: Unsent) => {
      const name = `${change.kind}/${change.id}`
      if (change.what !== 'used' || !changes.has(name)) changes.set(name, change)
    },
    take: (): Unsent[] => {
      const some = [...changes.entries().take(rowsAtOnce)]
      for (const [name] of some) changes.delete(name)
      return some.map(([, change]) => change)
    },
    /** Adds what the counts say now. */
    withUses: (some: readonly Unsent[]): WordsChange[] =>
      [...Map.groupBy(some, ({ kind }) => kind)].flatMap(([kind, ofKind]) => {
        const uses = usesOf(
          kind,
          ofKind.map(({ id }) => id),
        )
        return ofKind.map((change, at) => ({ ...change, uses: uses[at] ?? 0 }))
      }),
  }
}

type Put = (
  changes: readonly Unsent[],
  more?: { isFirst: boolean; isLast: boolean },
) => Promise<WordsCalls['put']['answer']>

type Comparison = {
  rowsAfter: FinderParts['rowsAfter']
  put: Put
  /** Called with how many items there are, and how many were missing. */
  onEnd: (answer: WordsCalls['put']['answer']) => void
  onError: (error: Error) => Promise<void>
}

/** Compares all rows of the index with the words. A new comparison stops the one before. */
const createComparison = ({ rowsAfter, put, onEnd, onError }: Comparison) => {
  let current = 0
  let isMissing = false
  let isRunning = false
  let ended: Promise<unknown> = Promise.resolve()

  const compare = async (mine: number) => {
    let from: RowKey = { kind: '', owner: '', createdAt: 0, id: '' }
    for (let isFirst = true, all = 0, isLast = false; !isLast; isFirst = false) {
      const rows = await rowsAfter(from, rowsAtOnce)
      isLast = rows.length < rowsAtOnce
      if (mine !== current) return
      const { added, items } = await put(rows.map(written), { isFirst, isLast })
      all += added
      from = rows.at(-1) ?? from
      if (!isLast || mine !== current) continue
      isRunning = false
      onEnd({ items, added: all })
    }
  }
  return {
    start: () => {
      isMissing = false
      isRunning = true
      const mine = ++current
      ended = compare(mine).catch((error) => (mine === current ? onError(error) : undefined))
    },
    stop: () => {
      current++
      isRunning = false
    },
    /** Stops it until changes are written again. */
    postpone: () => {
      current++
      isRunning = false
      isMissing = true
    },
    isRunning: () => isRunning,
    /** True if one was postponed, and none was started since. */
    isMissing: () => isMissing,
    ended: () => ended,
  }
}

/** Counts what uses the worker. @param rest called when nobody has used it for so many milliseconds */
const createUse = (restMs: number, rest: () => unknown) => {
  let users = 0
  let timer: Timer | undefined
  return {
    during: async <T>(work: () => Promise<T>) => {
      clearTimeout(timer)
      users++
      try {
        return await work()
      } finally {
        if (--users === 0) timer = setTimeout(rest, restMs)
        timer?.unref()
      }
    },
    isIdle: () => users === 0,
    /** From now on, it counts as used. */
    keep: () => {
      clearTimeout(timer)
      users++
    },
  }
}

type OpeningParts = Pick<FinderParts, 'folder' | 'boot' | 'report' | 'restMs'> & {
  /** @param isOwn true if this process closed the words when it rested */
  onOpen: (opened: { isComplete: boolean; isOnDisk: boolean }, isOwn: boolean) => void
  /** True if all is written and nothing compares. In the middle of that, a new worker would take the rest for all. */
  isSettled: () => boolean
}

const openAt = async ({ call }: Link, ask: WordsCalls['open']['ask'], report: Report) => {
  const { damage, ...opened } = await call('open', ask)
  if (damage !== undefined && opened.isOnDisk) report('error', 'the words are damaged', { cause: damage })
  if (!opened.isOnDisk) report('error', 'the words are kept in memory')
  return opened
}

/** Starts the worker when it is needed, and ends it when it has rested. */
const createOpening = ({ folder, boot, report, restMs = 30_000, onOpen, isSettled }: OpeningParts) => {
  let link: Promise<Link> | undefined
  /** True if the worker that rests closed its words; `undefined` while none rests. */
  let rested: Promise<boolean> | undefined

  const open = async (current: Link, isNew: boolean, isOwn: boolean) => {
    onOpen(await openAt(current, { folder, boot, isNew }, report), isOwn)
  }
  const start = async () => {
    const isOwn = (await rested) ?? false
    rested = undefined
    const started = startWorker()
    await open(started, false, isOwn)
    return started
  }
  const opened = () => {
    link ??= start().catch((error) => {
      link = undefined
      throw error
    })
    return link
  }
  /** The worker, if it was started and lives. */
  const current = async () => {
    const current = await link?.catch(() => undefined)
    if (!current?.hasEnded()) return current
    link = undefined
    return undefined
  }
  const rest = async () => {
    const resting = await current()
    if (!resting || !isIdle() || !isSettled()) return
    link = undefined
    const closed = resting.call('close', true).then(
      () => true,
      () => false,
    )
    rested = closed.finally(resting.end)
  }
  const { during, isIdle, keep } = createUse(restMs, rest)
  return {
    opened,
    current,
    /** Asks the worker, which rests when nobody has asked for a while. */
    call: <K extends keyof WordsCalls>(what: K, ask: WordsCalls[K]['ask']) =>
      during(async () => (await opened()).call(what, ask)),
    isStarted: () => link !== undefined,
    isResting: () => rested !== undefined,
    /** Opens empty words. */
    renew: (current: Link) => open(current, true, false),
    /** From now on, no worker ends by itself. @returns the one that lives */
    stopResting: async () => {
      keep()
      await rested
      return current()
    },
  }
}

/** Keeps the words in line with the index. Those of another process, perhaps one that was killed, are compared with it. */
const createFeeding = (parts: FinderParts) => {
  const { report, rowsAfter } = parts
  const waiting = createWaiting(parts.uses)
  /** False while words may be missing. */
  let isComplete = false
  /** False for words in memory, which would end with the worker. */
  let isKept = false
  /** True from a failure until all is compared, so it is reported once. */
  let isFailing = false
  let flushed: Promise<unknown> = Promise.resolve()
  const put: Put = (changes, more) => opening.call('put', { changes: waiting.withUses(changes), ...more })
  const comparison = createComparison({
    ...{ rowsAfter, put },
    onEnd: (answer) => {
      isComplete = true
      isFailing = false
      if (answer.added > 0) report('info', 'the words are built', answer)
    },
    onError: (error) => recover(error),
  })
  const opening = createOpening({
    ...parts,
    isSettled: () => isKept && isComplete && !comparison.isRunning() && waiting.count() === 0,
    onOpen: ({ isComplete: isCompleteNow, isOnDisk }, isOwn) => {
      isComplete = isCompleteNow
      isKept = isOnDisk
      // Nobody else writes words: those that were complete when the rest began need no comparison.
      if (!isComplete || !isOwn) comparison.start()
    },
  })

  /** What was not written is found by comparing. */
  const recover = async (error: Error) => {
    isComplete = false
    waiting.clear()
    const link = await opening.current()
    if (link && !isPassing(error)) {
      report('error', 'the words are damaged', { cause: error.message })
      return opening.renew(link)
    }
    if (!isFailing) report('error', 'words cannot be written', { cause: String(error.cause ?? error) })
    isFailing = true
    comparison.postpone()
  }
  const drain = async () => {
    if (comparison.isMissing()) comparison.start()
    while (waiting.count() > 0) await put(waiting.take())
  }
  return {
    ...opening,
    recover,
    waiting,
    comparison,
    flush: () => {
      flushed = flushed.then(drain).catch(recover)
      return flushed
    },
    isComplete: () => isComplete,
  }
}

export const createFinder = (parts: FinderParts): Finder => {
  const feeding = createFeeding(parts)
  const { waiting, comparison, call, recover, flush, isComplete } = feeding
  let isListening = false
  let timer: Timer | undefined

  const flushLater = (milliseconds: number) => {
    timer ??= setTimeout(async () => {
      await flush()
      timer = undefined
      if (comparison.isMissing()) flushLater(retryMs)
    }, milliseconds)
    timer.unref()
  }
  const note = (change: Unsent) => {
    if (!isListening) return
    waiting.add(change)
    // Reads alone do not wake the worker, unless there are many.
    if (change.what === 'used' && feeding.isResting() && waiting.count() < rowsAtOnce) return
    flushLater(collectMs)
  }

  const ask = async (query: SearchQuery) => {
    await feeding.opened()
    const isInTime = await (isComplete()
      ? within(settleMs, flush())
      : within(buildMs, flush().then(comparison.ended)))
    return { found: await call('search', query), isComplete: isInTime && isComplete() }
  }

  return {
    start: () => {
      isListening = true
    },
    changed: (row) => note(written(row)),
    removed: ({ kind, id }) => note({ kind, id, what: 'removed' }),
    used: (items) => {
      if (feeding.isStarted() || feeding.isResting())
        for (const { kind, id } of items) note({ kind, id, what: 'used' })
    },
    search: (query) =>
      ask(query).catch(async (error) => {
        await recover(error)
        return ask(query)
      }),

    close: async () => {
      isListening = false
      clearTimeout(timer)
      comparison.stop()
      const current = await feeding.stopResting()
      if (!current) return
      await within(
        closeMs,
        flush().then(() => current.call('close', isComplete())),
      )
      current.end()
    },
  }
}

import { SQLiteError } from 'bun:sqlite'
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { storageFailure } from '../../errors.ts'
import type { Owner, Place, Row, RowKey } from '../store.ts'
import { inMemory } from './derived-file.ts'
import { type FoundRow, type IndexFile, openIndexFile, renewIndexFile } from './index-file.ts'

/** `building`: rows are missing. `memory`: it is whole, but no file can be written, so each start builds it again. */
export type IndexState = 'whole' | 'building' | 'memory'

/** Identifies the boot of the machine; empty if the system does not say. */
export const bootId = () => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

export type Report = (
  level: 'info' | 'error',
  event: string,
  fields?: Readonly<Record<string, string | number>>,
) => void

/** The documents of one kind, from which the index is built. */
export type Indexed = {
  /** Yields the row of every document; damaged documents are left out. */
  all: () => AsyncGenerator<FoundRow>
  /** True if the document exists; a synchronous check. */
  isThere: (id: string) => boolean
}

type ItemIndexParts = {
  file: string
  /** Boot id of the machine; empty if unknown. */
  boot: string
  kinds: ReadonlyMap<string, Indexed>
  report: Report
  /** Called after the document of a row was written. */
  onSettled: (row: Row) => void
  onRemoved: (row: RowKey) => void
}

/** The rows and their state. */
type Held = {
  rows: IndexFile
  /** False while the rows are being built. */
  isWhole: boolean
  /** The last error of the rows. */
  failure: Error | undefined
  isStopped: boolean
  /** Rows of documents that this process is writing or erasing, by kind and id. */
  inFlight: Map<string, Row>
}

/** Rows written or checked per turn: about 2 ms, in which no request is answered. */
const rowsAtOnce = 200

const nameOf = ({ kind, id }: Pick<RowKey, 'kind' | 'id'>) => `${kind}/${id}`

const reportDamage = (report: Report, { message }: Error) =>
  report('error', 'the index is damaged', { cause: message })

const hold = ({ file, boot, report }: ItemIndexParts): Held => {
  const state = { failure: undefined, isStopped: false, inFlight: new Map<string, Row>() }
  try {
    const rows = openIndexFile(file, boot)
    return { ...state, rows, isWhole: rows.isWhole }
  } catch (error) {
    reportDamage(report, error as Error)
    return { ...state, rows: openIndexFile(inMemory, boot), isWhole: false }
  }
}

/** Fills an empty index with one row per document. */
const createBuild = ({ file, boot, kinds, report }: ItemIndexParts, held: Held) => {
  /** Leaves out documents erased since they were read: nothing runs between this check and the write. */
  const addRows = (found: readonly FoundRow[], isThere: Indexed['isThere']) => {
    if (held.isStopped) throw new Error('the server stops')
    if (held.failure) throw held.failure
    const rows = found.filter(({ id }) => isThere(id))
    held.rows.addAll(rows)
    return rows.length
  }

  const fill = async (open: () => IndexFile) => {
    held.rows.close(false)
    held.rows = open()
    held.failure = undefined
    for (const row of held.inFlight.values()) held.rows.begin(row)
    let items = 0
    for (const { all, isThere } of kinds.values()) {
      let found: FoundRow[] = []
      for await (const row of all()) {
        found.push(row)
        if (found.length < rowsAtOnce) continue
        items += addRows(found, isThere)
        found = []
      }
      items += addRows(found, isThere)
    }
    held.rows.setWhole()
    held.isWhole = true
    report('info', 'the index is built', { items })
  }

  const openInMemory = (error: unknown) => {
    report('error', 'the index is kept in memory', { cause: (error as Error).message })
    return openIndexFile(inMemory, boot)
  }

  const openEmpty = () => {
    try {
      return renewIndexFile(file, boot)
    } catch (error) {
      return openInMemory(error)
    }
  }

  /** If the folder cannot hold the file, the index stays in memory until the next start. */
  return () =>
    fill(openEmpty).catch(async (error) => {
      if (held.isStopped || !(error instanceof SQLiteError)) throw error
      return fill(() => openInMemory(error))
    })
}

/** Checks all rows, some per turn. @throws if one is damaged */
const checkRows = async (held: Held) => {
  let last: RowKey = { kind: '', owner: '', createdAt: 0, id: '' }
  for (let isMore = true; isMore && held.isWhole && !held.isStopped; await nextTurn()) {
    const checked = held.rows.checked(last, rowsAtOnce)
    isMore = checked.length === rowsAtOnce
    last = checked.at(-1) ?? last
  }
}

/** Decides if the index can be trusted, and rebuilds it if not. */
const createTrust = (parts: ItemIndexParts, held: Held) => {
  const { file, report } = parts
  const build = createBuild(parts, held)
  let building: Promise<void> | undefined
  let checking: Promise<void> | undefined

  const buildOnce = () => {
    building ??= build()
      .catch((error) => {
        throw storageFailure(error)
      })
      .finally(() => {
        building = undefined
      })
    return building
  }

  const start = () => {
    if (held.isWhole) checking ??= checkRows(held).catch(distrust)
    else
      buildOnce().catch((error: Error) => {
        if (!held.isStopped)
          report('error', 'the index cannot be built', { cause: String(error.cause ?? error) })
      })
  }

  const distrust = (error: Error) => {
    held.failure = error
    if (!held.isWhole) return
    held.isWhole = false
    reportDamage(report, error)
    start()
  }

  return {
    start,
    distrust,
    buildOnce,
    lookAtFile: () => {
      if (held.isWhole && !held.rows.isInPlace()) distrust(new Error(`${file} was removed or replaced`))
    },
    ended: async () => {
      await building?.catch(() => {})
      await checking
    },
  }
}

/** Runs work on the rows. If it throws, the index is no longer trusted. */
const createAttempts = (held: Held, trust: ReturnType<typeof createTrust>) => {
  const attempt = <R>(work: (rows: IndexFile) => R): R | undefined => {
    try {
      return work(held.rows)
    } catch (error) {
      trust.distrust(error as Error)
    }
  }

  const whenWhole = async () => {
    trust.lookAtFile()
    if (!held.isWhole) await trust.buildOnce()
  }

  return {
    attempt,
    /** Asks a whole index; once more if it was damaged. @throws {AppError} storage errors */
    whole: async <R>(work: (rows: IndexFile) => R): Promise<R> => {
      await whenWhole()
      const result = attempt(work)
      if (result !== undefined) return result
      await whenWhole()
      return work(held.rows)
    },
  }
}

/** Rows before and after their documents change. */
const createMarks = (
  { inFlight }: Held,
  attempt: ReturnType<typeof createAttempts>['attempt'],
  { onSettled, onRemoved }: ItemIndexParts,
) => ({
  /**
   * Puts the row of an item before its document is written or erased. Until `settle`, `remove` or `leave`, the row survives
   * a rebuild; a process that is killed leaves it unsettled.
   */
  begin: (row: Row) => {
    inFlight.set(nameOf(row), row)
    attempt((rows) => rows.begin(row))
  },
  /** This is what the document says now. @param head as JSON; without it, lists read the document */
  settle: (row: Row, head = '') => {
    inFlight.delete(nameOf(row))
    attempt((rows) => rows.settle(row, head))
    onSettled(row)
  },
  /** The document is gone. */
  remove: (row: RowKey) => {
    inFlight.delete(nameOf(row))
    attempt((rows) => rows.remove(row))
    onRemoved(row)
  },
  /** What the document says is unknown: the row stays unsettled. */
  leave: (row: RowKey) => void inFlight.delete(nameOf(row)),
  /** Rows that may differ from their documents, and that this process is not working on. */
  unsettled: (kind: string): Row[] =>
    attempt((rows) => rows.unsettled(kind).filter((row) => !inFlight.has(nameOf(row)))) ?? [],
})

/**
 * The row and the head of each item, built from the documents; may be deleted at any time. Every row is only a hint: its
 * document may be missing. An error of the index never fails a creation or a deletion: the index is then rebuilt. What
 * returns a promise waits while it is being built, and throws storage errors.
 */
export const openItemIndex = (parts: ItemIndexParts) => {
  const held = hold(parts)
  const trust = createTrust(parts, held)
  const { attempt, whole } = createAttempts(held, trust)

  return {
    ...createMarks(held, attempt, parts),
    /** Expired rows, oldest first. */
    due: (kind: string, time: number, count: number) => {
      trust.lookAtFile()
      return attempt((rows) => rows.due(kind, time, count)) ?? []
    },
    /** Newest first; fewer than `count` only at the end. */
    page: (...query: Parameters<IndexFile['page']>) => whole((rows) => rows.page(...query)),
    /** The rows at these places, without those that are missing. */
    at: (kind: string, places: readonly Place[]) => whole((rows) => rows.at(kind, places)),
    /** Items and bytes by kind and owner. */
    totals: () => whole((rows) => rows.totals()),
    /** How many items an owner has. */
    count: (kind: string, owner: Owner) => whole((rows) => rows.count(kind, owner)),
    /** Some of the rows that there are now, in order, starting after this one. Waits for nothing. */
    rowsAfter: (row: RowKey, count: number): Row[] =>
      held.isStopped ? [] : (attempt((rows) => rows.after(row, count)) ?? []),
    /** Like `rowsAfter`, but all that there are. */
    allRowsAfter: (row: RowKey, count: number) => whole((rows) => rows.after(row, count)),
    state: (): IndexState => {
      trust.lookAtFile()
      if (!held.isWhole) return 'building'
      return held.rows.isInMemory ? 'memory' : 'whole'
    },
    /** Rebuilds the index in the background if it cannot be trusted, else checks it. */
    start: trust.start,
    /** Syncs the index, so the next start can trust it even after a power cut. */
    close: async () => {
      held.isStopped = true
      await trust.ended()
      try {
        held.rows.close(held.isWhole && held.rows.isInPlace())
      } catch (error) {
        parts.report('error', 'the index cannot be closed', { cause: (error as Error).message })
      }
    },
  }
}

export type ItemIndex = ReturnType<typeof openItemIndex>

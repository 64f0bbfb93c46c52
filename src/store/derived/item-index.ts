import { readFileSync } from 'node:fs'
import { storageFailure } from '../../errors.ts'
import { checkRows, createBuild, type Held, type ItemIndexParts, type Report } from './index-build.ts'
import { inMemory, openIndexFile, type Place, type Row } from './index-file.ts'

/**
 * Who made what, and when it expires: built from the documents, and may be deleted at any time. Every row is a hint; it
 * may lead to a document that is not there. No error of it fails a creation or a deletion: then it is built again.
 */
export type ItemIndex = {
  /** Notes an item, before its document is written. Until `settle` the row is kept whatever happens to the index. */
  begin: (row: Row) => void
  /** The document is written, or will not be. */
  settle: (row: Row) => void
  remove: (row: Row) => void
  /** What has expired, oldest first. */
  due: (kind: string, time: number, count: number) => Row[]
  /** Newest first; fewer than `count` only where there are no more. Waits for an index that is being built. @throws {AppError} storage errors */
  page: (kind: string, owner: string, count: number, before?: Place) => Promise<Place[]>
  /** Builds the index in the background where it cannot be trusted, and else looks whether it is whole. */
  start: () => void
  /** Syncs, so that the next start can trust it, whatever happens between. */
  close: () => Promise<void>
}

/** Which boot of the machine this is; empty where the system does not tell. */
export const bootId = () => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

const reportDamage = (report: Report, { message }: Error) =>
  report('error', 'the index is damaged', { cause: message })

const hold = ({ file, boot, report }: ItemIndexParts): Held => {
  const state = { failure: undefined, isStopped: false, inFlight: new Set<Row>() }
  try {
    const rows = openIndexFile(file, boot)
    return { ...state, rows, isWhole: rows.isWhole }
  } catch (error) {
    reportDamage(report, error as Error)
    return { ...state, rows: openIndexFile(inMemory, boot), isWhole: false }
  }
}

/** When the index can be trusted, and what happens where it cannot. */
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

  const lookAtFile = () => {
    if (held.isWhole && !held.rows.isInPlace()) distrust(new Error(`${file} was removed or replaced`))
  }

  return {
    start,
    lookAtFile,
    whenWhole: async () => {
      lookAtFile()
      if (!held.isWhole) await buildOnce()
    },
    /** What it throws makes the index distrusted, and is otherwise as if it gave nothing. */
    attempt: <R>(work: () => R): R | undefined => {
      try {
        return work()
      } catch (error) {
        distrust(error as Error)
      }
    },
    ended: async () => {
      await building?.catch(() => {})
      await checking
    },
  }
}

export const openItemIndex = (parts: ItemIndexParts): ItemIndex => {
  const held = hold(parts)
  const { inFlight } = held
  const { start, lookAtFile, whenWhole, attempt, ended } = createTrust(parts, held)

  return {
    begin: (row) => {
      inFlight.add(row)
      attempt(() => held.rows.put(row))
    },
    settle: (row) => void inFlight.delete(row),
    remove: (row) => attempt(() => held.rows.remove(row)),

    due: (kind, time, count) => {
      lookAtFile()
      return attempt(() => held.rows.due(kind, time, count)) ?? []
    },

    page: async (kind, owner, count, before) => {
      await whenWhole()
      const page = attempt(() => held.rows.page(kind, owner, count, before))
      if (page) return page
      await whenWhole()
      return held.rows.page(kind, owner, count, before)
    },

    start,

    close: async () => {
      held.isStopped = true
      await ended()
      try {
        held.rows.close(held.isWhole && held.rows.isInPlace())
      } catch (error) {
        parts.report('error', 'the index cannot be closed', { cause: (error as Error).message })
      }
    },
  }
}

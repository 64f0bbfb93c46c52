import { SQLiteError } from 'bun:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inMemory } from './derived-file.ts'
import {
  type FoundRow,
  type IndexFile,
  openIndexFile,
  type Row,
  type RowKey,
  renewIndexFile,
} from './index-file.ts'

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

export type ItemIndexParts = {
  file: string
  /** Boot id of the machine; empty if unknown. */
  boot: string
  kinds: ReadonlyMap<string, Indexed>
  report: Report
  /** Called after the document of a row was written. */
  onSettled?: (row: Row) => void
  onRemoved?: (row: RowKey) => void
}

/** Rows written or checked per turn: about 2 ms, in which no request is answered. */
const rowsAtOnce = 200

/** The rows and their state. */
export type Held = {
  rows: IndexFile
  /** False while the rows are being built. */
  isWhole: boolean
  /** The last error of the rows. */
  failure: Error | undefined
  isStopped: boolean
  /** Rows of documents that this process is writing or erasing, by kind and id. */
  inFlight: Map<string, Row>
}

/** Fills an empty index with one row per document. */
export const createBuild = ({ file, boot, kinds, report }: ItemIndexParts, held: Held) => {
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
    for (const row of held.inFlight.values()) held.rows.put(row, false)
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
export const checkRows = async (held: Held) => {
  let last: RowKey = { kind: '', owner: '', createdAt: 0, id: '' }
  for (let isMore = true; isMore && held.isWhole && !held.isStopped; await nextTurn()) {
    const checked = held.rows.checked(last, rowsAtOnce)
    isMore = checked.length === rowsAtOnce
    last = checked.at(-1) ?? last
  }
}

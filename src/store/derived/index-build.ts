import { SQLiteError } from 'bun:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type IndexFile, inMemory, openIndexFile, type Row, renewIndexFile } from './index-file.ts'

export type Report = (
  level: 'info' | 'error',
  event: string,
  fields?: Readonly<Record<string, string | number>>,
) => void

/** The documents of a kind, from which the index is built. */
export type Indexed = {
  /** What every document says of itself, one after the other; damaged ones are left out. */
  all: () => AsyncGenerator<Omit<Row, 'kind'>>
  /** Looks at once. */
  isThere: (id: string) => boolean
}

export type ItemIndexParts = {
  file: string
  /** Boot of the machine; empty where it is not known. */
  boot: string
  kinds: ReadonlyMap<string, Indexed>
  report: Report
}

/** Rows written or checked at once: some 2 ms, in which nobody is answered. */
const rowsAtOnce = 200

/** The rows there are, and what is known of them. */
export type Held = {
  rows: IndexFile
  /** False while they are being built. */
  isWhole: boolean
  /** What went wrong with them last. */
  failure: Error | undefined
  isStopped: boolean
  /** Rows of documents that are being written. */
  inFlight: Set<Row>
}

/** Fills an empty index with a row for each document. */
export const createBuild = ({ file, boot, kinds, report }: ItemIndexParts, held: Held) => {
  /** What was erased since its document was read is left out: nothing runs between the look and the writing. */
  const addRows = (found: readonly Row[], isThere: Indexed['isThere']) => {
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
    held.rows.addAll([...held.inFlight])
    let items = 0
    for (const [kind, { all, isThere }] of kinds) {
      let found: Row[] = []
      for await (const { owner, createdAt, id, expiresAt } of all()) {
        found.push({ kind, owner, createdAt, id, expiresAt })
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

  /** Where the folder has no place for it, it is in memory until the next start. */
  return () =>
    fill(openEmpty).catch((error) => {
      if (held.isStopped || !(error instanceof SQLiteError)) throw error
      return fill(() => openInMemory(error))
    })
}

/** Goes through all rows, a few at a time. @throws for damage */
export const checkRows = async (held: Held) => {
  let last: Row = { kind: '', owner: '', createdAt: 0, id: '' }
  for (let isMore = true; isMore && held.isWhole && !held.isStopped; await nextTurn()) {
    const checked = held.rows.checked(last, rowsAtOnce)
    isMore = checked.length === rowsAtOnce
    last = checked.at(-1) ?? last
  }
}

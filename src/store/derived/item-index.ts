import { type Database, SQLiteError } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { storageFailure } from '../../errors.ts'
import type { IndexState, Owner, Place, Report, Row, RowKey, Total } from '../store.ts'
import {
  filesOf,
  inMemory,
  isTrustedFile,
  openCopy,
  openDerivedFile,
  removeDerivedFile,
} from './derived-file.ts'

/** Identifies the boot of the machine; empty if the system does not say. */
export const bootId = () => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}

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

const flightKey = ({ kind, id }: Pick<RowKey, 'kind' | 'id'>) => `${kind}/${id}`

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
    inFlight.set(flightKey(row), row)
    attempt((rows) => rows.begin(row))
  },
  /** This is what the document says now. @param head as JSON; without it, lists read the document */
  settle: (row: Row, head = '') => {
    inFlight.delete(flightKey(row))
    attempt((rows) => rows.settle(row, head))
    onSettled(row)
  },
  /** The document is gone. */
  remove: (row: RowKey) => {
    inFlight.delete(flightKey(row))
    attempt((rows) => rows.remove(row))
    onRemoved(row)
  },
  /** What the document says is unknown: the row stays unsettled. */
  leave: (row: RowKey) => void inFlight.delete(flightKey(row)),
  /** Rows that may differ from their documents, and that this process is not working on. */
  unsettled: (kind: string): Row[] =>
    attempt((rows) => rows.unsettled(kind).filter((row) => !inFlight.has(flightKey(row)))) ?? [],
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

/** The row and the head of a document. `isErasing`: its erasure was begun and has to be finished. */
export type FoundRow = Row & { head: string; isErasing?: boolean }
/** A row of a list. `head` is JSON; `undefined` if only the document can say it. */
export type ListRow = Place & { owner: string; head: string | undefined }

/** Name of the index in a data folder. */
export const indexName = 'index.sqlite'
/** SQLite's files for the index. */
export const indexNames = filesOf(indexName)

/** Stored in the file's header; identifies the tables below. */
const version = 2

/** A row that is added or removed changes the totals in the same transaction, so they cannot differ from the rows. */
const addTotal = (row: 'new' | 'old', sign: '+' | '-') =>
  `UPDATE totals SET items = items ${sign} 1, bytes = bytes ${sign} ${row}.bytes WHERE kind = ${row}.kind AND owner = ${row}.owner`

/**
 * Rows are stored in the order of the lists, so a page is one piece of the file. `settled` is 0 while the document of a row
 * is being written or erased: a killed process leaves these few rows to be compared with their documents. `head` is the
 * document without its text, with its name, for lists; empty if the document has to be read.
 */
const schema = `
  CREATE TABLE items (kind TEXT NOT NULL, owner TEXT NOT NULL, created INTEGER NOT NULL, id TEXT NOT NULL, expires INTEGER,
    version INTEGER NOT NULL, bytes INTEGER NOT NULL, kept INTEGER NOT NULL, keptBytes INTEGER NOT NULL,
    head TEXT NOT NULL, settled INTEGER NOT NULL, PRIMARY KEY (kind, owner, created, id)) WITHOUT ROWID;
  CREATE INDEX by_creation ON items (kind, created, id);
  CREATE INDEX by_expiry ON items (kind, expires) WHERE expires IS NOT NULL;
  CREATE INDEX unsettled ON items (kind) WHERE settled = 0;
  CREATE TABLE totals (kind TEXT NOT NULL, owner TEXT NOT NULL, items INTEGER NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (kind, owner)) WITHOUT ROWID;
  CREATE TRIGGER added AFTER INSERT ON items BEGIN
    INSERT INTO totals VALUES (new.kind, new.owner, 0, 0) ON CONFLICT DO NOTHING;
    ${addTotal('new', '+')};
  END;
  CREATE TRIGGER removed AFTER DELETE ON items BEGIN ${addTotal('old', '-')}; END;
  CREATE TRIGGER changed AFTER UPDATE OF bytes ON items WHEN new.bytes <> old.bytes BEGIN
    ${addTotal('old', '-')};
    ${addTotal('new', '+')};
  END`

/** The columns of a row. */
const columns = 'kind, owner, created AS createdAt, id, expires AS expiresAt, version, bytes, kept, keptBytes'
/** A row as SQLite gives it. */
type SqlRow = Required<Omit<Row, 'expiresAt'>> & { expiresAt: number | null }
type SqlListRow = Place & { owner: string; head: string }

const withoutNull = ({ expiresAt, ...row }: SqlRow): Row => (expiresAt === null ? row : { ...row, expiresAt })

const insert = 'INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO'
const listed = "owner, created AS createdAt, id, iif(settled, head, '') AS head"

const statements = (database: Database) => ({
  begin: database.query(`${insert} UPDATE SET settled = 0`),
  settle: database.query(
    `${insert} UPDATE SET expires = excluded.expires, version = excluded.version, bytes = excluded.bytes,
     kept = excluded.kept, keptBytes = excluded.keptBytes, head = excluded.head, settled = 1`,
  ),
  add: database.query(`${insert} NOTHING`),
  remove: database.query('DELETE FROM items WHERE kind = ? AND owner = ? AND created = ? AND id = ?'),
  page: database.query<SqlListRow, [string, string, number, string, number]>(
    `SELECT ${listed} FROM items WHERE kind = ? AND owner = ? AND (created, id) < (?, ?)
     ORDER BY created DESC, id DESC LIMIT ?`,
  ),
  pageOfAll: database.query<SqlListRow, [string, number, string, number]>(
    `SELECT ${listed} FROM items INDEXED BY by_creation WHERE kind = ? AND (created, id) < (?, ?)
     ORDER BY created DESC, id DESC LIMIT ?`,
  ),
  at: database.query<SqlListRow, [string, number, string]>(
    `SELECT ${listed} FROM items INDEXED BY by_creation WHERE kind = ? AND created = ? AND id = ?`,
  ),
  due: database.query<SqlRow, [string, number, number]>(
    `SELECT ${columns} FROM items WHERE kind = ? AND expires <= ? ORDER BY expires LIMIT ?`,
  ),
  unsettled: database.query<SqlRow, [string]>(
    `SELECT ${columns} FROM items INDEXED BY unsettled WHERE kind = ? AND settled = 0`,
  ),
  after: database.query<SqlRow, [string, string, number, string, number]>(
    `SELECT ${columns} FROM items WHERE (kind, owner, created, id) > (?, ?, ?, ?)
     ORDER BY kind, owner, created, id LIMIT ?`,
  ),
  totals: database.query<Total, []>(
    'SELECT kind, owner, items, bytes FROM totals WHERE items > 0 ORDER BY kind, owner',
  ),
  count: database.query<{ items: number }, [string, string | null]>(
    'SELECT coalesce(sum(items), 0) AS items FROM totals WHERE kind = ? AND owner = coalesce(?, owner)',
  ),
  isDueLater: database.query<unknown, [string, number, string, number, string]>(
    `SELECT 1 FROM items INDEXED BY by_expiry
     WHERE kind = ? AND expires = ? AND owner = ? AND created = ? AND id = ?`,
  ),
  emptyLog: database.query('PRAGMA wal_checkpoint(TRUNCATE)'),
})

const values = (row: Row, head: string, isSettled: boolean) => {
  const { kind, owner, createdAt, id, expiresAt = null, version, bytes, kept, keptBytes } = row
  const settled = isSettled ? 1 : 0
  return [kind, owner, createdAt, id, expiresAt, version, bytes, kept, keptBytes, head, settled] as const
}

const isRow = ({ kind, owner, createdAt, id, expiresAt, version, bytes, kept, keptBytes }: SqlRow) =>
  [kind, owner, id].every((text) => typeof text === 'string') &&
  [createdAt, version, bytes, kept, keptBytes].every(Number.isInteger) &&
  (expiresAt === null || Number.isInteger(expiresAt))

/** Compares like the order of the rows. */
const keyOf = ({ kind, owner, createdAt, id }: RowKey) =>
  [kind, owner, String(createdAt).padStart(16, '0'), id].join('\0')

/** What the rows of an index say. */
const createAsking = (query: ReturnType<typeof statements>) => {
  const toListRow = ({ head, ...place }: SqlListRow): ListRow => ({ ...place, head: head || undefined })

  const after = ({ kind, owner, createdAt, id }: RowKey, count: number) =>
    query.after.all(kind, owner, createdAt, id, count)

  return {
    page: (kind: string, owner: Owner, count: number, before?: Place): ListRow[] => {
      const from = [before?.createdAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', count] as const
      const rows =
        owner === undefined ? query.pageOfAll.all(kind, ...from) : query.page.all(kind, owner, ...from)
      return rows.map(toListRow)
    },
    /** The rows at these places, without those that are missing. */
    at: (kind: string, places: readonly Place[]): ListRow[] =>
      places.flatMap(({ createdAt, id }) => query.at.all(kind, createdAt, id).map(toListRow)),
    due: (kind: string, time: number, count: number) => query.due.all(kind, time, count).map(withoutNull),
    /** Rows whose documents were being written or erased, perhaps by a process that was killed. */
    unsettled: (kind: string) => query.unsettled.all(kind).map(withoutNull),
    /** Of each kind and owner with items, in order. */
    totals: () => query.totals.all(),
    /** How many items an owner has. */
    count: (kind: string, owner: Owner) => query.count.get(kind, owner ?? null)?.items ?? 0,
    /** The rows after this one, in order. */
    after: (row: RowKey, count: number): Row[] => after(row, count).map(withoutNull),
    /** Like `after`. @throws if one is damaged, or is missing in the expiry queue */
    checked: (row: RowKey, count: number): readonly RowKey[] => {
      const rows = after(row, count)
      let last = keyOf(row)
      for (const found of rows) {
        const { kind, owner, createdAt, id, expiresAt } = found
        if (!isRow(found) || last >= keyOf(found)) throw new Error('a row of the index is damaged')
        if (expiresAt !== null && !query.isDueLater.get(kind, expiresAt, owner, createdAt, id))
          throw new Error('the expiry queue of the index is damaged')
        last = keyOf(found)
      }
      return rows
    },
  }
}

/** The rows of an index, in a file or in memory. Every method throws SQLite's errors. */
export const openIndexFile = (file: string, boot: string) => {
  const { database, state } = openDerivedFile({ file, boot, version, schema })
  // No byte of what was deleted or changed stays in the file.
  database.exec('PRAGMA secure_delete = ON')
  const query = statements(database)
  const { isWhole, isInPlace, setWhole, setClean, beforeChange } = state

  /** What was removed is still in the write-ahead log. Takes 0.05 ms; where the disk is full, a later one does it. */
  const emptyLog = () => {
    try {
      query.emptyLog.run()
    } catch {}
  }

  return {
    ...{ isWhole, isInPlace, setWhole },
    isInMemory: file === inMemory,
    ...createAsking(query),
    /** Adds a row, or marks it: its document is being written or erased. */
    begin: (row: Row) => {
      beforeChange()
      query.begin.run(...values(row, '', false))
    },
    settle: (row: Row, head: string) => {
      beforeChange()
      query.settle.run(...values(row, head, true))
      if (row.version > 1) emptyLog()
    },
    remove: ({ kind, owner, createdAt, id }: RowKey) => {
      beforeChange()
      query.remove.run(kind, owner, createdAt, id)
      emptyLog()
    },
    /** Adds the rows that are missing. */
    addAll: database.transaction((rows: readonly FoundRow[]) => {
      for (const { isErasing = false, head, ...row } of rows) query.add.run(...values(row, head, !isErasing))
    }),
    /** @param isWholeNow true if the next start may trust it, even after a power cut */
    close: (isWholeNow: boolean) => {
      try {
        if (isWholeNow) setClean()
      } finally {
        database.close()
      }
    },
  }
}
export type IndexFile = ReturnType<typeof openIndexFile>

/** Opens an empty index, replacing any existing one. */
export const renewIndexFile = (file: string, boot: string) => {
  removeDerivedFile(file)
  return openIndexFile(file, boot)
}

/** The rows of an index, in no order. */
export function* rowsIn(database: Database): Generator<Row> {
  for (const row of database.query<SqlRow, []>(`SELECT ${columns} FROM items`).iterate())
    yield withoutNull(row)
}

/** Reads a copy, also of the index of a running server. @returns `undefined` if there is no index that can be trusted */
export const readIndexCopy = async <T>(folder: string, boot: string, read: (database: Database) => T) => {
  const file = join(folder, indexName)
  if (!existsSync(file)) return undefined
  const database = await openCopy(file)
  try {
    return database && isTrustedFile(database, file, boot, version) ? read(database) : undefined
  } finally {
    database?.close()
  }
}

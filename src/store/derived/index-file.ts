import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Owner, Place, Row, RowKey, Total } from '../store.ts'
import {
  filesOf,
  inMemory,
  isTrustedFile,
  openCopy,
  openDerivedFile,
  removeDerivedFile,
} from './derived-file.ts'

/** The row and the head of a document. `isErasing`: its erasure was begun and has to be finished. */
export type FoundRow = Row & { head: string; isErasing?: boolean }
/** A row of a list. `head` is JSON; `undefined` if only the document can say it. */
export type ListRow = Place & { owner: string; head: string | undefined }

/** Name of the index in a data folder. */
export const indexName = 'index.sqlite'
/** SQLite's files for the index. */
export const indexNames = filesOf(indexName)

/** Stored in the file's header; identifies the tables below. */
const version = 1

/** A row that is added or removed changes the totals in the same transaction, so they cannot differ from the rows. */
const addTotal = (row: 'new' | 'old', sign: '+' | '-') =>
  `UPDATE totals SET items = items ${sign} 1, bytes = bytes ${sign} ${row}.bytes WHERE kind = ${row}.kind AND owner = ${row}.owner`

/**
 * Rows are stored in the order of the lists, so a page is one piece of the file. `settled` is 0 while the document of a row
 * is being written or erased: a killed process leaves these few rows to be compared with their documents. `head` is the
 * document without its text, for lists; empty if the document has to be read.
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

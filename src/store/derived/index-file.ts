import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import {
  filesOf,
  inMemory,
  isTrustedFile,
  openCopy,
  openDerivedFile,
  removeDerivedFile,
} from './derived-file.ts'

/** The row of an item: its owner, expiry, version and size. Built only from its document. */
export type Row = {
  /** The collection of the item. */
  kind: string
  owner: string
  /** Milliseconds since the epoch, like `expiresAt`. */
  createdAt: number
  id: string
  expiresAt?: number | undefined
  /** 1 for an item that was never changed. */
  version: number
  /** Size of its newest text or address in UTF-8. */
  bytes: number
  /** Number and bytes of its earlier versions. */
  kept: number
  keptBytes: number
}
/** The row of a document. `isErasing`: its erasure was begun and has to be finished. */
export type FoundRow = Row & { isErasing?: boolean }
/** Whose items are listed: those of the key with this name, or of every key if `undefined`. */
export type Owner = string | undefined
/** Where an item is in the list of its owner. */
export type Place = Pick<Row, 'createdAt' | 'id'>
/** Where an item is in a list, and in the list of its owner. */
export type ListPlace = Place & Pick<Row, 'owner'>
/** Identifies a row. */
export type RowKey = Pick<Row, 'kind' | 'owner' | 'createdAt' | 'id'>

/** The items of an owner, and the bytes of their newest versions. */
export type Total = { kind: string; owner: string; items: number; bytes: number }

/** Name of the index in a data folder. */
export const indexName = 'index.sqlite'
/** SQLite's files for the index. */
export const indexNames = filesOf(indexName)

/** The columns of a row. */
const columns = 'kind, owner, created AS createdAt, id, expires AS expiresAt, version, bytes, kept, keptBytes'
/** A row as SQLite gives it. */
type StoredRow = Required<Omit<Row, 'expiresAt'>> & { expiresAt: number | null }

const withoutNull = ({ expiresAt, ...row }: StoredRow): Row =>
  expiresAt === null ? row : { ...row, expiresAt }

const statements = (database: Database) => ({
  put: database.query(
    `INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET expires = excluded.expires,
     version = excluded.version, bytes = excluded.bytes, kept = excluded.kept, keptBytes = excluded.keptBytes,
     settled = excluded.settled`,
  ),
  add: database.query('INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING'),
  remove: database.query('DELETE FROM items WHERE kind = ? AND owner = ? AND created = ? AND id = ?'),
  page: database.query<ListPlace, [string, string, number, string, number]>(
    `SELECT owner, created AS createdAt, id FROM items WHERE kind = ? AND owner = ? AND (created, id) < (?, ?)
     ORDER BY created DESC, id DESC LIMIT ?`,
  ),
  pageOfAll: database.query<ListPlace, [string, number, string, number]>(
    `SELECT owner, created AS createdAt, id FROM items INDEXED BY by_creation WHERE kind = ? AND (created, id) < (?, ?)
     ORDER BY created DESC, id DESC LIMIT ?`,
  ),
  due: database.query<StoredRow, [string, number, number]>(
    `SELECT ${columns} FROM items WHERE kind = ? AND expires <= ? ORDER BY expires LIMIT ?`,
  ),
  unsettled: database.query<StoredRow, [string]>(
    `SELECT ${columns} FROM items INDEXED BY unsettled WHERE kind = ? AND settled = 0`,
  ),
  after: database.query<StoredRow, [string, string, number, string, number]>(
    `SELECT ${columns} FROM items WHERE (kind, owner, created, id) > (?, ?, ?, ?)
     ORDER BY kind, owner, created, id LIMIT ?`,
  ),
  totals: database.query<Total, []>(
    'SELECT kind, owner, items, bytes FROM totals WHERE items > 0 ORDER BY kind, owner',
  ),
  count: database.query<{ items: number }, [string, string]>(
    'SELECT items FROM totals WHERE kind = ? AND owner = ?',
  ),
  countOfAll: database.query<{ items: number }, [string]>(
    'SELECT coalesce(sum(items), 0) AS items FROM totals WHERE kind = ?',
  ),
  isDueLater: database.query<unknown, [string, number, string, number, string]>(
    `SELECT 1 FROM items INDEXED BY by_expiry
     WHERE kind = ? AND expires = ? AND owner = ? AND created = ? AND id = ?`,
  ),
})

const values = ({ kind, owner, createdAt, id, expiresAt, version, bytes, kept, keptBytes }: Row) =>
  [kind, owner, createdAt, id, expiresAt ?? null, version, bytes, kept, keptBytes] as const

const isRow = ({ kind, owner, createdAt, id, expiresAt, version, bytes, kept, keptBytes }: StoredRow) =>
  [kind, owner, id].every((text) => typeof text === 'string') &&
  [createdAt, version, bytes, kept, keptBytes].every(Number.isInteger) &&
  (expiresAt === null || Number.isInteger(expiresAt))

/** Compares like the order of the rows. */
const keyOf = ({ kind, owner, createdAt, id }: RowKey) =>
  [kind, owner, String(createdAt).padStart(16, '0'), id].join('\0')

/** @throws if it is no row, or is missing in the expiry queue */
const checkRow = (row: StoredRow, last: RowKey, { isDueLater }: ReturnType<typeof statements>): Row => {
  const { kind, owner, createdAt, id, expiresAt } = row
  if (!isRow(row) || keyOf(last) >= keyOf(withoutNull(row))) throw new Error('a row of the index is damaged')
  if (expiresAt !== null && !isDueLater.get(kind, expiresAt, owner, createdAt, id))
    throw new Error('the expiry queue of the index is damaged')
  return withoutNull(row)
}

/** The rows of an index, in a file or in memory. Every method throws SQLite's errors. */
export const openIndexFile = (file: string, boot: string) => {
  const { database, state } = openDerivedFile({ file, boot, version, schema })
  const query = statements(database)
  const { isWhole, isInPlace, setWhole, setClean, beforeChange } = state

  return {
    isWhole,
    isInMemory: file === inMemory,
    isInPlace,
    /** @param isSettled false while the document of the row is being written or erased */
    put: (row: Row, isSettled: boolean) => {
      beforeChange()
      query.put.run(...values(row), isSettled ? 1 : 0)
    },
    remove: ({ kind, owner, createdAt, id }: RowKey) => {
      beforeChange()
      query.remove.run(kind, owner, createdAt, id)
    },
    /** Adds the rows that are missing. */
    addAll: database.transaction((rows: readonly FoundRow[]) => {
      for (const { isErasing = false, ...row } of rows) query.add.run(...values(row), isErasing ? 0 : 1)
    }),
    setWhole,
    page: (kind: string, owner: Owner, count: number, before?: Place): ListPlace[] => {
      const at = [before?.createdAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', count] as const
      return owner === undefined ? query.pageOfAll.all(kind, ...at) : query.page.all(kind, owner, ...at)
    },
    due: (kind: string, time: number, count: number) => query.due.all(kind, time, count).map(withoutNull),
    /** Rows whose documents were being written or erased, perhaps by a process that was killed. */
    unsettled: (kind: string) => query.unsettled.all(kind).map(withoutNull),
    /** Of each kind and owner with items, in order. */
    totals: () => query.totals.all(),
    /** How many items an owner has. */
    count: (kind: string, owner: Owner) => {
      const found = owner === undefined ? query.countOfAll.get(kind) : query.count.get(kind, owner)
      return found?.items ?? 0
    },
    /** The rows after this one, in order. */
    after: ({ kind, owner, createdAt, id }: RowKey, count: number): Row[] =>
      query.after.all(kind, owner, createdAt, id, count).map(withoutNull),
    /** Checks and returns the rows after this one, in order. @throws if one is damaged */
    checked: (after: RowKey, count: number): Row[] => {
      let last: RowKey = after
      const rows = query.after.all(after.kind, after.owner, after.createdAt, after.id, count)
      return rows.map((row) => {
        const checked = checkRow(row, last, query)
        last = checked
        return checked
      })
    },
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
  for (const row of database.query<StoredRow, []>(`SELECT ${columns} FROM items`).iterate())
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

/** Stored in the file's header; identifies the tables below. */
export const version = 1

/** A row that is added or removed changes the totals in the same transaction, so they cannot differ from the rows. */
const addTotal = (row: 'new' | 'old', sign: '+' | '-') =>
  `UPDATE totals SET items = items ${sign} 1, bytes = bytes ${sign} ${row}.bytes WHERE kind = ${row}.kind AND owner = ${row}.owner`

/**
 * Rows are stored in the order of the lists, so a page is one piece of the file. `settled` is 0 while the document of a row
 * is being written or erased: a killed process leaves these few rows to be compared with their documents.
 */
export const schema = `
  CREATE TABLE items (kind TEXT NOT NULL, owner TEXT NOT NULL, created INTEGER NOT NULL, id TEXT NOT NULL, expires INTEGER,
    version INTEGER NOT NULL, bytes INTEGER NOT NULL, kept INTEGER NOT NULL, keptBytes INTEGER NOT NULL,
    settled INTEGER NOT NULL, PRIMARY KEY (kind, owner, created, id)) WITHOUT ROWID;
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

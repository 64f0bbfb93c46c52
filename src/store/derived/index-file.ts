import { Database } from 'bun:sqlite'
import { closeSync, openSync, rmSync } from 'node:fs'
import { inMemory, schema, version } from './index-schema.ts'
import { identityOf, isTrusted, type State, versionOf } from './index-state.ts'

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
/** Whose items are listed: those of the key with this name, or of every key if `undefined`. */
export type Owner = string | undefined
/** Where an item is in the list of its owner. */
export type Place = Pick<Row, 'createdAt' | 'id'>
/** Where an item is in a list, and in the list of its owner. */
export type ListPlace = Place & Pick<Row, 'owner'>
/** Identifies a row. */
export type RowKey = Pick<Row, 'kind' | 'owner' | 'createdAt' | 'id'>
/** A row that has expired. */
export type DueRow = RowKey & Pick<Row, 'expiresAt'>

/** The items of an owner, and the bytes of their newest versions. */
export type Total = { kind: string; owner: string; items: number; bytes: number }

/** Name of the index in a data folder. */
export const indexName = 'index.sqlite'
/** SQLite's own files beside the index. There is a journal only until the file has its write-ahead log. */
const besides = ['-journal', '-wal', '-shm']
/** SQLite's files for the index. */
export const indexNames: readonly string[] = [indexName, ...besides.map((suffix) => indexName + suffix)]

/** Killing the process loses nothing, because the kernel has all writes. After a power cut, the index is rebuilt. */
const settings = `
  PRAGMA busy_timeout = 2000;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  PRAGMA cache_size = -2000;
  PRAGMA temp_store = MEMORY`

/** The columns of a row. */
export const columns =
  'kind, owner, created AS createdAt, id, expires AS expiresAt, version, bytes, kept, keptBytes'
/** A row as SQLite gives it. */
export type StoredRow = Required<Omit<Row, 'expiresAt'>> & { expiresAt: number | null }

export const withoutNull = ({ expiresAt, ...row }: StoredRow): Row =>
  expiresAt === null ? row : { ...row, expiresAt }

const statements = (database: Database) => ({
  put: database.query(
    `INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET expires = excluded.expires,
     version = excluded.version, bytes = excluded.bytes, kept = excluded.kept, keptBytes = excluded.keptBytes`,
  ),
  add: database.query('INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING'),
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
  after: database.query<StoredRow, [string, string, number, string, number]>(
    `SELECT ${columns} FROM items WHERE (kind, owner, created, id) > (?, ?, ?, ?)
     ORDER BY kind, owner, created, id LIMIT ?`,
  ),
  totals: database.query<Total, []>(
    'SELECT kind, owner, items, bytes FROM totals WHERE items > 0 ORDER BY kind, owner',
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

/** The state of the index, stored for its next start. */
const createState = (database: Database, file: string, boot: string) => {
  const identity = identityOf(file)
  const isWhole = isTrusted(database, file, boot)
  let isClean = isWhole && database.query<State, []>('SELECT isClean FROM state').get()?.isClean === 1

  const write = (isCleanNow: boolean) => {
    database.transaction(() => {
      database.exec('DELETE FROM state')
      database.query('INSERT INTO state VALUES (?, ?, ?)').run(identity ?? '', boot, isCleanNow ? 1 : 0)
    })()
    isClean = isCleanNow
  }

  return {
    isWhole,
    isInPlace: () => identityOf(file) === identity,
    setWhole: () => write(false),
    /** Called before the first change, and synced. Later changes are not, so the next start has to notice a power cut. */
    beforeChange: () => {
      if (!isClean) return
      database.exec('PRAGMA synchronous = FULL')
      write(false)
      database.exec('PRAGMA synchronous = OFF')
    },
    setClean: () => {
      if (isClean || file === inMemory) return
      database.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)')
      write(true)
    },
  }
}

const removeFile = (file: string) => {
  if (file !== inMemory) for (const suffix of ['', ...besides]) rmSync(file + suffix, { force: true })
}

type Opened = {
  database: Database
  query: ReturnType<typeof statements>
  state: ReturnType<typeof createState>
}

/** Opens the file, and creates it and its tables if missing. A file of another version is replaced. */
const openDatabase = (file: string, boot: string): Opened => {
  // SQLite would make it readable for everyone.
  if (file !== inMemory) closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { create: true, strict: true })
  try {
    database.exec(settings)
    const found = versionOf(database)
    if (found === 0) database.exec(schema)
    else if (found !== version) {
      database.close()
      removeFile(file)
      return openDatabase(file, boot)
    }
    return { database, query: statements(database), state: createState(database, file, boot) }
  } catch (error) {
    database.close()
    throw error
  }
}

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
  const { database, query, state } = openDatabase(file, boot)
  const { isWhole, isInPlace, setWhole, setClean, beforeChange } = state

  return {
    isWhole,
    isInMemory: file === inMemory,
    /** False if the file was removed or replaced, so writes are lost. */
    isInPlace,
    put: (row: Row) => {
      beforeChange()
      query.put.run(...values(row))
    },
    remove: ({ kind, owner, createdAt, id }: RowKey) => {
      beforeChange()
      query.remove.run(kind, owner, createdAt, id)
    },
    /** Adds the rows that are missing. */
    addAll: database.transaction((rows: readonly Row[]) => {
      for (const row of rows) query.add.run(...values(row))
    }),
    /** From now on, the next start may trust it, within the same boot of the machine. */
    setWhole,
    page: (kind: string, owner: Owner, count: number, before?: Place): ListPlace[] => {
      const at = [before?.createdAt ?? Number.MAX_SAFE_INTEGER, before?.id ?? '', count] as const
      return owner === undefined ? query.pageOfAll.all(kind, ...at) : query.page.all(kind, owner, ...at)
    },
    due: (kind: string, time: number, count: number) => query.due.all(kind, time, count).map(withoutNull),
    /** Of each kind and owner with items, in order. */
    totals: () => query.totals.all(),
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
  removeFile(file)
  return openIndexFile(file, boot)
}

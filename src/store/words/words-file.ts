import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { filesOf, inMemory, openDerivedFile, removeDerivedFile } from '../derived/derived-file.ts'
import type { Row } from '../derived/index-file.ts'

/** Name of the words in a data folder. */
export const wordsName = 'words.sqlite'
/** Name of the key that hides them: 32 random bytes. */
export const wordsKeyName = 'words.key'
export const wordsNames: readonly string[] = [...filesOf(wordsName), wordsKeyName]

/** How results are sorted: the newest, last changed, largest, most used or soonest expiring first. */
export const sorts = ['created', 'changed', 'size', 'uses', 'expires'] as const
export type Sort = (typeof sorts)[number]

/** Where a result is in its order; among equals, the newest comes first. */
export type Found = { key: number; createdAt: number; id: string }

export type Search = {
  /** The kind under which the uses of these items are counted. */
  counted: string
  /** What FTS5 must match, in tokens. */
  match: string
  /** Created at this time or later, in milliseconds since the epoch. */
  since: number
  sort: Sort
  /** The last one of the page before. */
  after?: Found | undefined
  count: number
  /** Leaves out what has expired at this time. */
  now: number
}

/** Increased with every change of the tables or of the tokens. */
const format = 1

/** The words of an item lie under its number. `contentless_delete` leaves bytes of deleted tokens, which nobody can read. */
const schema = `
  CREATE TABLE items (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, created INTEGER NOT NULL,
    changed INTEGER NOT NULL, size INTEGER NOT NULL, expires INTEGER, version INTEGER NOT NULL);
  CREATE UNIQUE INDEX by_id ON items (kind, id);
  CREATE VIRTUAL TABLE words USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii')`

/** Expressions of the sort keys. All are sorted downwards, so an expiry is negative, and none comes last. */
const keys: Readonly<Record<Sort | 'unused', string>> = {
  created: 'i.created',
  changed: 'i.changed',
  size: 'i.size',
  expires: '-coalesce(i.expires, 9007199254740991)',
  uses: 'coalesce(c.count, 0)',
  /** There are no counts yet. */
  unused: '0',
}

/** Reads the words first: 100,000 hits take 15 ms, and reading all items of an owner would take as long for a single hit. */
const searchSql = (sort: keyof typeof keys) => `
  SELECT ${keys[sort]} AS key, i.created AS createdAt, i.id FROM words AS w CROSS JOIN items AS i ON i.number = w.rowid
  ${sort === 'uses' ? 'LEFT JOIN counts.counts AS c ON c.kind = $counted AND c.id = i.id' : ''}
  WHERE w.words MATCH $match AND i.created >= $since AND (i.expires IS NULL OR i.expires > $now)
    AND (key, i.created, i.id) < ($key, $created, $id)
  ORDER BY key DESC, i.created DESC, i.id DESC LIMIT $count`

const statements = (database: Database) => ({
  known: database.query<{ number: number; version: number; expires: number | null }, [string, string]>(
    'SELECT number, version, expires FROM items WHERE kind = ? AND id = ?',
  ),
  add: database.query('INSERT INTO items VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)'),
  addWords: database.query('INSERT INTO words (rowid, tokens) VALUES (?, ?)'),
  remove: database.query('DELETE FROM items WHERE number = ?'),
  removeWords: database.query('DELETE FROM words WHERE rowid = ?'),
  setExpiry: database.query('UPDATE items SET expires = ? WHERE number = ?'),
  last: database.query<{ number: number | null }, []>('SELECT max(number) AS number FROM items'),
  after: database.query<{ number: number }, [number, number]>(
    'SELECT number FROM items WHERE number > ? ORDER BY number LIMIT ?',
  ),
})

const createSearch = (database: Database, countsFile: string) => {
  const run = ({ match, since, now, after, count, counted }: Search, sort: keyof typeof keys) =>
    database.query<Found, Record<string, string | number>>(searchSql(sort)).all({
      ...{ $match: match, $since: since, $now: now, $count: count },
      ...{
        $key: after?.key ?? Number.MAX_SAFE_INTEGER,
        $created: after?.createdAt ?? 0,
        $id: after?.id ?? '',
      },
      ...(sort === 'uses' && { $counted: counted }),
    })

  return (search: Search): Found[] => {
    const { sort } = search
    if (sort !== 'uses') return run(search, sort)
    if (!existsSync(countsFile)) return run(search, 'unused')
    // Attached for this search alone: a damaged file of counts is put aside.
    database.query('ATTACH ? AS counts').run(`${pathToFileURL(countsFile)}?mode=ro`)
    try {
      return run(search, sort)
    } finally {
      database.exec('DETACH counts')
    }
  }
}

export type WordsFileParts = {
  file: string
  /** The file of counts, for sorting by use. */
  countsFile: string
  boot: string
  /** Differs for each key. Words under another key are useless. */
  keyCheck: number
}

/** Items and their words. Every method throws SQLite's errors. */
export const openWordsFile = ({ file, countsFile, boot, keyCheck }: WordsFileParts) => {
  const version = format * 2 ** 24 + (keyCheck & 0xffffff)
  const { database, state } = openDerivedFile({ file, boot, version, schema })
  const query = statements(database)

  const removeNumber = (number: number) => {
    query.remove.run(number)
    query.removeWords.run(number)
  }

  return {
    state,
    isOnDisk: file !== inMemory,
    isBusy: () => database.inTransaction,
    /** False if the words of this version are missing. The expiry is brought up to date. */
    isCurrent: ({ kind, id, version, expiresAt }: Row) => {
      const known = query.known.get(kind, id)
      if (known?.version !== version) return false
      if (known.expires !== (expiresAt ?? null)) query.setExpiry.run(expiresAt ?? null, known.number)
      return true
    },
    put: ({ kind, id, createdAt, bytes, expiresAt, version }: Row, changedAt: number, tokens: string) => {
      const known = query.known.get(kind, id)
      if (known) removeNumber(known.number)
      const values = [kind, id, createdAt, changedAt, bytes, expiresAt ?? null, version] as const
      // Ascending numbers: any other order would write each item by itself.
      query.addWords.run(query.add.run(...values).lastInsertRowid, tokens)
    },
    remove: (kind: string, id: string) => {
      const known = query.known.get(kind, id)
      if (known) removeNumber(known.number)
    },
    /** `undefined` if it has no words. */
    numberOf: (kind: string, id: string) => query.known.get(kind, id)?.number,
    lastNumber: () => query.last.get()?.number ?? 0,
    numbersAfter: (number: number, count: number) => query.after.all(number, count).map((row) => row.number),
    removeNumber,
    begin: () => {
      state.beforeChange()
      database.exec('BEGIN')
    },
    commit: () => database.exec('COMMIT'),
    rollback: () => database.inTransaction && database.exec('ROLLBACK'),

    search: createSearch(database, countsFile),

    /** @throws {Error} that says what is damaged */
    check: () => {
      const problems = database.query('PRAGMA quick_check(1)').values().flat()
      if (problems.join() !== 'ok') throw new Error(String(problems[0]))
    },
    close: (isWhole: boolean) => {
      try {
        if (isWhole) state.setClean()
      } finally {
        database.close()
      }
    },
  }
}
export type WordsFile = ReturnType<typeof openWordsFile>

/** Opens an empty file, replacing any existing one. */
export const renewWordsFile = (parts: WordsFileParts) => {
  removeDerivedFile(parts.file)
  const words = openWordsFile(parts)
  // An empty file is complete in itself: what is missing is added when it is compared with the index.
  words.state.setWhole()
  return words
}

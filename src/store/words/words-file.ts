import type { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { filesOf, inMemory, openDerivedFile, removeDerivedFile } from '../derived/derived-file.ts'
import type { Row } from '../derived/index-file.ts'
import { createFacts, type Facts, type Found, numbersIn, ownerOf, type Search } from './facts.ts'

/** Name of the words in a data folder. */
export const wordsName = 'words.sqlite'
/** Name of the key that hides them: 32 random bytes. */
export const wordsKeyName = 'words.key'
export const wordsNames: readonly string[] = [...filesOf(wordsName), wordsKeyName]

/** Increased with every change of the tables or of the tokens. */
const format = 1

/**
 * The words of an item lie under its number. `contentless_delete` leaves bytes of deleted tokens, which nobody can
 * read. Collecting 8 MiB of them before they are written saves a tenth of the time of building.
 */
const schema = `
  CREATE TABLE items (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL,
    created INTEGER NOT NULL, changed INTEGER NOT NULL, size INTEGER NOT NULL, expires INTEGER, version INTEGER NOT NULL);
  CREATE UNIQUE INDEX by_id ON items (kind, id);
  CREATE VIRTUAL TABLE words USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
  INSERT INTO words (words, rank) VALUES ('hashsize', 8388608)`

/** Sorting by use joins the hits with the counts: 100,000 take 50 ms. */
const byUse = `
  SELECT coalesce(c.count, 0) AS key, i.created AS createdAt, i.id
  FROM words AS w CROSS JOIN items AS i ON i.number = w.rowid
  LEFT JOIN counts.counts AS c ON c.kind = $counted AND c.id = i.id
  WHERE w.words MATCH $match AND i.created >= $since AND (i.expires IS NULL OR i.expires > $now)
    AND (key, i.created, i.id) < ($key, $created, $id)
  ORDER BY key DESC, i.created DESC, i.id DESC LIMIT $count`

type Item = Facts & { number: number; kind: string }

const statements = (database: Database) => ({
  known: database.query<{ number: number; version: number; expires: number | null }, [string, string]>(
    'SELECT number, version, expires FROM items WHERE kind = ? AND id = ?',
  ),
  add: database.query('INSERT INTO items VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)'),
  addWords: database.query('INSERT INTO words (rowid, tokens) VALUES (?, ?)'),
  remove: database.query('DELETE FROM items WHERE number = ?'),
  removeWords: database.query('DELETE FROM words WHERE rowid = ?'),
  setExpiry: database.query('UPDATE items SET expires = ? WHERE number = ?'),
  all: database.query<Item, []>('SELECT number, kind, owner, id, created, changed, size, expires FROM items'),
  last: database.query<{ number: number | null }, []>('SELECT max(number) AS number FROM items'),
  after: database.query<{ number: number }, [number, number]>(
    'SELECT number FROM items WHERE number > ? ORDER BY number LIMIT ?',
  ),
})

const createSearch = (database: Database, countsFile: string, facts: ReturnType<typeof createFacts>) => {
  const hits = database.query<{ numbers: string | null }, [string]>(
    'SELECT group_concat(rowid) AS numbers FROM words WHERE words MATCH ?',
  )
  const hitsOf = (match: string) => hits.get(match)?.numbers ?? ''
  const firstByUse = ({ match, since, now, after, count, counted }: Search) =>
    database.query<Found, Record<string, string | number>>(byUse).all({
      ...{ $match: match, $since: since, $now: now, $count: count, $counted: counted },
      $key: after?.key ?? Number.MAX_SAFE_INTEGER,
      ...{ $created: after?.createdAt ?? 0, $id: after?.id ?? '' },
    })

  return (search: Search): Found[] => {
    if (search.sort !== 'uses' || !existsSync(countsFile))
      return facts.first(search.match === '' ? facts.all() : numbersIn(hitsOf(search.match)), search)
    // Attached for this search alone: a damaged file of counts is put aside.
    database.query('ATTACH ? AS counts').run(`${pathToFileURL(countsFile)}?mode=ro`)
    try {
      return firstByUse(search)
    } finally {
      database.exec('DETACH counts')
    }
  }
}

/** Puts items and their words into the file, and removes them. */
const createWriting = (query: ReturnType<typeof statements>, facts: ReturnType<typeof createFacts>) => {
  const removeNumber = (number: number) => {
    query.remove.run(number)
    query.removeWords.run(number)
    facts.remove(number)
  }

  return {
    removeNumber,
    /** False if the words of this version are missing. The expiry is brought up to date. */
    isCurrent: ({ kind, id, version, expiresAt }: Row) => {
      const known = query.known.get(kind, id)
      if (known?.version !== version) return false
      const expires = expiresAt ?? null
      if (known.expires !== expires) {
        query.setExpiry.run(expires, known.number)
        facts.setExpiry(known.number, expires)
      }
      return true
    },
    /** @param item as its document says: under the version of a row that is ahead, old words would stay for ever */
    put: (item: Omit<Item, 'number'> & { version: number }, tokens: string) => {
      const { kind, owner, id, created, changed, size, expires, version } = item
      const known = query.known.get(kind, id)
      if (known) removeNumber(known.number)
      const added = query.add.run(kind, owner, id, created, changed, size, expires, version)
      // Ascending numbers: any other order would write each item by itself.
      const number = Number(added.lastInsertRowid)
      query.addWords.run(number, tokens)
      facts.set(number, { owner: ownerOf(kind, owner), id, created, changed, size, expires })
    },
    remove: (kind: string, id: string) => {
      const known = query.known.get(kind, id)
      if (known) removeNumber(known.number)
    },
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
  const facts = createFacts()
  for (const { kind, owner, ...item } of query.all.iterate())
    facts.set(item.number, { ...item, owner: ownerOf(kind, owner) })

  return {
    ...createWriting(query, facts),
    state,
    isOnDisk: file !== inMemory,
    isBusy: () => database.inTransaction,
    /** `undefined` if it has no words. */
    numberOf: (kind: string, id: string) => query.known.get(kind, id)?.number,
    lastNumber: () => query.last.get()?.number ?? 0,
    numbersAfter: (number: number, count: number) => query.after.all(number, count).map((row) => row.number),
    begin: () => {
      state.beforeChange()
      database.exec('BEGIN')
    },
    commit: () => database.exec('COMMIT'),
    rollback: () => database.inTransaction && database.exec('ROLLBACK'),

    search: createSearch(database, countsFile, facts),
    hasMost: facts.hasMost,

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

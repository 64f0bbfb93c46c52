import type { Database } from 'bun:sqlite'
import { filesOf, inMemory, openDerivedFile, removeDerivedFile } from '../derived/derived-file.ts'
import { createFacts, type Facts, type Found, numbersIn, ownerOf, type Search } from './facts.ts'
import type { Query, Used, UsedRow } from './protocol.ts'

/** Name of the words in a data folder. */
export const wordsName = 'words.sqlite'
/** Name of the key that hides them: 32 random bytes. */
export const wordsKeyName = 'words.key'
export const wordsNames: readonly string[] = [...filesOf(wordsName), wordsKeyName]

/** Increased with every change of the tables or of the tokens. */
const format = 3

/**
 * The words of an item lie under its number. `contentless_delete` leaves bytes of deleted tokens, which nobody can
 * read. Collecting 8 MiB of them before they are written saves a tenth of the time of building.
 */
const schema = `
  CREATE TABLE items (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, owner TEXT NOT NULL, id TEXT NOT NULL,
    created INTEGER NOT NULL, changed INTEGER NOT NULL, size INTEGER NOT NULL, expires INTEGER, version INTEGER NOT NULL,
    uses INTEGER NOT NULL);
  CREATE UNIQUE INDEX by_id ON items (kind, id);
  CREATE INDEX by_use ON items (kind, owner, uses, created, id);
  CREATE INDEX by_use_of_all ON items (kind, uses, created, id);
  CREATE VIRTUAL TABLE words USING fts5(tokens, content='', contentless_delete=1, detail=none, tokenize='ascii');
  INSERT INTO words (words, rank) VALUES ('hashsize', 8388608)`

/** A page in the order of use is one piece of an index, however many items there are. */
const byUse = (index: string, condition: string) => `
  SELECT uses AS key, created AS createdAt, id FROM items INDEXED BY ${index}
  WHERE ${condition} AND (uses, created, id) < ($key, $created, $id)
    AND created >= $since AND (expires IS NULL OR expires > $now)
  ORDER BY uses DESC, created DESC, id DESC LIMIT $count`

type Item = Facts & { number: number; kind: string }

const statements = (database: Database) => ({
  known: database.query<
    { number: number; version: number; expires: number | null; uses: number },
    [string, string]
  >('SELECT number, version, expires, uses FROM items WHERE kind = ? AND id = ?'),
  add: database.query('INSERT INTO items VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  addWords: database.query('INSERT INTO words (rowid, tokens) VALUES (?, ?)'),
  remove: database.query('DELETE FROM items WHERE number = ?'),
  removeWords: database.query('DELETE FROM words WHERE rowid = ?'),
  setExpiry: database.query('UPDATE items SET expires = ? WHERE number = ?'),
  setUses: database.query('UPDATE items SET uses = ? WHERE number = ?'),
  all: database.query<Item, []>(
    'SELECT number, kind, owner, id, created, changed, size, uses, expires FROM items',
  ),
  last: database.query<{ number: number | null }, []>('SELECT max(number) AS number FROM items'),
  after: database.query<{ number: number }, [number, number]>(
    'SELECT number FROM items WHERE number > ? ORDER BY number LIMIT ?',
  ),
})

const createSearch = (database: Database, facts: ReturnType<typeof createFacts>) => {
  const hits = database.query<{ numbers: string | null }, [string]>(
    'SELECT group_concat(rowid) AS numbers FROM words WHERE words MATCH ?',
  )
  const hitsOf = (match: string) => hits.get(match)?.numbers ?? ''
  const byUseOfOwner = database.query<Found, Record<string, string | number>>(
    byUse('by_use', 'kind = $kind AND owner = $owner'),
  )
  const byUseOfAll = database.query<Found, Record<string, string | number>>(
    byUse('by_use_of_all', 'kind = $kind'),
  )

  return {
    search: (search: Search): Found[] =>
      facts.first(search.match === '' ? facts.all() : numbersIn(hitsOf(search.match)), search),
    /** The most used items, whatever their words. */
    mostUsed: ({ kind, owner, since, now, after, count }: Query): Found[] => {
      const place = {
        ...{ $kind: kind, $since: since, $now: now, $count: count },
        $key: after?.key ?? Number.MAX_SAFE_INTEGER,
        ...{ $created: after?.createdAt ?? 0, $id: after?.id ?? '' },
      }
      return owner === undefined ? byUseOfAll.all(place) : byUseOfOwner.all({ ...place, $owner: owner })
    },
  }
}

/** Puts items and their words into the file, and removes them. */
const createWriting = (query: ReturnType<typeof statements>, facts: ReturnType<typeof createFacts>) => {
  const removeNumber = (number: number) => {
    query.remove.run(number)
    query.removeWords.run(number)
    facts.remove(number)
  }

  const setUses = ({ kind, id, uses }: Used, known = query.known.get(kind, id)) => {
    if (!known || known.uses === uses) return
    query.setUses.run(uses, known.number)
    facts.setUses(known.number, uses)
  }

  return {
    removeNumber,
    setUses: (used: Used) => setUses(used),
    /** False if the words of this version are missing. Expiry and uses are brought up to date. */
    isCurrent: (row: UsedRow) => {
      const { kind, id, version, expiresAt } = row
      const known = query.known.get(kind, id)
      if (known?.version !== version) return false
      const expires = expiresAt ?? null
      if (known.expires !== expires) {
        query.setExpiry.run(expires, known.number)
        facts.setExpiry(known.number, expires)
      }
      setUses(row, known)
      return true
    },
    /** @param item as its document says: under the version of a row that is ahead, old words would stay for ever */
    put: (item: Omit<Item, 'number'> & { version: number }, tokens: string) => {
      const { kind, owner, id, created, changed, size, expires, version, uses } = item
      const known = query.known.get(kind, id)
      if (known) removeNumber(known.number)
      const added = query.add.run(kind, owner, id, created, changed, size, expires, version, uses)
      // Ascending numbers: any other order would write each item by itself.
      const number = Number(added.lastInsertRowid)
      query.addWords.run(number, tokens)
      facts.set(number, { owner: ownerOf(kind, owner), id, created, changed, size, uses, expires })
    },
    remove: (kind: string, id: string) => {
      const known = query.known.get(kind, id)
      if (known) removeNumber(known.number)
    },
  }
}

export type WordsFileParts = {
  file: string
  boot: string
  /** Differs for each key. Words under another key are useless. */
  keyCheck: number
}

/** Items and their words. Every method throws SQLite's errors. */
export const openWordsFile = ({ file, boot, keyCheck }: WordsFileParts) => {
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

    ...createSearch(database, facts),
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

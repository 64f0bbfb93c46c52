import type { Database } from 'bun:sqlite'
import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf, inMemory, openDerivedFile, removeDerivedFile } from '../derived/derived-file.ts'
import { isMissing, shardOf } from '../disk.ts'
import { documentJson } from '../documents/documents.ts'
import type { WordsChange } from './finder.ts'
import {
  beginning,
  fold,
  foundIn,
  type Hit,
  longestBeginning,
  mark,
  marksOf,
  type SearchQuery,
  type Source,
  wordsAsked,
  wordsOf,
} from './tokens.ts'

/** Name of the words in a data folder. */
const wordsName = 'words.sqlite'
export const wordsNames = filesOf(wordsName)

/** Increased with every change of the tables or of the tokens. */
const version = 5

/**
 * FTS5 takes words out of the file only with `secure-delete` and the former text, which `texts` has; `contentless_delete`
 * leaves their bytes. The number of an item grows with its time of creation, so the newest hits come first without sorting
 * all. Writing 8 MiB at once builds a tenth faster.
 */
const schema = `
  CREATE TABLE items (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
    created INTEGER NOT NULL, changed INTEGER NOT NULL, size INTEGER NOT NULL, uses INTEGER NOT NULL,
    expires INTEGER NOT NULL);
  CREATE UNIQUE INDEX by_id ON items (kind, id);
  CREATE TABLE texts (number INTEGER PRIMARY KEY, text BLOB NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5(tokens, content='', detail=none, tokenize='ascii');
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
  INSERT INTO words (words, rank) VALUES ('hashsize', 8388608)`

/** Items created within a millisecond that keep its order; more are numbered into the next. */
const perMillisecond = 1024

const leastFreeBytes = 16 * 1024 ** 2
/** The last free bytes of a disk are for documents. */
export const hasRoom = (folder: string) => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= leastFreeBytes
}

/** What FTS5 must match. @returns `undefined` for a text without a word, or with too many */
const matchOf = ({ kind, owner, language, text }: SearchQuery) => {
  const words = wordsAsked(text)
  if (!words) return undefined
  return [
    `"${owner === undefined ? mark(kind) : mark(kind, owner)}"`,
    ...(language === undefined ? [] : [`"${mark('', language)}"`]),
    ...words.map((word) => `("${word}" OR "${beginning([...word])}")`),
  ].join(' AND ')
}

/** `undefined` for an item that is gone or damaged. */
const readItem = (path: string) => {
  try {
    const item = documentJson.decode(readFileSync(path, 'utf8')) as Source
    return { ...item, size: Buffer.byteLength(item.text ?? item.url ?? '') }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Lists name damaged documents. An error of the disk says nothing about the document.
    if (isMissing(error) || code === undefined) return undefined
    throw error
  }
}

/** Those of two letters or more; one of a word of one. */
const beginningsOf = (word: string) => {
  const characters = [...word].slice(0, longestBeginning)
  const shortest = Math.min(2, characters.length)
  return characters.slice(shortest - 1).map((_, at) => beginning(characters.slice(0, shortest + at)))
}

const tokensOf = (kind: string, item: Source) => {
  const { text, short } = foundIn(item)
  return [...marksOf(kind, item), ...wordsOf(short).flatMap(beginningsOf), fold(text)].join(' ')
}

/** Later than any time, and larger than any number of an item. */
const most = Number.MAX_SAFE_INTEGER

const sortKeys = { created: 'number', changed: 'changed', size: 'size', uses: 'uses', expires: '-expires' }

/**
 * The newest hits come first: they need no sorting, and in other orders most later ones are behind the page already. Passing
 * the oldest first, by time of change, took half as long again: each hit was ahead of all before it.
 */
const createSearch = (database: Database) => (query: SearchQuery) => {
  const { sort, since, now, after, count } = query
  const match = matchOf(query)
  if (match === undefined) return undefined
  const key = sortKeys[sort]
  const isNewest = sort === 'created'
  const lastKey = after?.key ?? most
  const last = after ? Number.parseInt(after.rank, 10) : most
  return database
    .query<Hit, Record<string, string | number>>(
      `SELECT id, created AS createdAt, ${key} AS key, CAST(number AS TEXT) AS rank FROM (SELECT rowid AS hit FROM words
       WHERE words MATCH $match AND rowid BETWEEN $since AND $until ORDER BY rowid DESC LIMIT -1)
       CROSS JOIN items ON number = hit WHERE expires > $now AND (${key}, number) < ($key, $last)
       ${isNewest ? '' : 'ORDER BY key DESC, number DESC'} LIMIT $count`,
    )
    .all({
      ...{ $match: match, $since: since * perMillisecond, $until: isNewest ? last : most },
      ...{ $now: now, $key: lastKey, $last: last, $count: count },
    })
}

const statements = (database: Database) => ({
  find: database.query<{ number: number; version: number }, [string, string]>(
    'SELECT number, version FROM items WHERE kind = ? AND id = ?',
  ),
  isTaken: database.query('SELECT 1 FROM items WHERE number = ?'),
  addItem: database.query('INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  addText: database.query('INSERT INTO texts VALUES (?, ?)'),
  addWords: database.query('INSERT INTO words (rowid, tokens) VALUES (?, ?)'),
  update: database.query(
    'UPDATE items SET expires = ?2, uses = ?3 WHERE number = ?1 AND (expires <> ?2 OR uses <> ?3)',
  ),
  setUses: database.query('UPDATE items SET uses = ? WHERE kind = ? AND id = ?'),
  textOf: database.query<{ text: Uint8Array<ArrayBuffer> }, [number]>(
    'SELECT text FROM texts WHERE number = ?',
  ),
  dropWords: database.query("INSERT INTO words (words, rowid, tokens) VALUES ('delete', ?, ?)"),
  dropText: database.query('DELETE FROM texts WHERE number = ?'),
  dropItem: database.query('DELETE FROM items WHERE number = ?'),
  numbers: database.query<{ number: number }, []>('SELECT number FROM items'),
})

/** What an item costs, in bytes of a text that cost as much to write: a removal takes 2 ms. */
const [leastBytes, removalBytes] = [4096, 32 * 1024]
type Written = { number?: number; bytes: number; isAdded?: boolean }

const createWriting = (folder: string, database: Database) => {
  const query = statements(database)
  let hasRemoved = false

  /** @returns about how many bytes could have been written meanwhile */
  const remove = (number: number) => {
    const { text } = query.textOf.get(number) ?? {}
    if (!text) throw new Error('the words of an item are missing')
    query.dropWords.run(number, Bun.zstdDecompressSync(text).toString())
    query.dropText.run(number)
    query.dropItem.run(number)
    hasRemoved = true
    return removalBytes
  }

  /** Under the version of its document: with that of a row that is ahead, old words would stay for ever. */
  const add = (kind: string, id: string, uses: number, item: NonNullable<ReturnType<typeof readItem>>) => {
    const { createdAt, changedAt = createdAt, expiresAt = most, version = 1, size } = item
    const tokens = tokensOf(kind, item)
    let number = createdAt * perMillisecond
    while (query.isTaken.get(number)) number++
    query.addItem.run(number, kind, id, version, createdAt, changedAt, size, uses, expiresAt)
    query.addText.run(number, Bun.zstdCompressSync(tokens, { level: 1 }))
    query.addWords.run(number, tokens)
    return { number, bytes: Math.max(leastBytes, tokens.length), isAdded: true }
  }

  /** @returns the number of the item, and about how many bytes of words were written or removed */
  const put = ({ kind, id, what, version, expiresAt, uses }: WordsChange): Written => {
    if (what === 'used') {
      query.setUses.run(uses, kind, id)
      return { bytes: leastBytes }
    }
    const known = query.find.get(kind, id)
    if (known && what === 'written' && known.version === version) {
      query.update.run(known.number, expiresAt ?? most, uses)
      return { number: known.number, bytes: leastBytes }
    }
    const bytes = known ? remove(known.number) : 0
    const item = what === 'written' ? readItem(`${folder}/${kind}/${shardOf(id)}/${id}.json`) : undefined
    return item ? add(kind, id, uses, item) : { bytes: Math.max(leastBytes, bytes) }
  }

  return {
    put,
    remove,
    numbers: () => query.numbers.all().map(({ number }) => number),
    commit: () => {
      database.exec('COMMIT')
      // Removed words leave the write-ahead log too.
      if (hasRemoved) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      hasRemoved = false
    },
    rollback: () => {
      if (database.inTransaction) database.exec('ROLLBACK')
    },
  }
}

/** Reads and writes the words of an open file. Every method throws SQLite's errors, or those of the disk. */
const createWords = (folder: string, { database, state }: ReturnType<typeof openDerivedFile>) => {
  const search = createSearch(database)
  const checkPlace = () => {
    if (!state.isInPlace()) throw new Error('the words were removed or replaced')
  }

  return {
    ...createWriting(folder, database),
    isWhole: state.isWhole,
    isComplete: state.isClean,
    setWhole: state.setWhole,
    search: (query: SearchQuery) => {
      checkPlace()
      return search(query)
    },
    begin: () => {
      checkPlace()
      state.beforeChange()
      database.exec('BEGIN')
    },
    check: () => {
      const problems = database.query('PRAGMA quick_check(1)').values().flat()
      if (problems.join() !== 'ok') throw new Error(String(problems[0]))
    },
    close: (isComplete: boolean) => {
      try {
        if (isComplete) state.setClean()
      } finally {
        database.close()
      }
    },
  }
}
export type Words = ReturnType<typeof createWords>

/**
 * Opens the words of a data folder; empty ones if there are none that can be trusted, in memory if the folder cannot hold
 * them. @returns also why those that were there could not be opened
 */
export const openWords = (
  folder: string,
  boot: string,
  isNew: boolean,
): { words: Words; isOnDisk: boolean; damage?: string } => {
  const path = join(folder, wordsName)
  const open = (file: string) => {
    const derived = openDerivedFile({ file, boot, version, schema })
    derived.database.exec('PRAGMA secure_delete = ON')
    return createWords(folder, derived)
  }
  const openNew = (file: string) => {
    removeDerivedFile(file)
    const words = open(file)
    // An empty file is complete in itself: what is missing is added when it is compared with the index.
    words.setWhole()
    return { words, isOnDisk: file !== inMemory }
  }
  const renew = () => {
    try {
      return openNew(path)
    } catch {
      return openNew(inMemory)
    }
  }
  if (isNew) return renew()
  if (!existsSync(path) && !hasRoom(folder)) return openNew(inMemory)
  try {
    const words = open(path)
    if (words.isWhole) return { words, isOnDisk: true }
    words.close(false)
  } catch (error) {
    return { ...renew(), damage: (error as Error).message }
  }
  return renew()
}

import { LRUCache } from 'lru-cache'
import { headOf, sizeOf } from '../documents/documents.ts'
import { rowOf } from '../documents/item-store.ts'
import type { Head, ItemStore, KindParts, Owner, Place, RowKey, StoredItem } from '../store.ts'
import { lexemesOf, type Source, usesLeftOf } from '../words/tokens.ts'
import { type Db, isTaken } from './db.ts'
import { milliseconds } from './schema.ts'

/** What an item is stored as, in the order of `storedValues`. */
const columns =
  'kind, id, owner, alias, created, changed, expires, version, uses_left, bytes, kept, head, text, words'
const givenValues =
  '$1::text, $2::text, $3::text, $4::text, $5::bigint, $6::bigint, $7::bigint, $8::int, $9::int, $10::int, $11::int, $12::json'
const [textGiven, wordsGiven] = ['$13::bytea', `array_to_tsvector(string_to_array($14::text, ' '))`]

/** @param former as it is stored now: what stays the same does not travel */
export const storedValues = (kind: string, item: StoredItem, former?: StoredItem) => {
  const { id, owner, createdAt, expiresAt = null, version, bytes, kept } = rowOf(kind, item)
  const { text } = item as Source
  const isText = text !== undefined && text !== (former as Source | undefined)?.text
  const isWords = !former || (former.version ?? 1) !== version
  return [
    ...[kind, id, owner, item.alias ?? null, createdAt, item.changedAt ?? null, expiresAt, version],
    ...[usesLeftOf(item as Source) ?? null, bytes, kept, JSON.stringify(headOf(item))],
    ...[isText ? Buffer.from(text) : null, isWords ? lexemesOf(kind, item as Source) : null],
  ]
}

/** Counts items of a kind and an owner. Each statement changes one row, and last, so no two wait for each other. */
export const addTotals = (select: string) => `INSERT INTO totals AS t (kind, owner, part, items) ${select}
  ON CONFLICT (kind, owner, part) DO UPDATE SET items = t.items + excluded.items`
const part = 'pg_backend_pid() % 64'

export const insertText = `INSERT INTO items (state, ${columns}) SELECT 'l', ${givenValues}, ${textGiven}, ${wordsGiven}`

/**
 * The name first, since its row decides; then the item, whose primary key decides about the id. If the id is taken, the
 * whole statement fails, so no name is left that leads nowhere. A name in the shape of an id takes that id as well.
 */
const createText = `
WITH reserved AS (
  INSERT INTO items AS i (kind, id, state, owner, created) SELECT $1, $4, 'r', $3, 0 WHERE $15::boolean
  ON CONFLICT (kind, id) DO UPDATE SET state = 'r' WHERE i.state = 'r' RETURNING 1),
named AS (
  INSERT INTO names AS n (kind, alias, id, owner, is_live, expires)
  SELECT $1, $4, $2, $3, true, $7 WHERE $4 IS NOT NULL AND (NOT $15 OR EXISTS (SELECT FROM reserved))
  ON CONFLICT (kind, alias) DO UPDATE SET id = excluded.id, is_live = true, expires = excluded.expires
  WHERE n.owner = excluded.owner AND (NOT n.is_live OR n.expires <= ${milliseconds}) RETURNING 1),
made AS (${insertText} WHERE $4 IS NULL OR EXISTS (SELECT FROM named) RETURNING kind, owner)
${addTotals(`SELECT kind, owner, ${part}, 1 FROM made`)} RETURNING 1`

/**
 * The living item in the state that the caller saw. FOR UPDATE waits for the request that changes it, and looks again: of many that
 * saw the same state, one goes on. No use of an item is missed: an item that burns always has its uses left.
 */
const sameState = (
  version: number,
) => `i.kind = $1 AND i.id = $2 AND i.state = 'l' AND i.version = $${version}::int
  AND i.kept = $${version + 1}::int AND i.expires IS NOT DISTINCT FROM $${version + 2}::bigint
  AND ($${version + 3}::int IS NULL OR i.uses_left = $${version + 3}) FOR UPDATE`
const stateOf = (item: StoredItem) => {
  const { version, kept, expiresAt = null } = rowOf('', item)
  return [version, kept, expiresAt, usesLeftOf(item as Source) ?? null]
}

const replaceText = `
WITH old AS (SELECT i.* FROM items i WHERE ${sameState(15)}),
kept AS (
  INSERT INTO versions (kind, id, version, head, text) SELECT kind, id, version, head, text FROM old WHERE $19::boolean
  ON CONFLICT (kind, id, version) DO UPDATE SET head = excluded.head, text = excluded.text),
dropped AS (
  DELETE FROM versions v USING old WHERE v.kind = old.kind AND v.id = old.id AND NOT v.version = ANY ($20::int[])),
named AS (
  UPDATE names n SET expires = $7 FROM old
  WHERE n.kind = old.kind AND n.alias = old.alias AND n.id = old.id AND n.expires IS DISTINCT FROM $7)
UPDATE items i SET (${columns}) = (${givenValues}, coalesce(${textGiven}, i.text), coalesce(${wordsGiven}, i.words)),
  rev = i.rev + 1
FROM old WHERE i.kind = old.kind AND i.id = old.id RETURNING 1`

/** Only in the state that the caller saw: then its versions are older than this statement, which sees them all. */
const eraseText = `
WITH gone AS (SELECT i.kind, i.id, i.alias, i.owner FROM items i WHERE ${sameState(3)}),
erased AS (
  UPDATE items i SET state = 'g', alias = NULL, owner = '', text = NULL, words = NULL, head = '{}', bytes = 0, kept = 0,
    rev = i.rev + 1 FROM gone WHERE i.kind = gone.kind AND i.id = gone.id),
versions_gone AS (DELETE FROM versions v USING gone WHERE v.kind = gone.kind AND v.id = gone.id),
counts_gone AS (DELETE FROM counts c USING gone WHERE c.kind = gone.kind AND c.id = gone.id),
names_gone AS (
  UPDATE names n SET is_live = false FROM gone WHERE n.kind = gone.kind AND n.alias = gone.alias AND n.id = gone.id)
${addTotals(`SELECT kind, owner, ${part}, -1 FROM gone`)} RETURNING 1`

/** Neither text nor head travel if the item is still in the state that the caller has. */
const loaded = `i.id, i.state, i.rev, CASE WHEN i.id = $3::text AND i.rev = $4::bigint THEN NULL ELSE i.head END AS head,
  CASE WHEN i.id = $3 AND i.rev = $4 THEN NULL ELSE i.text END AS text`
const byIdText = `SELECT ${loaded} FROM items i WHERE i.kind = $1 AND i.id = $2 AND i.state <> 'r'`
/** Ids first: one lookup by primary key. */
const byNameText = `${byIdText} UNION ALL
SELECT ${loaded} FROM names n JOIN items i ON i.kind = n.kind AND i.id = n.id AND (i.state = 'g' OR i.alias = n.alias)
WHERE n.kind = $1 AND n.alias = $2 AND NOT EXISTS (SELECT FROM items o WHERE o.kind = $1 AND o.id = $2 AND o.state <> 'r')`
const earlierText = `SELECT v.head, v.text FROM versions v JOIN items i USING (kind, id)
WHERE v.kind = $1 AND v.id = $2 AND v.version = $3::int AND i.state = 'l'`

/** The time of the statement: it does not move, so the index finds what is due. */
const dueText = `SELECT head FROM items
WHERE kind = $1 AND state = 'l' AND expires <= (extract(epoch from now()) * 1000)::bigint ORDER BY expires LIMIT $2`
const rowsText = `SELECT kind, head FROM items WHERE state = 'l' AND (kind, owner, created, id) > ($1, $2, $3, $4)
ORDER BY kind, owner, created, id LIMIT $5`

/** Rows of all kinds. @throws {AppError} storage errors */
export const rowsAfter = (db: Db) => async (after: RowKey, count: number) => {
  const values = [after.kind, after.owner, after.createdAt, after.id, count]
  const rows = await db.query<{ kind: string; head: Head<StoredItem> }>(rowsText, values)
  return rows.map(({ kind, head }) => rowOf(kind, head))
}

const living = `kind = $1 AND state = 'l' AND (expires IS NULL OR expires > $2::bigint)`
const headsText = `SELECT head FROM items WHERE ${living} AND id = ANY ($3)`

export type Stored<T> = { head: Head<T>; text: Buffer | null }
export const itemOf = <T extends StoredItem>({ head, text }: Stored<T>) => {
  const { bytes: _, name: __, ...others } = head
  return { ...others, ...(text && { text: text.toString() }) } as unknown as T
}

const ofOwner = (owner: Owner, number: number) => (owner === undefined ? '' : `AND owner = $${number}`)

/** @param now milliseconds since the epoch */
type ItemsParts<T> = KindParts<T> & { kind: string; db: Db; now: () => number }

/** Reads of items. What was read last is kept, and used again only if the database says that it is the same. */
const createLoads = <T extends StoredItem>({ kind, db, cacheBytes }: ItemsParts<T>) => {
  const kept = new LRUCache<string, { item: T; rev: number }>({
    ...{ maxSize: cacheBytes, sizeCalculation: ({ item }) => sizeOf(item) },
  })

  const read = async (text: string, name: string): Promise<T | 'gone' | undefined> => {
    const known = kept.get(name)
    const values = [kind, name, known?.item.id ?? null, known?.rev ?? null]
    const [row] = await db.query<Stored<T> & { id: string; state: string; rev: number }>(text, values)
    if (row?.state !== 'l') {
      kept.delete(name)
      return row && 'gone'
    }
    if (known?.item.id === row.id && known.rev === row.rev) return known.item
    const item = itemOf(row)
    kept.set(name, { item, rev: row.rev })
    return item
  }

  return {
    load: (id: string) => read(byIdText, id),
    loadNamed: (name: string) => read(byNameText, name),
    loadEarlier: async (id: string, version: number) => {
      const [row] = await db.query<Stored<T>>(earlierText, [kind, id, version])
      return row && itemOf(row)
    },
  }
}

/** The items of a kind in a database. Each change is one statement. */
export const openItems = <T extends StoredItem>(parts: ItemsParts<T>): ItemStore<T> => {
  const { kind, db, now, newId, isId } = parts
  const loads = createLoads(parts)
  const isDone = async (text: string, values: readonly unknown[]) => (await db.query(text, values)).length > 0
  const heads = async (text: string, values: readonly unknown[]) =>
    (await db.query<{ head: Head<T> }>(text, values)).map(({ head }) => head)

  const create = async (draft: Omit<T, 'id'>): Promise<T | 'taken'> => {
    const item = { id: newId(), ...draft } as T
    const values = [...storedValues(kind, item), item.alias !== undefined && isId(item.alias)]
    try {
      return (await isDone(createText, values)) ? item : 'taken'
    } catch (error) {
      if (isTaken(error)) return create(draft)
      throw error
    }
  }

  const replace = (former: T, next: T) => {
    const numbers = (next.earlier ?? []).map(({ version }) => version)
    const isKept = numbers.includes(former.version ?? 1)
    return isDone(replaceText, [...storedValues(kind, next, former), ...stateOf(former), isKept, numbers])
  }

  /** What another request changes meanwhile is read again, so its versions go with it. */
  const erase = async (item: T, isNewest = false): Promise<boolean> => {
    if (await isDone(eraseText, [kind, item.id, ...stateOf(item)])) return true
    const newest = isNewest ? undefined : await loads.load(item.id)
    return typeof newest === 'object' && erase(newest)
  }

  return {
    // Another process may have changed it.
    peek: () => undefined,
    ...{ ...loads, create, replace, erase },
    removeEarlier: (former) => {
      const { earlier: _, ...others } = former
      return replace(former, others as T)
    },
    list: (owner, count, { createdAt, id }: Place = { createdAt: Number.MAX_SAFE_INTEGER, id: '' }) => {
      const text = `SELECT head FROM items WHERE ${living} AND (created, id) < ($3, $4) ${ofOwner(owner, 6)}
        ORDER BY created DESC, id DESC LIMIT $5`
      return heads(text, [kind, now(), createdAt, id, count, ...(owner === undefined ? [] : [owner])])
    },
    count: async (owner) => {
      const text = `SELECT sum(items)::int AS items FROM totals WHERE kind = $1 ${ofOwner(owner, 2)}`
      const values = [kind, ...(owner === undefined ? [] : [owner])]
      return (await db.query<{ items: number }>(text, values))[0]?.items ?? 0
    },
    heads: async (places) => {
      const ids = places.map(({ id }) => id)
      const found = new Map((await heads(headsText, [kind, now(), ids])).map((head) => [head.id, head]))
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    due: async (count) =>
      (await heads(dueText, [kind, count])).map((head) => rowOf(kind, head as unknown as StoredItem)),
    /** A change since the row was read is left for the next sweep. */
    eraseDue: ({ id, version, kept, expiresAt = null }) =>
      isDone(eraseText, [kind, id, version, kept, expiresAt, null]),
  }
}

import type { ItemKind } from '../../items/ids.ts'
import type { Count, CountChange, CountsStore } from '../derived/counts-store.ts'
import type { Collections, Storage, Total } from '../store.ts'
import { openKeys, openLimiter } from './access.ts'
import { type Ask, type Db, type DbParts, openDb } from './db.ts'
import { openItems, rowsAfter } from './items.ts'
import { milliseconds } from './schema.ts'
import { createSearch } from './search.ts'

/** What was erased counts nothing. */
const countsText = `
INSERT INTO counts AS c (kind, id, owner, created, uses) SELECT i.kind, i.id, i.owner, i.created, u.by
FROM json_to_recordset($1::json) AS u (kind text, id text, by bigint)
JOIN items i ON i.kind = u.kind || 's' AND i.id = u.id AND i.state = 'l'`

/** No process goes on trying to write for so long. */
const keptMs = 30 * 86_400_000

/**
 * Only if this batch was not written yet: the answer to the first attempt may be lost. In order of ids, or two processes
 * wait for each other.
 */
const addText = `
WITH batch AS (
  INSERT INTO count_batches AS b VALUES ($2, $3::int, ${milliseconds})
  ON CONFLICT (process) DO UPDATE SET number = excluded.number, at = excluded.at WHERE b.number < excluded.number RETURNING 1),
tidied AS (DELETE FROM count_batches WHERE at < ${milliseconds} - ${keptMs})
${countsText} WHERE EXISTS (SELECT FROM batch) ORDER BY i.kind, i.id
ON CONFLICT (kind, id) DO UPDATE SET uses = c.uses + excluded.uses`

const usesText = `
INSERT INTO key_uses AS k SELECT key, value::bigint FROM json_each_text($1::json) ORDER BY key
ON CONFLICT (name) DO UPDATE SET used = greatest(k.used, excluded.used)`
const asJson = (uses: ReadonlyMap<string, number>) => JSON.stringify(Object.fromEntries(uses))

/** Stores counts where there are none. */
export const fillCounts = async (ask: Ask, counts: readonly Count[], uses: ReadonlyMap<string, number>) => {
  for (let at = 0; at < counts.length; at += 10_000)
    await ask(countsText, [JSON.stringify(counts.slice(at, at + 10_000))])
  await ask(usesText, [asJson(uses)])
}

/** Counts in a database; a batch that is written again is added once. An erasure forgets the count of its item. */
export const openCounts = (db: Db) => {
  const process = crypto.randomUUID()
  let number = 0
  let last: readonly CountChange[] | undefined
  return {
    prepare: async () => {},
    get: async (kind: ItemKind, ids: readonly string[]) => {
      const text = 'SELECT id, uses FROM counts WHERE kind = $1 AND id = ANY ($2)'
      const rows = await db.query<{ id: string; uses: number }>(text, [`${kind}s`, ids])
      return new Map(rows.map(({ id, uses }) => [id, uses]))
    },
    write: async (changes: readonly CountChange[], uses: ReadonlyMap<string, number>) => {
      if (changes !== last) number++
      last = changes
      if (uses.size > 0) await db.query(usesText, [asJson(uses)])
      const added = changes.filter(({ by }) => by !== 'forgotten')
      if (added.length > 0) await db.query(addText, [JSON.stringify(added), process, number])
    },
    close: () => {},
  } satisfies CountsStore
}

const totalsText = `SELECT kind, owner, count(*)::int AS items, coalesce(sum(bytes), 0)::bigint AS bytes FROM items
WHERE state = 'l' GROUP BY kind, owner ORDER BY kind, owner`

const openCollections = (db: Db, now: () => number): Collections => ({
  store: (kind, parts) => openItems({ ...parts, kind, db, now }),
  totals: async () => [...(await db.query<Total>(totalsText))],
  index: { rowsAfter: rowsAfter(db), state: () => 'whole' },
  search: createSearch(db),
  start: () => {},
  used: () => {},
  close: async () => {},
})

/** Stores everything in a database, for any number of processes. @throws {AppError} as `openDb` does */
export const openPostgres = async (parts: DbParts) => {
  const db = await openDb(parts)
  return {
    counts: () => openCounts(db),
    items: ({ now }) => openCollections(db, now),
    keys: openKeys(db),
    /** @param monotonic a clock in milliseconds */
    limiter: (monotonic: () => number) => openLimiter(db, monotonic),
    health: db.health,
    isLocked: () => true,
    close: db.close,
  } satisfies Storage & Record<string, unknown>
}

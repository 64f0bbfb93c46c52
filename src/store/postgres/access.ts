import { damaged, invalid } from '../../errors.ts'
import { mostTokens, type StoredKey } from '../../items/schema.ts'
import { type KeyStore, keysCheck } from '../folder/key-file.ts'
import type { Db } from './db.ts'
import { microseconds, milliseconds } from './schema.ts'

/**
 * Takes a token in one statement. The clock is read again for each row (`b.at`), after its lock: rounded to milliseconds, a
 * fourth token fitted in. `least`: a clock that was set back keeps no token.
 */
const takeText = `
INSERT INTO buckets AS b (key, taken, at, is_accepted, until)
SELECT $1, ARRAY[t], t, true, t + $3::bigint FROM (SELECT ${microseconds} AS t) c
ON CONFLICT (key) DO UPDATE SET (taken, at, is_accepted, until) = (
  SELECT CASE WHEN cardinality(out) < $2::int THEN out || t ELSE out END, t, cardinality(out) < $2, t + $3
  FROM (SELECT t, ARRAY(SELECT least(x, t) FROM unnest(b.taken) x WHERE t - least(x, t) < $3 ORDER BY x) AS out
        FROM (SELECT ${microseconds} AS t WHERE b.at IS NOT NULL) c) d)
RETURNING is_accepted AS "isAccepted", greatest(0, $2 - cardinality(taken)) AS remaining, at,
  CASE WHEN cardinality(taken) < $2 THEN 0 ELSE taken[cardinality(taken) - $2 + 1] + $3 - at END AS back`

/** Rows whose tokens are all back. One that is in use now is left. */
const tidyText = `DELETE FROM buckets WHERE key IN (
  SELECT key FROM buckets WHERE until <= ${microseconds} LIMIT 1000 FOR UPDATE SKIP LOCKED)`
const tidyMs = 60_000

/** Token buckets that all processes share, by the clock of the database. @param monotonic a clock in milliseconds */
export const openLimiter = (db: Db, monotonic: () => number) => {
  let tidyAt = monotonic() + tidyMs
  return {
    /**
     * @returns besides, `at`: when, in microseconds since the epoch
     * @throws {AppError} storage errors
     */
    take: async (key: string, { capacity, periodMs }: { capacity: number; periodMs: number }) => {
      if (monotonic() >= tidyAt) {
        tidyAt = monotonic() + tidyMs
        void db.query(tidyText).catch(() => {})
      }
      type Taken = { isAccepted: boolean; remaining: number; at: number; back: number }
      const rows = await db.query<Taken>(takeText, [key, capacity, periodMs * 1000])
      const { back, ...taken } = rows[0] as Taken
      return { ...taken, retryAfterMs: Math.ceil(back / 1000) }
    },
  }
}

/** @throws {AppError} `invalid` for a rate that no row can hold */
export const checkRates = (keys: readonly StoredKey[]) => {
  const over = keys.find(({ rate }) => (rate?.requests ?? 0) > mostTokens)
  if (over)
    throw invalid(
      `The rate of the key "${over.name}" has more than ${mostTokens} requests, the most with PostgreSQL; give it a shorter period`,
    )
}

/** Compare-and-swap: of two changes of the same version, the second one waits for the row, and then finds another version. */
export const putKeysText =
  'UPDATE key_ring SET version = version + 1, keys = $2 WHERE version = $1 RETURNING 1'

/** The keys in a database. */
export const openKeys = (db: Db): KeyStore => {
  type Ring = { version: number; keys: readonly StoredKey[] }
  const readRing = async () => {
    const [ring] = await db.query<Ring>('SELECT version, keys FROM key_ring')
    const { version, keys } = ring as Ring
    const problem = keysCheck.problem({ keys })
    if (problem) throw damaged('the table of keys', problem)
    return { version, keys }
  }
  return {
    version: async () => {
      const [ring] = await db.query<Pick<Ring, 'version'>>('SELECT version FROM key_ring')
      return String(ring?.version)
    },
    read: async () => {
      const { version, keys } = await readRing()
      return version === 0 ? undefined : keys
    },
    update: async (change) => {
      for (let isDone = false; !isDone; ) {
        const { version, keys } = await readRing()
        const changed = await change(keys)
        checkRates(changed)
        isDone = (await db.query(putKeysText, [version, JSON.stringify(changed)])).length > 0
      }
    },
  }
}

const factsText = `
SELECT name, max(used) AS "usedAt", sum(items)::int AS items, sum(bytes)::bigint AS bytes FROM (
  SELECT name, used, 0 AS items, 0 AS bytes FROM key_uses
  UNION ALL SELECT owner, 0, 1, bytes FROM items WHERE state = 'l' AND (expires IS NULL OR expires > ${milliseconds})) f
GROUP BY name`

/** By its name, what a key did. @throws {AppError} storage errors */
export const factsOfKeys = async (db: Db) => {
  type KeyFacts = { name: string; usedAt: number; items: number; bytes: number }
  return new Map((await db.query<KeyFacts>(factsText)).map((facts) => [facts.name, facts]))
}

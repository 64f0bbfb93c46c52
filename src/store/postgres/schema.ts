import { unusableFolder } from '../../errors.ts'

/** Increased with every change of the tables below. */
const schemaVersion = 1

/** What the statements need of PostgreSQL. */
const leastVersion = 140_000

/** The clock of the database decides for all processes. Unlike now(), it moves while a statement waits for a lock. */
export const microseconds = '(extract(epoch from clock_timestamp()) * 1000000)::bigint'
export const milliseconds = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

/**
 * Times are milliseconds since the epoch. Ids and names compare by their bytes, or the order of lists would depend on the
 * locale of the server. Run once, in one transaction.
 */
const tables = `
CREATE TABLE meta (version int NOT NULL);
CREATE TABLE items (
  -- l live; g gone: the id stays taken; r reserved: an item has this id as its name
  kind text, id text COLLATE "C", state "char" NOT NULL,
  owner text COLLATE "C" NOT NULL, alias text COLLATE "C", created bigint NOT NULL, changed bigint, expires bigint,
  -- kept: number of earlier versions; rev: names this state of the item, every change gives another one
  version int NOT NULL DEFAULT 1, uses_left int, bytes int NOT NULL DEFAULT 0, kept int NOT NULL DEFAULT 0,
  rev bigint NOT NULL DEFAULT 1,
  -- json and bytea: jsonb and text refuse the character NUL, which a paste may contain
  head json NOT NULL DEFAULT '{}', text bytea, words tsvector,
  PRIMARY KEY (kind, id)) WITH (fillfactor = 90);
DO $$ BEGIN ALTER TABLE items ALTER COLUMN text SET COMPRESSION lz4, ALTER COLUMN words SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN NULL; END $$;
CREATE INDEX items_owner ON items (kind, owner, created, id) WHERE state = 'l';
CREATE INDEX items_created ON items (kind, created, id) WHERE state = 'l';
CREATE INDEX items_size ON items (kind, owner, bytes, created, id) WHERE state = 'l';
CREATE INDEX items_changed ON items (kind, owner, coalesce(changed, created), created, id) WHERE state = 'l';
CREATE INDEX items_expiry ON items (kind, owner, (-coalesce(expires, ${Number.MAX_SAFE_INTEGER})), created, id) WHERE state = 'l';
CREATE INDEX items_due ON items (kind, expires) WHERE state = 'l' AND expires IS NOT NULL;
CREATE INDEX items_words ON items USING gin (words) WHERE state = 'l';
-- All that decides who may have a name: ON CONFLICT sees the newest state of its own row, but other tables as they were.
CREATE TABLE names (
  kind text, alias text COLLATE "C", id text COLLATE "C" NOT NULL, owner text COLLATE "C" NOT NULL,
  is_live boolean NOT NULL, expires bigint, PRIMARY KEY (kind, alias));
CREATE TABLE versions (
  kind text, id text COLLATE "C", version int, head json NOT NULL, text bytea, PRIMARY KEY (kind, id, version));
-- Beside the items, or each read would write all words of its item again.
CREATE TABLE counts (
  kind text, id text COLLATE "C", owner text COLLATE "C" NOT NULL, created bigint NOT NULL, uses bigint NOT NULL,
  PRIMARY KEY (kind, id)) WITH (fillfactor = 70);
CREATE INDEX counts_uses ON counts (kind, owner, uses, created, id);
-- Items by kind and owner: the sum of all parts. Each connection changes its own, or all creations would wait for one row.
CREATE TABLE totals (
  kind text, owner text COLLATE "C", part int, items int NOT NULL, PRIMARY KEY (kind, owner, part)) WITH (fillfactor = 50);
-- The last counts that a process wrote, so none is added twice if its answer was lost.
CREATE TABLE count_batches (process text PRIMARY KEY, number int NOT NULL, at bigint NOT NULL) WITH (fillfactor = 50);
-- All keys in one row, as a folder has them in one file. The version is 0 until there was one.
CREATE TABLE key_ring (version bigint NOT NULL, keys json NOT NULL);
INSERT INTO key_ring VALUES (0, '[]');
-- The minute of the last use of each key.
CREATE TABLE key_uses (name text COLLATE "C" PRIMARY KEY, used bigint NOT NULL) WITH (fillfactor = 50);
-- Forgotten by a crash of the database and not replicated, as the memory of a process is. Times in microseconds.
CREATE UNLOGGED TABLE buckets (
  key text PRIMARY KEY, taken bigint[] NOT NULL, at bigint NOT NULL, is_accepted boolean NOT NULL, until bigint NOT NULL
  ) WITH (fillfactor = 50);
INSERT INTO meta VALUES (${schemaVersion});
`

/**
 * Two new processes may be here at once: the second one waits, and finds the tables, but not by `to_regclass`, which may
 * remember that there were none.
 */
const makeText = `DO $make$ BEGIN PERFORM pg_advisory_xact_lock(7241);
  IF NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'meta') THEN EXECUTE $tables$ ${tables} $tables$; END IF; END $make$`

const serverText = `
SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name,
  to_regclass('meta') IS NOT NULL AS there,
  CASE WHEN current_setting('fsync') = 'off' THEN 'fsync is off'
    WHEN current_setting('synchronous_commit') IN ('off', 'local') THEN 'synchronous_commit is ' || current_setting('synchronous_commit')
    WHEN current_setting('synchronous_standby_names') = '' AND EXISTS (
      SELECT FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup') THEN 'its replication is asynchronous' END AS risk`

/**
 * Makes the tables of a new database. @param ask returns the first row
 * @returns why the database may lose what it has acknowledged, if it may
 * @throws {AppError} `unusable-folder` for one that this program cannot use; the error of the database
 */
export const prepareDatabase = async (ask: <R>(text: string) => Promise<R>) => {
  type Server = { number: number; name: string; there: boolean; risk: string | null }
  const { number, name, there, risk } = await ask<Server>(serverText)
  if (number < leastVersion)
    throw unusableFolder(`the database is PostgreSQL ${name}; this program needs 14 or later`)
  if (!there) await ask(makeText)
  const { version } = await ask<{ version: number }>('SELECT version FROM meta')
  if (version !== schemaVersion)
    throw unusableFolder(
      `the database has tables of version ${version}, and this program knows ${schemaVersion}; run the program that made them`,
    )
  return risk
}

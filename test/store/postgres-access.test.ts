import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createIds, sha256 } from '../../src/items/ids.ts'
import { mostTokens } from '../../src/items/schema.ts'
import { pasteCheck } from '../../src/services/items.ts'
import { createKeyRing, createKeys } from '../../src/services/keys.ts'
import { openKeys, openLimiter } from '../../src/store/postgres/access.ts'
import { type Db, openDb } from '../../src/store/postgres/db.ts'
import { openItems } from '../../src/store/postgres/items.ts'
import { openCounts } from '../../src/store/postgres/storage.ts'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'
import { follow, keep, run } from '../support/process.ts'
import { refusalOf } from '../support/store.ts'

let postgres: Postgres
const databases: Db[] = []
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres()
})
afterAll(async () => {
  await Promise.all(databases.map((db) => db.close()))
  if (hasPostgres) await postgres.stop()
})

const open = async (url = postgres.database()) => {
  const db = await openDb({ url })
  databases.push(db)
  return { url, db }
}
const schemaIn = (url: string) => new URL(url).searchParams.get('options')?.split('=')[1]

/** A process with a connection of its own, which works when it is told to. */
const startWorker = async (task: string, url: string, args: object = {}) => {
  const program = join(import.meta.dir, '../support/access-worker.ts')
  const child = Bun.spawn([process.execPath, program, task, url, JSON.stringify(args)], {
    ...{ stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  })
  keep(child)
  const output = follow(child.stdout)
  let lines = 0
  const next = async () => {
    const [text] = await output.waitFor(new RegExp(`^(?:.*\n){${++lines}}`))
    return JSON.parse(text.trim().split('\n').at(-1) as string)
  }
  await next()
  return {
    child,
    output,
    tell: (word = 'go') => {
      child.stdin.write(`${word}\n`)
      return child.stdin.flush()
    },
    next,
    end: async () => {
      child.stdin.end()
      await child.exited
    },
  }
}
const startWorkers = (count: number, ...given: Parameters<typeof startWorker>) =>
  Promise.all(Array.from({ length: count }, () => startWorker(...given)))

const now = () => 1_700_000_000_000
const ids = createIds((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
const keysOf = (db: Db) => createKeys({ store: openKeys(db), ids, now })
const ringOf = (db: Db, damages: string[] = []) =>
  createKeyRing({
    ...{ store: openKeys(db), apiKey: undefined, now, onUse: () => {} },
    onDamage: (error) => damages.push(error.message),
  })

/** The number of acceptances in the fullest window, and the first moment at which that was over the capacity. */
const fullest = (times: readonly number[], periodMicroseconds: number) =>
  Math.max(
    ...times.map((start) => times.filter((at) => at >= start && at < start + periodMicroseconds).length),
  )

/** The database notes each acceptance itself. */
const logAcceptances = (url: string) => {
  const schema = schemaIn(url)
  postgres.psql(`SET search_path = ${schema};
    CREATE TABLE accepted (key text, at bigint);
    CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN INSERT INTO ${schema}.accepted VALUES (NEW.key, NEW.at); RETURN NULL; END';
    CREATE TRIGGER accepted AFTER INSERT OR UPDATE ON buckets FOR EACH ROW WHEN (NEW.is_accepted) EXECUTE FUNCTION note()`)
  return () => postgres.psql(`SELECT at FROM ${schema}.accepted ORDER BY at`).split('\n').map(Number)
}

describe.skipIf(!hasPostgres)('the driver', () => {
  test('gives ten thousand mixed answers to those who asked', async () => {
    const { db } = await open()
    const kinds: ((n: number) => Promise<boolean>)[] = [
      async (n) => (await db.query<{ v: number }>('SELECT $1::int AS v', [n]))[0]?.v === n,
      async (n) => (await db.query<{ v: string }>('SELECT $1::text AS v', [`é${n}`]))[0]?.v === `é${n}`,
      async (n) => (await db.query<{ v: number }>('SELECT $1::bigint * 1000 AS v', [n]))[0]?.v === n * 1000,
      async (n) => {
        const bytes = Buffer.from(`\0${'x'.repeat(n % 5000)}${n}`)
        const [row] = await db.query<{ v: Buffer; n: number }>('SELECT $1::bytea AS v, $2::int AS n', [
          bytes,
          n,
        ])
        return row?.n === n && bytes.equals(row.v)
      },
      async (n) => {
        const rows = await db.query<{ v: number }>(
          'SELECT g + $1::int AS v FROM generate_series(0, $2::int) g',
          [n, n % 50],
        )
        return rows.length === (n % 50) + 1 && rows.every(({ v }, at) => v === n + at)
      },
      async (n) =>
        (await db.query<{ v: number[] }>('SELECT $1::int[] AS v', [[n, -n]]))[0]?.v.join() === `${n},${-n}`,
      async (n) =>
        (await db.query<{ v: number }>('SELECT $1::int AS v FROM pg_sleep(0.002)', [n]))[0]?.v === n,
      async (n) => (await db.query('SELECT $1::int WHERE false', [n])).length === 0,
      // A text of its own, so a statement that is not prepared yet.
      async (n) =>
        (await db.query<{ v: number }>(`SELECT ${n % 300} + $1::int AS v`, [n]))[0]?.v === n + (n % 300),
      async (n) =>
        (await db.query<{ v: object }>('SELECT $1::json AS v', [`{"n":${n}}`]))[0]?.v !== undefined,
    ]
    const failing = (n: number) =>
      db.query(`SELECT 1 / ($1::int - $1) AS v, ${n % 3}`, [n]).then(
        () => false,
        () => true,
      )
    let [asked, right] = [0, 0]
    const lane = async () => {
      while (asked < 10_000) {
        const n = ++asked
        // An error ends its connection, and nobody else's answer.
        const ask = n % 53 === 0 ? failing : (kinds[(n * 7) % kinds.length] as (typeof kinds)[number])
        if (await ask(n)) right++
      }
    }
    await Promise.all(Array.from({ length: 400 }, lane))
    expect(right).toBe(asked)
  })
})

describe.skipIf(!hasPostgres)('the token bucket', () => {
  const policy = { capacity: 3, periodMs: 15_000 }

  test('answers as the one in memory does', async () => {
    const { db } = await open()
    const { take } = openLimiter(db, () => 0)
    const takes = []
    for (let asked = 0; asked < 5; asked++) takes.push(await take('key', policy))
    expect(takes.map(({ isAccepted, remaining }) => [isAccepted, remaining])).toEqual([
      ...[
        [true, 2],
        [true, 1],
        [true, 0],
      ],
      ...[
        [false, 0],
        [false, 0],
      ],
    ])
    expect(takes[0]?.retryAfterMs).toBe(0)
    expect(takes[4]?.retryAfterMs).toBe(
      Math.ceil(((takes[0]?.at ?? 0) + 15_000_000 - (takes[4]?.at ?? 0)) / 1000),
    )
    expect((await take('other', policy)).isAccepted).toBe(true)
  })

  test('lets a key with a lowered rate wait until all but one token too many are back', async () => {
    const { db } = await open()
    const { take } = openLimiter(db, () => 0)
    const takes = []
    for (let asked = 0; asked < 3; asked++) takes.push(await take('key', policy))
    const refused = await take('key', { ...policy, capacity: 1 })
    expect(refused.remaining).toBe(0)
    expect(refused.retryAfterMs).toBe(Math.ceil(((takes[2]?.at ?? 0) + 15_000_000 - refused.at) / 1000))
  })

  test('never gives more than 3 in any window to four processes that ask 4,000 times', async () => {
    const { url } = await open()
    const accepted = logAcceptances(url)
    const periodMs = Number(process.env.SHORTCRUST_WINDOW_MS ?? 300)
    const args = { bucket: 'ann', attempts: 1000, lanes: 8, periodMs, pauseMs: periodMs / 8 }
    const workers = await startWorkers(4, 'take', url, args)
    await Promise.all(workers.map(({ tell }) => tell()))
    const answers = await Promise.all(workers.map(({ next }) => next()))
    await Promise.all(workers.map(({ end }) => end()))
    const times = accepted()
    const total = answers.reduce((sum, { accepted: count }) => sum + count, 0)
    console.log(`${total} of 4000 attempts in ${((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1e6} s`)
    expect(total).toBe(times.length)
    expect(fullest(times, periodMs * 1000)).toBe(3)
    // Nor fewer than there were tokens for whoever always asks.
    const windows = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (periodMs * 1000)
    expect(times.length).toBeGreaterThan(3 * windows * 0.8)
  })

  test('of a clock that was set back gives a token after one period, not after the hour', async () => {
    const { url, db } = await open()
    const { take } = openLimiter(db, () => 0)
    for (let asked = 0; asked < 3; asked++) await take('key', policy)
    postgres.psql(
      `UPDATE ${schemaIn(url)}.buckets SET taken = ARRAY(SELECT x + 3600000000 FROM unnest(taken) x)`,
    )
    const refused = await take('key', policy)
    expect(refused.isAccepted).toBe(false)
    expect(refused.retryAfterMs).toBeLessThanOrEqual(15_000)
  })

  test('is removed once all of its tokens are back, and no other', async () => {
    const { url, db } = await open()
    let time = 0
    const { take } = openLimiter(db, () => time)
    await take('old', { capacity: 3, periodMs: 1 })
    await take('young', { capacity: 3, periodMs: 3_600_000 })
    time = 61_000
    await take('last', { capacity: 3, periodMs: 3_600_000 })
    const keys = () => postgres.psql(`SELECT string_agg(key, ' ' ORDER BY key) FROM ${schemaIn(url)}.buckets`)
    while (keys().includes('old')) await db.query('SELECT 1')
    expect(keys()).toBe('last young')
  })
})

describe.skipIf(!hasPostgres)('keys in a database', () => {
  test('are added, listed, changed and revoked as in a file, and differ from none that ever was', async () => {
    const { db } = await open()
    const store = openKeys(db)
    const keys = keysOf(db)
    expect(await store.read()).toBeUndefined()
    const limits = { rate: { requests: 2, seconds: 60 }, only: 'paste', expiresAt: now() + 5000 } as const
    const key = await keys.add('laptop', limits)
    const stored = { name: 'laptop', createdAt: now(), sha256: sha256(key), ...limits }
    expect(await keys.list()).toEqual([stored])
    expect(await keys.set('laptop', { expiresAt: 'none', admin: true })).toMatchObject({ admin: true })
    const { expiresAt: _, ...others } = stored
    expect(await keys.list()).toEqual([{ ...others, admin: true }])
    expect((await refusalOf(keys.add('laptop'))).message).toContain('There is a key named "laptop" already')
    await keys.revoke('laptop')
    expect((await refusalOf(keys.revoke('laptop'))).kind).toBe('not-found')
    expect(await store.read()).toEqual([])
    expect(await keys.addFirst()).toBeUndefined()
  })

  test('to one name, or as the first one, have one winner among ten', async () => {
    const { url, db } = await open()
    const { db: other } = await open(url)
    const all = Array.from({ length: 10 }, (_, at) => keysOf(at % 2 ? db : other).addFirst())
    const outcomes = await Promise.allSettled(all)
    const made = outcomes.filter((one) => one.status === 'fulfilled' && one.value !== undefined)
    expect(made).toHaveLength(1)
    expect(await keysOf(db).list()).toHaveLength(1)
  })

  test('that ten commands add at the same time are all there', async () => {
    const { db } = await open()
    const names = Array.from({ length: 10 }, (_, at) => `key-${at}`)
    await Promise.all(names.map((name) => keysOf(db).add(name)))
    expect((await keysOf(db).list()).map(({ name }) => name).sort()).toEqual(names)
  })

  test('are shown once, even if another command was faster', async () => {
    const { db } = await open()
    const shown: string[] = []
    const key = await keysOf(db).add('laptop', {}, async (made) => {
      shown.push(made)
      await keysOf(db).add('faster')
    })
    expect(shown).toEqual([key])
    expect((await ringOf(db).authenticate(key))?.name).toBe('laptop')
  })

  test('that are revoked are refused by every process from the next request on', async () => {
    const { url, db } = await open()
    const workers = await startWorkers(3, 'key', url)
    const ask = (key: string) =>
      Promise.all(
        workers.map(async ({ tell, next }) => {
          await tell(key)
          return (await next()).holder?.name
        }),
      )
    for (let round = 0; round < 20; round++) {
      const key = await keysOf(db).add('laptop')
      expect(await ask(key)).toEqual(['laptop', 'laptop', 'laptop'])
      await keysOf(db).revoke('laptop')
      expect(await ask(key)).toEqual([undefined, undefined, undefined])
    }
    await Promise.all(workers.map(({ end }) => end()))
  })

  test('have no rate that a bucket cannot hold', async () => {
    const { db } = await open()
    const rate = { requests: mostTokens + 1, seconds: 3600 }
    expect(await refusalOf(keysOf(db).add('ci', { rate }))).toEqual({
      kind: 'invalid',
      message:
        'The rate of the key "ci" has more than 1000 requests, the most with PostgreSQL; give it a shorter period',
    })
    await keysOf(db).add('ci', { rate: { ...rate, requests: mostTokens } })
  })

  test('that somebody wrote wrong leave the last good ones in force, and are reported once', async () => {
    const { url, db } = await open()
    const damages: string[] = []
    const key = await keysOf(db).add('laptop')
    const { authenticate } = ringOf(db, damages)
    expect((await authenticate(key))?.name).toBe('laptop')
    postgres.psql(`SET search_path = ${schemaIn(url)};
      UPDATE key_ring SET keys = '[{"name":"laptop"}]', version = version + 1`)
    for (const _again of [1, 2]) expect((await authenticate(key))?.name).toBe('laptop')
    expect(damages).toEqual([expect.stringContaining('the table of keys: ')])
    expect((await refusalOf(keysOf(db).revoke('laptop'))).kind).toBe('damaged')
  })

  test('are not taken from memory while the database is away', async () => {
    const own = await startPostgres()
    try {
      const { db } = await open(own.database())
      const key = await keysOf(db).add('laptop')
      const { authenticate } = ringOf(db)
      expect((await authenticate(key))?.name).toBe('laptop')
      await own.stop('SIGQUIT')
      expect((await refusalOf(authenticate(key))).kind).toBe('storage-unavailable')
      await own.open()
      expect((await authenticate(key))?.name).toBe('laptop')
    } finally {
      await own.stop()
    }
  })
})

describe.skipIf(!hasPostgres)('the command "keys" with --store', () => {
  test('adds, changes, lists and revokes keys as in a folder, and names the database without its password', async () => {
    const { url, db } = await open()
    const secret = new URL(url)
    secret.password = 'secret'
    const keys = (...words: string[]) => run(['keys', ...words, '--store', secret.href])
    const where = 'postgres://shortcrust@localhost/postgres'
    expect((await keys('list')).stderr).toBe(
      `there are no keys in ${where}; make one with: shortcrust keys add NAME\n`,
    )
    const added = await keys('add', 'laptop', '--only', 'paste', '--rate', '10/1m')
    expect(added.stderr).toContain(`API key "laptop", 10/1m, only paste, for ${where}, shown only this once:`)
    expect((await ringOf(db).authenticate(added.stdout.trim()))?.name).toBe('laptop')
    expect((await keys('set', 'laptop', '--rate', 'none', '--admin')).stderr).toContain(
      'only paste, admin, changed in',
    )
    await openCounts(db).write([], new Map([['laptop', Date.now()]]))
    const list = await keys('list')
    expect(list.stdout).toMatch(/^laptop {2}\S+Z {2}only paste {2}admin {2}last used \S+Z\n$/)
    expect((await keys('revoke', 'laptop')).stderr).toBe(`API key "laptop" revoked in ${where}\n`)
    expect((await keys('revoke', 'laptop')).code).toBe(1)
    expect(await ringOf(db).authenticate(added.stdout.trim())).toBeUndefined()
    expect(await keys('add', 'ci', '--create')).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('with --store there is none') },
    })
  })
})

describe.skipIf(!hasPostgres)('counts in a database', () => {
  const items = (url: string, made: readonly string[]) =>
    postgres.psql(
      `INSERT INTO ${schemaIn(url)}.items (kind, id, state, owner, created)
       SELECT 'pastes', id, 'l', 'ann', 0 FROM unnest(ARRAY['${made.join("','")}']) id`,
    )
  const stored = (url: string) =>
    postgres.psql(`SELECT string_agg(DISTINCT uses::text, ' '), count(*) FROM ${schemaIn(url)}.counts`)
  const many = Array.from({ length: 60 }, (_, at) => `id${at}`)
  const added = (id: string, by = 1) => ({ kind: 'paste', id, by }) as const
  const used = new Map<string, number>()

  test('are added once, even if the answer to the first attempt was lost', async () => {
    const { url, db } = await open()
    items(url, ['a', 'b'])
    let isLost = true
    const lossy: Db = {
      ...db,
      query: async (text, values) => {
        const rows = await db.query(text, values)
        if (isLost && text.includes('INSERT INTO counts')) throw new Error('the connection ended')
        return rows as never
      },
    }
    const counts = openCounts(lossy)
    const first = [added('a', 5), added('b')]
    for (let attempt = 0; attempt < 3; attempt++)
      await expect(counts.write(first, used)).rejects.toThrow('ended')
    isLost = false
    await counts.write(first, used)
    expect(await counts.get('paste', ['a', 'b', 'none'])).toEqual(
      new Map([
        ['a', 5],
        ['b', 1],
      ]),
    )
    await counts.write([added('a')], used)
    await openCounts(db).write([added('a', 10)], used)
    expect((await counts.get('paste', ['a'])).get('a')).toBe(16)
  })

  test('of three processes add up while the database ends their connections', async () => {
    const { url } = await open()
    items(url, many)
    const workers = await startWorkers(3, 'count', url, { ids: many, batches: 60 })
    await Promise.all(workers.map(({ tell }) => tell()))
    const done = Promise.all(workers.map(({ output }) => output.waitFor(/"written":60\}\n/)))
    for (let cut = 1; cut < 6; cut++) {
      await Promise.all(workers.map(({ output }) => output.waitFor(new RegExp(`"begun":${cut * 10}\\}`))))
      postgres.psql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'shortcrust' AND query LIKE '%INSERT INTO counts%'`)
    }
    await done
    await Promise.all(workers.map(({ end }) => end()))
    expect(stored(url)).toBe('180|60')
  })

  test('of a process that was killed are lost from the batch that was not written, and none is counted twice', async () => {
    const { url } = await open()
    items(url, many)
    for (let round = 1; round <= 5; round++) {
      postgres.psql(`TRUNCATE ${schemaIn(url)}.counts`)
      const { child, output, tell } = await startWorker('count', url, { ids: many, batches: 1_000_000 })
      await tell()
      await output.waitFor(new RegExp(`"written":${round * 20}\\}`))
      child.kill('SIGKILL')
      await child.exited
      await output.ended
      const last = (what: string) =>
        Number([...output.text().matchAll(new RegExp(`"${what}":(\\d+)`, 'g'))].at(-1)?.[1])
      // What the database still did with the last statement of a dead process, it did wholly or not at all.
      while (
        postgres.psql(`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'shortcrust'
        AND state = 'active' AND query LIKE '%INSERT INTO counts%'`) !== '0'
      );
      const [uses = 0, rows] = stored(url).split('|').map(Number)
      expect(rows).toBe(many.length)
      expect([last('written'), last('begun')]).toContain(uses)
    }
  })

  test('are forgotten with their item, and not added to one that is gone', async () => {
    const { url, db } = await open()
    items(url, ['a', 'b'])
    const counts = openCounts(db)
    await counts.write([added('a'), added('b')], used)
    const facts = { kind: 'pastes', owner: 'ann', createdAt: 0, version: 1, bytes: 0, kept: 0, keptBytes: 0 }
    const rules = { check: pasteCheck, cacheBytes: 1, newId: () => '', isId: () => false }
    expect(await openItems({ ...rules, kind: 'pastes', db, now }).eraseDue({ ...facts, id: 'a' })).toBe(true)
    await counts.write([{ kind: 'paste', id: 'a', by: 'forgotten' }, added('b')], used)
    await counts.write([added('a'), added('never')], used)
    expect(await counts.get('paste', ['a', 'b', 'never'])).toEqual(new Map([['b', 2]]))
  })

  test('know the last minute of each key, whichever process writes last', async () => {
    const { db } = await open()
    const counts = openCounts(db)
    const read = async () =>
      Object.fromEntries(
        (await db.query<{ name: string; used: number }>('SELECT name, used FROM key_uses')).map((row) => [
          row.name,
          row.used,
        ]),
      )
    await counts.write(
      [],
      new Map([
        ['ann', 120_000],
        ['bert', 60_000],
      ]),
    )
    await counts.write([], new Map([['ann', 60_000]]))
    expect(await read()).toEqual({ ann: 120_000, bert: 60_000 })
  })
})

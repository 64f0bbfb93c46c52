import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Db, openDb } from '../../src/store/postgres/db.ts'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'

let postgres: Postgres
let db: Db
beforeAll(async () => {
  if (!hasPostgres) return
  postgres = await startPostgres()
  db = await openDb({ url: postgres.database(), onHealthChange: () => {}, onWaiting: () => {} })
})
afterAll(async () => {
  await db?.close()
  await postgres?.stop()
})

const [questions, atOnce, ended, connections] = [10_000, 200, 10, 10]

/** The answer to a statement, or the error of the database that is behind the one for clients. */
const answerOf = (text: string, values: readonly unknown[]) =>
  db.query(text, values).catch(({ cause, message }) => cause?.code ?? message)

/** Questions of several shapes, and the only right answer to each. */
const kinds: readonly ((at: number) => [text: string, values: readonly unknown[], answer: unknown])[] = [
  (at) => ['SELECT $1::text AS word', [`word ${at}`], [{ word: `word ${at}` }]],
  (at) => [
    'SELECT $1::bigint * 2 AS twice, $2::text AS word',
    [at, `${at}`],
    [{ twice: at * 2, word: `${at}` }],
  ],
  (at) => [
    'SELECT $1::int + n AS row FROM generate_series(1, $2::int) n ORDER BY n',
    [at, at % 30],
    Array.from({ length: at % 30 }, (_, n) => ({ row: at + n + 1 })),
  ],
  (at) => [
    'SELECT $1::bytea AS bytes',
    [Buffer.alloc(at * 3, `${at}`)],
    [{ bytes: Buffer.alloc(at * 3, `${at}`) }],
  ],
  (at) => [
    'SELECT $1::text AS word, pg_sleep($2) AS slept',
    [`${at}`, (at % 7) / 1000],
    [{ word: `${at}`, slept: '' }],
  ],
  // Never named before, so it is parsed each time.
  (at) => [`SELECT ${at} AS own`, [], [{ own: at }]],
]
/** Now and then: the pool ends a connection that an error came from. */
const errors: typeof kinds = [
  (at) => ['SELECT $1::int / 0 AS never', [at], '22012'],
  (at) => ['SELECT $1::text::uuid AS never', [`no uuid ${at}`], '22P02'],
]
const questionOf = (at: number) => {
  const from = at % 50 < errors.length ? errors : kinds
  return (from[at % from.length] as (typeof kinds)[number])(at)
}

describe.if(hasPostgres)('the driver', () => {
  test('gives each of 10,000 mixed questions its own answer, while its connections are ended', async () => {
    const wrong: unknown[] = []
    const unanswered: string[] = []
    let asked = 0
    const lane = async () => {
      while (asked < questions) {
        const at = asked++
        if (at % (questions / ended) === atOnce)
          postgres.psql(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'shortcrust'`,
          )
        const [text, values, answer] = questionOf(at)
        const given = await answerOf(text, values)
        if (Bun.deepEquals(given, answer)) continue
        if (typeof given === 'string' && !given.startsWith('22')) unanswered.push(given)
        else wrong.push({ text, values, given })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, lane))
    expect(wrong).toEqual([])
    // One question at a time is on the way on each connection.
    expect(unanswered.length).toBeLessThanOrEqual(ended * connections)
    expect(await db.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

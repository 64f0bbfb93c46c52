import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../support/client.ts'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'
import { run, start, testKey } from '../support/process.ts'

let postgres: Postgres
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres()
})
let server: Awaited<ReturnType<typeof start>> | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

const serve = async (store: string) => {
  server = await start({ args: ['--rate-limit', 'off', '--store', store] })
  return { ...server, ...createClient(server.url) }
}
const refused = async (store: string) => {
  const { code, stderr } = await run(['--host', '127.0.0.1', '--port', '0', '--store', store])
  return { code, stderr }
}
const paste = { text: 'a', title: 'b', description: '', language: 'text' }
/** Waits for what becomes true without a sign. */
const until = async (isTrue: () => Promise<boolean>) => {
  while (!(await isTrue())) await Bun.sleep(50)
}

describe.if(hasPostgres)('a server', () => {
  test('answers 503 with Retry-After while its database is away, and by itself again once it is back', async () => {
    const { post, get, stderr } = await serve(postgres.database())
    const { pasteUrl } = (await (await post('/paste', paste)).json()) as { pasteUrl: string }
    await postgres.stop()
    const [creation, reading] = [await post('/paste', paste), await get(pasteUrl)]
    for (const { status, headers } of [creation, reading]) {
      expect(status).toBe(503)
      expect(headers.get('Retry-After')).toBe('5')
    }
    expect(await creation.json()).toEqual({
      success: false,
      error: 'The database does not answer. Try again later.',
    })
    expect((await get('/readyz')).status).toBe(503)
    expect((await get('/healthz')).status).toBe(200)
    expect(stderr.text()).toMatch(/error storage failed/i)
    await postgres.open()
    await until(async () => (await get('/readyz')).status === 200)
    expect((await get(pasteUrl)).status).toBe(200)
    expect((await post('/paste', paste)).status).toBe(201)
  })

  test('starts before its database, says so, and makes the tables once that is there', async () => {
    const store = postgres.database()
    await postgres.stop()
    const { post, get, stderr } = await serve(store)
    expect((await get('/readyz')).status).toBe(503)
    expect((await post('/paste', paste)).status).toBe(503)
    await stderr.waitFor(/the database cannot be used yet/)
    await postgres.open()
    await until(async () => (await get('/readyz')).status === 200)
    expect((await post('/paste', paste)).status).toBe(201)
  })

  test('survives that the database ends its idle connections', async () => {
    const { post } = await serve(postgres.database())
    await Promise.all(Array.from({ length: 10 }, () => post('/paste', paste)))
    postgres.psql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'shortcrust'`,
    )
    await until(async () => (await post('/paste', paste)).status === 201)
  })

  test('refuses writes that the database refuses, and reads on', async () => {
    const { post, get } = await serve(postgres.database())
    const { pasteUrl } = (await (await post('/paste', paste)).json()) as { pasteUrl: string }
    postgres.psql('ALTER SYSTEM SET default_transaction_read_only = on')
    postgres.psql('SELECT pg_reload_conf()')
    await until(async () => (await post('/paste', paste)).status === 503)
    expect((await get(pasteUrl)).status).toBe(200)
    expect((await get('/readyz')).status).toBe(503)
    postgres.psql('ALTER SYSTEM RESET default_transaction_read_only')
    postgres.psql('SELECT pg_reload_conf()')
    await until(async () => (await get('/readyz')).status === 200)
    expect((await post('/paste', paste)).status).toBe(201)
  })

  test('that begins together with another one makes the tables once', async () => {
    const store = postgres.database()
    const both = await Promise.all([0, 1].map(() => start({ args: ['--store', store] })))
    const [here, there] = both.map(({ url }) => createClient(url, testKey))
    const made = (await here?.paste()) as { pasteUrl: string }
    expect((await there?.get(new URL(made.pasteUrl).pathname))?.status).toBe(200)
    await Promise.all(both.map(({ stop }) => stop()))
  })

  test('answers a form with the page of what it made, so no other process is asked for that', async () => {
    const { url } = await serve(postgres.database())
    const body = new FormData()
    for (const [name, value] of Object.entries({ key: testKey, create: 'paste', text: 'a' }))
      body.set(name, value)
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { accept: 'text/html' },
      redirect: 'manual',
    })
    expect(answer.status).toBe(201)
    expect(await answer.text()).toContain(answer.headers.get('Location') as string)
  })

  test('says in one line at the start that its database may lose what was answered', async () => {
    const own = await startPostgres({ fsync: 'on' })
    const lines = async () => {
      const { stderr, stop } = await start({ args: ['--store', own.database()] })
      await stderr.waitFor(/started/)
      await stop()
      return stderr.text().match(/may lose.*/g)
    }
    expect(await lines()).toBeNull()
    const end = await own.copy()
    expect(await lines()).toEqual([expect.stringContaining('its replication is asynchronous')])
    await end()
    await own.stop()
  })
})

describe.if(hasPostgres)('a server refuses to start, in one sentence, with', () => {
  test('tables of another version', async () => {
    const store = postgres.database('newer')
    await serve(store)
    postgres.psql('UPDATE newer.meta SET version = 99')
    const problem =
      'the database has tables of version 99, and this program knows 1; run the program that made them'
    expect(await refused(store)).toEqual({ code: 1, stderr: `shortcrust: ${problem}.\n` })
  })

  test('a PostgreSQL that is too old', async () => {
    const store = postgres.database('old').replace(/old$/, 'old,pg_catalog')
    postgres.psql(`CREATE FUNCTION old.current_setting(text) RETURNS text LANGUAGE sql AS
      $$ SELECT CASE $1 WHEN 'server_version_num' THEN '130016' ELSE '13.16' END $$`)
    const problem = 'the database is PostgreSQL 13.16; this program needs 14 or later'
    expect(await refused(store)).toEqual({ code: 1, stderr: `shortcrust: ${problem}.\n` })
  })

  test('a database that is not there', async () => {
    const store = postgres.database().replace('/postgres?', '/nothing?')
    expect(await refused(store)).toEqual({
      ...{ code: 1, stderr: 'shortcrust: the database refuses: database "nothing" does not exist.\n' },
    })
  })

  test('a wrong password, which it does not show', async () => {
    postgres.psql(`CREATE ROLE guarded LOGIN PASSWORD 'right'`)
    const store = postgres.database('guarded').replace('shortcrust@', 'guarded:wrong@')
    postgres.requirePasswordOf('guarded')
    const { code, stderr } = await refused(store)
    expect(code).toBe(1)
    expect(stderr).toBe(
      'shortcrust: the database refuses: password authentication failed for user "guarded".\n',
    )
  })

  test('an address that is none of a database', async () => {
    const { code, stderr } = await refused('mysql://ann:secret@nas/db')
    expect(code).toBe(2)
    expect(stderr).toBe(
      'shortcrust: --store: expected postgres://USER:PASSWORD@HOST:PORT/NAME, not "mysql://…@nas/db".\n',
    )
  })
})

describe('a command that knows only data folders', () => {
  const env = { SHORTCRUST_STORE: 'postgres://nas/db' }
  test.each([
    ['mirror', ['a', 'b'], 1, 'mirror copies a data folder; a database is copied by its own replication'],
    [
      'restore',
      ['-', '--merge'],
      2,
      '--merge updates a copy of a data folder; a database is restored as a whole',
    ],
    [
      'backup',
      ['a', '--since', '1h'],
      2,
      '--since saves a part of a data folder; a database is saved as a whole',
    ],
    ['keys', ['add', 'ci', '--create'], 2, '--create makes a data folder; with --store there is none'],
  ])('refuses a database: %s', async (command, words, wanted, problem) => {
    const { code, stderr } = await run([command, ...words], env)
    expect(code).toBe(wanted)
    expect(stderr).toContain(`shortcrust: ${problem}`)
  })

  test('says what it leaves out: doctor', async () => {
    const { stdout } = await run(['doctor'], env)
    expect(stdout).toMatch(/folder: not used: everything is in the database of --store\n/)
    expect(stdout).not.toMatch(/lock:|space:|file system:/)
  })
})

import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '../support/client.ts'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'
import { run, start, temporaryFolder } from '../support/process.ts'

let postgres: Postgres
const folder = temporaryFolder()
const data = join(folder, 'data')
const [archive, second] = [join(folder, 'backup.tgz'), join(folder, 'second.tgz')]

/** A folder with everything that one may hold. */
const fill = async () => {
  const server = await start({ data, args: ['--rate-limit', 'off', '--log', 'off'] })
  const client = createClient(server.url)
  const texts = ['a\0b', '\u{1f600}\r\n', '\\x41 {"a"} \'', 'line\n'.repeat(50_000), '\u2028 é']
  for (const text of texts) await client.paste({ text, title: `t${text.slice(0, 3)}` })
  const named = await client.paste({ text: 'first', alias: 'notes' })
  for (const text of ['second', 'third\0']) await client.change(named.pasteUrl ?? '', { text })
  await client.paste({ text: 'in the shape of an id', alias: 'abcdefghjk' })
  await client.paste({ text: 'burns', maxReads: 3, expiresIn: '1h' })
  await client.link('https://example.org/one', { alias: 'guide', title: 'A title' })
  const gone = await client.paste({ text: 'gone', alias: 'former' })
  await fetch(gone.deletionUrl ?? '', { method: 'DELETE' })
  for (let visit = 0; visit < 3; visit++) await client.get('/s/guide')
  await client.get(named.rawUrl ?? '')
  await run([
    'keys',
    'add',
    'laptop',
    '--data',
    data,
    '--only',
    'paste',
    '--rate',
    '10/1m',
    '--expires',
    '90d',
  ])
  await run(['keys', 'add', 'none', '--data', data, '--admin'])
  await server.stop()
}

const filesIn = (of: string) =>
  readdirSync(of, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(of.length + 1))
    .filter((path) => !/^(?:tmp\/|lock|keys\.lock|index|words|counts\.sqlite-)/.test(path))
    .sort()

const countsIn = (of: string) => {
  const database = new Database(join(of, 'counts.sqlite'))
  const rows = [
    database.query('SELECT * FROM counts ORDER BY kind, id').values(),
    database.query('SELECT * FROM keys ORDER BY name').values(),
  ]
  database.close()
  return rows
}

const good = { code: 0, stdout: '' }

describe.skipIf(!hasPostgres)('an archive', () => {
  beforeAll(async () => {
    postgres = await startPostgres()
    await fill()
    expect(await run(['backup', archive, '--data', data])).toMatchObject(good)
  })

  test('of a folder goes into a database, and comes out the same, byte for byte', async () => {
    const store = postgres.database()
    const restored = await run(['restore', archive, '--store', store])
    expect(restored).toMatchObject(good)
    expect(restored.stderr).toMatch(/^\d+ files restored into postgres:\/\/shortcrust@localhost\/postgres\n$/)
    expect(await run(['backup', second, '--store', store])).toMatchObject(good)
    const copy = join(folder, 'copy')
    expect(await run(['restore', second, '--data', copy])).toMatchObject(good)
    const files = filesIn(data)
    expect(files.filter((path) => path.endsWith('.gone'))).toHaveLength(1)
    expect(files.filter((path) => /\.[12]\.json$/.test(path))).toHaveLength(2)
    expect(filesIn(copy)).toEqual(files)
    for (const file of files.filter((path) => path !== 'counts.sqlite'))
      expect(readFileSync(join(copy, file), 'utf8')).toBe(readFileSync(join(data, file), 'utf8'))
    expect(countsIn(copy)).toEqual(countsIn(data))
    expect((await run(['verify', '--data', copy])).code).toBe(0)
  })

  test('may be passed on by a pipe, and what a server reads of it is the same', async () => {
    const store = postgres.database()
    expect(
      await run(['restore', '-', '--store', store], {}, [], { stdin: readFileSync(archive) }),
    ).toMatchObject(good)
    const [folderServer, server] = [await start({ data }), await start({ args: ['--store', store] })]
    const paths = ['/p/raw/notes', '/p/raw/abcdefghjk', '/p/raw/former', '/s/guide', '/p/notes', '/s/none']
    for (const path of paths) {
      const [one, other] = await Promise.all(
        [folderServer, server].map(async ({ url }) => {
          const answer = await fetch(url + path, {
            redirect: 'manual',
            headers: { 'user-agent': 'Googlebot' },
          })
          return [answer.status, answer.headers.get('location'), (await answer.text()).replaceAll(url, '')]
        }),
      )
      expect(other).toEqual(one)
    }
    await Promise.all([folderServer.stop(), server.stop()])
    const list = await run(['keys', 'list', '--store', store])
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(list.stdout).toBe((await run(['keys', 'list', '--data', data])).stdout)
  })

  test('of a database with something damaged leaves that out, as verify names it', async () => {
    const store = postgres.database()
    expect(await run(['restore', archive, '--store', store])).toMatchObject(good)
    const verified = await run(['verify', '--store', store])
    expect(verified).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ files of \S+ verified: 0 damaged, 0 foreign\n$/),
    })
    const schema = new URL(store).searchParams.get('options')?.split('=')[1]
    postgres.psql(`SET search_path = ${schema};
      UPDATE items SET head = '{"id":1}' WHERE alias = 'notes'`)
    const { code, stdout } = await run(['verify', '--store', store])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^damaged {2}pastes\/\S+\.json: /m)
    const saved = await run(['backup', join(folder, 'part.tgz'), '--store', store])
    expect(saved).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^left out {2}pastes\/\S+\.json: /),
    })
  })

  test('is not restored into a database that holds something', async () => {
    const store = postgres.database()
    expect((await run(['keys', 'add', 'laptop', '--store', store])).code).toBe(0)
    expect(await run(['restore', archive, '--store', store])).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'shortcrust: the database is not empty; restore into a new one.\n',
    })
  })

  test('that is cut short leaves the database empty', async () => {
    const store = postgres.database()
    const cut = join(folder, 'cut.tgz')
    writeFileSync(cut, readFileSync(archive).subarray(0, -500))
    const { code, stderr } = await run(['restore', cut, '--store', store])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('nothing was restored') })
    expect(await run(['restore', archive, '--store', store])).toMatchObject(good)
  })

  test('of a part, or one that updates a copy, is for folders alone', async () => {
    const store = postgres.database()
    expect(await run(['backup', second, '--since', '1h', '--store', store])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('a database is saved as a whole') },
    })
    expect(await run(['restore', archive, '--merge', '--store', store])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('a database is restored as a whole') },
    })
  })
})

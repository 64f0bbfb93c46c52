import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shellWord } from '../../src/shell-words.ts'
import { createClient } from '../support/client.ts'
import { browser } from '../support/expectations.ts'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'
import { cleanEnv, endOf, repository, run, start, target, temporaryFolder } from '../support/process.ts'
import { blocksOf } from '../support/shown-commands.ts'

const page = readFileSync(join(repository, 'docs/outgrowing.md'), 'utf8')

/** What a row of the table of costs says first. */
const costOf = (request: string) => {
  const row = page.split('\n').find((line) => line.startsWith('| ') && line.includes(request)) ?? ''
  const [, cost = ''] = /^\| .+ \| (none|\d)/.exec(row) ?? []
  return cost === 'none' ? 0 : Number(cost)
}

/** What every server asks by itself. */
const background = String.raw`now\(\)|count_batches|INTO key_uses|DELETE FROM buckets|UPDATE meta`

describe.skipIf(!hasPostgres)('docs/outgrowing.md', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off', shared_preload_libraries: 'pg_stat_statements' })
    postgres.psql('CREATE EXTENSION pg_stat_statements')
  })
  afterAll(() => postgres.stop())

  const statements = () =>
    Number(
      postgres.psql(
        `SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query !~ 'pg_stat_statements|${background}'`,
      ),
    )

  test('says how many statements each request takes', async () => {
    const server = await start({ args: ['--rate-limit', '1000/1h', '--store', postgres.database()] })
    const client = createClient(server.url)
    const { key, get, paste, link } = client
    const post = (address: string) => fetch(address, { method: 'POST', redirect: 'manual' })
    const own = (path: string, method = 'GET') => get(path, { key }, { method })
    const { rawUrl = '', pasteUrl = '' } = await paste({ alias: 'notes' })
    const { shortendUrl = '' } = await link('https://example.org/', { alias: 'guide' })
    const other = (await paste()).pasteUrl?.split('/').at(-1)
    const made = { paste: await paste(), link: await link(), burning: await paste({ maxReads: 2 }) }
    const id = made.paste.pasteUrl?.split('/').at(-1)
    const forms = { text: 'b', title: 'a', description: '', language: 'text', alias: 'notes', replace: true }
    const costs: [request: string, send: () => Promise<unknown>, more?: number][] = [
      ['`/healthz`', () => get('/healthz')],
      ['`/readyz`', () => get('/readyz')],
      ['`/docs`', () => get('/docs', browser)],
      ['the start page', () => get('/', browser)],
      ['read a paste in any form', () => get(rawUrl)],
      ['read a paste in any form', () => get(pasteUrl, browser)],
      ['read a paste in any form', () => get(pasteUrl, { accept: 'application/json' })],
      ['follow a link', () => get(shortendUrl)],
      ['compare two pastes', () => get(`/diff/notes/${other}`, browser)],
      ['where a link goes', () => get(`${shortendUrl}+`, browser)],
      ['read a burn-after-reading item', () => post(made.burning.rawUrl ?? '')],
      ['use a deletion link', () => post(made.link.deletionUrl ?? '')],
      ['create, with a key', () => paste({ alias: 'another' })],
      ['create, with a key', () => link('https://example.org/2')],
      ['delete, with a key', () => own(`/pastes/${id}`, 'DELETE')],
      ['a page of a list', () => own('/pastes')],
      ['a page of a list', () => own('/pastes?q=example')],
      ['a page of a list', () => own('/pastes?sort=size'), 1],
      ['a page of a list', () => own('/key/pastes'), 2],
      ['change; create with `replace`', () => client.change(pasteUrl, { title: 'c' })],
      ['change; create with `replace`', () => client.post('/paste', forms)],
    ]
    const found: (readonly [string, number, number])[] = []
    for (const [request, send, more = 0] of costs) {
      const before = statements()
      const answer = await send()
      if (answer instanceof Response) expect(answer.status, request).toBeLessThan(400)
      found.push([request, statements() - before, costOf(request) + more])
    }
    expect(found.filter(([, asked, said]) => asked !== said)).toEqual([])
    await server.stop()
  })

  test('has commands that make a database, fill it from a folder, look at it, and empty it into one', async () => {
    const [, making = '', serving = '', watching = '', wayIn = '', wayOut = ''] = blocksOf(page, 'sh')
    const folder = temporaryFolder()
    const at = (name: string) => join(folder, name)
    mkdirSync(at('bin'))
    writeFileSync(at('bin/shortcrust'), `#!/bin/sh\nexec ${target.map(shellWord).join(' ')} "$@"\n`)
    chmodSync(at('bin/shortcrust'), 0o755)
    writeFileSync(at('store'), `postgres://shortcrust@localhost/shortcrust?host=${postgres.folder}\n`)
    const old = await start({ data: at('data'), args: ['--log', 'off'] })
    await createClient(old.url).paste({ text: 'kept', alias: 'notes' })
    await old.stop()
    const sh = async (lines: string) => {
      const script = lines
        .replaceAll('/etc/shortcrust.store', at('store'))
        .replace('/var/lib/shortcrust', at('data'))
      const env = cleanEnv({ PGHOST: postgres.folder, PGUSER: 'shortcrust' })
      const ended = await endOf(
        Bun.spawn(['bash', '-eo', 'pipefail', '-c', script], {
          ...{ cwd: folder, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
          env: { ...env, PATH: `${at('bin')}:${env.PATH}` },
        }),
      )
      expect(ended.code, lines + ended.stderr).toBe(0)
      return ended.stdout
    }
    // The role is there already, and a password is typed.
    await sh(making.replace(/^createuser .*\n/, ''))
    expect(await sh(wayIn)).toMatch(/ verified: 0 damaged, 0 foreign\n$/)
    const [, file = ''] = /^(\w+_FILE)=\S+ shortcrust\n$/.exec(serving) ?? []
    const server = await start({ env: { [file]: at('store') }, args: ['--log', 'off'] })
    expect(await (await fetch(`${server.url}/p/raw/notes`)).text()).toBe('kept')
    expect(await sh(watching)).toMatch(/sync_state/)
    await server.stop()
    await sh(wayOut)
    expect(await run(['verify', '--data', at('new-data')])).toMatchObject({ code: 0 })
  })
})

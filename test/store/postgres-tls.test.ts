import { beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../src/store/postgres/db.ts'
import { freePort } from '../support/ports.ts'
import { hasPostgres, type Postgres, startPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/process.ts'
import { isRoot, requireProgram } from '../support/programs.ts'
import { makeCertificate } from '../support/tls-proxies.ts'

const port = freePort()
let postgres: Postgres
let certificate = ''

/** Whether the connection is encrypted, or why there is none. */
const outcomeOf = async (host: string, query: string) => {
  const causes: string[] = []
  const db = await openDb({
    url: `postgres://shortcrust@${host}:${port}/postgres?${query}`,
    onHealthChange: () => {},
    onWaiting: (cause) => causes.push(cause),
  })
  try {
    const [row] = await db.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
    return row?.ssl
  } catch {
    return causes[0]
  } finally {
    await db.close()
  }
}

/** @param ssl on or off, from the next connection on */
const offer = async (ssl: 'on' | 'off') => {
  postgres.psql(`ALTER SYSTEM SET ssl = ${ssl}`)
  postgres.psql('SELECT pg_reload_conf()')
  while (postgres.psql('SHOW ssl') !== ssl) await Bun.sleep(20)
}

describe.skipIf(!hasPostgres || !requireProgram('openssl', 'openssl'))('the connection to a database', () => {
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off', listen_addresses: 'localhost', port: String(port) })
    const made = makeCertificate(temporaryFolder(), 'localhost')
    certificate = made.certificate
    for (const [from, name] of [
      [made.certificate, 'server.crt'],
      [made.key, 'server.key'],
    ] as const) {
      const file = join(postgres.folder, 'data', name)
      copyFileSync(from, file)
      if (isRoot) chownSync(file, 65_534, 65_534)
    }
    await offer('on')
  })

  test.each([
    ['sslmode=disable', false],
    ['', false],
    ['sslmode=require', true],
  ])('is encrypted by the mode alone: "%s"', async (query, isEncrypted) => {
    expect(await outcomeOf('localhost', query)).toBe(isEncrypted)
  })

  test('with verify-ca asks for a certificate of that authority, with any name', async () => {
    const query = `sslmode=verify-ca&sslrootcert=${certificate}`
    expect(await outcomeOf('localhost', query)).toBe(true)
    expect(await outcomeOf('127.0.0.1', query)).toBe(true)
    const other = makeCertificate(temporaryFolder(), 'localhost').certificate
    expect(await outcomeOf('localhost', `sslmode=verify-ca&sslrootcert=${other}`)).toBeString()
    expect(await outcomeOf('localhost', 'sslmode=verify-ca')).toMatch(/sslrootcert/)
  })

  test('with verify-full asks for the name as well, and by itself for a public authority', async () => {
    const query = `sslmode=verify-full&sslrootcert=${certificate}`
    expect(await outcomeOf('localhost', query)).toBe(true)
    expect(await outcomeOf('127.0.0.1', query)).toMatch(/name|altname|IP/i)
    expect(await outcomeOf('localhost', 'sslmode=verify-full')).toMatch(/self.signed/i)
  })

  test('is never made in the clear instead', async () => {
    await offer('off')
    for (const mode of ['require', 'verify-full'])
      expect(await outcomeOf('localhost', `sslmode=${mode}`)).toMatch(/does not support SSL/)
  })
})

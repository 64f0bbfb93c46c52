import { chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { follow, keep, temporaryFolder } from './process.ts'
import { isRoot, requireProgram } from './programs.ts'

/** Debian keeps the programs of a server out of the way. */
const folderOfPrograms = () => {
  try {
    const debian = '/usr/lib/postgresql'
    const newest = readdirSync(debian)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1)
    return newest === undefined ? '' : join(debian, newest, 'bin')
  } catch {
    return ''
  }
}
const program = (name: string) => join(folderOfPrograms(), name)

/** Whether PostgreSQL is there. */
export const hasPostgres = requireProgram(program('postgres'), 'postgresql')

/** PostgreSQL refuses to run as root; `nobody` is 65534 on Linux. */
const asUser = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

const initialize = (data: string) => {
  const flags = ['--no-sync', '--auth=trust', '--username=shortcrust', '--encoding=UTF8', '--locale=C.UTF-8']
  const { exitCode, stderr } = Bun.spawnSync([...asUser, program('initdb'), ...flags, '-D', data])
  if (exitCode !== 0) throw new Error(`initdb failed: ${stderr}`)
}

/** What PostgreSQL is started with, by name. */
export type PostgresSettings = Readonly<Record<string, string>>

/** The databases of a PostgreSQL whose socket is in this folder. */
const at = (folder: string, port = '5432') => {
  const urlOf = (schema = 'public') =>
    `postgres://shortcrust@localhost/postgres?host=${folder}&options=-csearch_path%3D${schema}`
  const psql = (sql: string) => {
    const place = ['-h', folder, '-p', port, '-U', 'shortcrust', '-d', 'postgres']
    const flags = ['-qXAt', '-v', 'ON_ERROR_STOP=1', '-c', sql]
    const { exitCode, stdout, stderr } = Bun.spawnSync([program('psql'), ...place, ...flags])
    if (exitCode !== 0) throw new Error(`psql failed: ${stderr}`)
    return stdout.toString().trim()
  }
  return {
    folder,
    psql,
    /** The address of an empty database, or of the one that was made under this name: each is a schema. */
    database: (name = `t${crypto.randomUUID().replaceAll('-', '')}`) => {
      psql(`CREATE SCHEMA IF NOT EXISTS ${name}`)
      return urlOf(name)
    },
  }
}

/** A PostgreSQL of its own, behind a socket in a folder. It ends with this process at the latest. */
export const startPostgres = async (settings: PostgresSettings = { fsync: 'off' }) => {
  const folder = temporaryFolder()
  if (isRoot) chownSync(folder, 65_534, 65_534)
  const data = join(folder, 'data')
  initialize(data)
  const open = async (more: PostgresSettings = {}) => {
    const own = { listen_addresses: '', unix_socket_directories: folder, max_connections: '300' }
    const given = { ...own, ...settings, ...more }
    const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = Bun.spawn([...asUser, program('postgres'), '-D', data, ...flags], {
      ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' },
      env: { LC_MESSAGES: 'C' },
    })
    // Killed, it would leave its shared memory to the machine.
    keep(child, 'SIGQUIT')
    await follow(child.stderr).waitFor(/ready to accept connections/)
    return child
  }
  let child = await open()
  const databases = at(folder, settings.port)
  return {
    ...databases,
    /** By default as a crash. */
    stop: async (signal: NodeJS.Signals = 'SIGQUIT') => {
      child.kill(signal)
      await child.exited
    },
    /** From now on, this role logs in with its password. */
    requirePasswordOf: (role: string) => {
      const file = join(data, 'pg_hba.conf')
      writeFileSync(file, `local all ${role} scram-sha-256\n${readFileSync(file, 'utf8')}`)
      databases.psql('SELECT pg_reload_conf()')
    },
    /** Takes its changes, as a standby does that nobody waits for. */
    copy: async () => {
      const place = ['-h', folder, '-U', 'shortcrust', '-D', temporaryFolder()]
      const end = keep(
        Bun.spawn([program('pg_receivewal'), ...place], { stdio: ['ignore', 'ignore', 'ignore'] }),
      )
      while (databases.psql('SELECT count(*) FROM pg_stat_replication') === '0') await Bun.sleep(50)
      return end
    },
    /** Starts it again after `stop`. */
    open: async (more?: PostgresSettings) => {
      child = await open(more)
    },
  }
}
export type Postgres = Awaited<ReturnType<typeof startPostgres>>

let shared: Promise<ReturnType<typeof at>> | undefined

/** The one PostgreSQL of this process, or of the whole run if `POSTGRES_FOLDER` has its socket. */
export const sharedPostgres = () => {
  const folder = process.env.POSTGRES_FOLDER
  shared ??= folder === undefined ? startPostgres() : Promise.resolve(at(folder))
  return shared
}

/** Which database a server uses in place of this data folder, so that a second server on the folder finds the same. */
export const databaseFor = async (data: string) =>
  (await sharedPostgres()).database(`t${Bun.hash(data).toString(36)}`)

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from './client.ts'
import { run, start, temporaryFolder, testKey } from './process.ts'

export type CommandCase = {
  args: readonly string[]
  stdin?: string
}

/** The names of `toStdout` and `toStderr` below. */
export const commandsThatPrint = [
  ...['help', 'help of a command', 'version', 'paste', 'paste --json', 'shorten', 'list', 'list --json'],
  ...['get', 'versions', 'versions --json', 'diff', 'stats', 'stats --json'],
  ...[
    'check --json',
    'export',
    'import',
    'delete --json',
    'verify',
    'backup',
    'keys add',
    'keys list',
    'healthcheck',
  ],
  ...['completions bash', 'completions zsh', 'completions fish', 'doctor'],
]
export const commandsThatTell = [
  ...['usage of a command', 'login', 'delete', 'export', 'import', 'backup -', 'backup', 'restore'],
  ...['keys add', 'keys revoke', 'edit', 'logout', 'open', 'mirror'],
]

/** A server with some items, and data folders to work on. */
export const createScene = async () => {
  const server = await start({ args: ['--rate-limit', 'off', '--log', 'off'] })
  const client = createClient(server.url)
  for (const title of ['one', 'two']) await client.paste({ title })
  await client.link()
  await client.paste({ alias: 'notes', text: 'A text to print, to list and to edit\n' })
  await client.change('/p/notes', { text: 'A text to print, to list, to edit and to compare\n' })
  // Its only link leads to this machine.
  const checker = (await run(['keys', 'add', 'checker', '--data', server.data])).stdout.trim()
  await createClient(server.url, checker).link(`${server.url}/healthz`)
  const folder = temporaryFolder()
  const at = (name: string) => join(folder, name)
  const [foreign, stamped, keyed] = [at('foreign'), at('stamped'), at('keyed')]
  for (const data of [foreign, stamped]) {
    mkdirSync(data)
    writeFileSync(join(data, 'shortcrust.json'), '{"product":"shortcrust","format":1}')
  }
  for (const name of ['a', 'b', 'c']) writeFileSync(join(foreign, name), '')
  await run(['keys', 'add', 'known', '--create', '--data', keyed])
  writeFileSync(at('import.jsonl'), '{"type":"link","url":"https://example.org/import"}\n')
  writeFileSync(at('paste.txt'), 'text')
  await run(['backup', at('whole.tgz'), '--data', server.data])
  const { host, port } = { host: '127.0.0.1', port: new URL(server.url).port }
  let made = 0
  const items = async () => ({
    paste: (await client.paste()).deletionUrl ?? '',
    link: (await client.link()).deletionUrl ?? '',
  })
  return {
    server,
    keyed,
    foreign,
    /** A data folder with nothing in it. */
    stamped,
    at,
    env: {
      SHORTCRUST_SERVER: server.url,
      SHORTCRUST_KEY: testKey,
      XDG_CONFIG_HOME: at('settings'),
      EDITOR: 'true',
      BROWSER: 'false',
    },
    /** Commands that print on standard output, each freshly made. */
    toStdout: async (): Promise<Record<string, CommandCase>> => ({
      help: { args: ['--help'] },
      'help of a command': { args: ['paste', '--help'] },
      version: { args: ['--version'] },
      paste: { args: ['paste', at('paste.txt')] },
      'paste --json': { args: ['paste', '--json'], stdin: 'text' },
      shorten: { args: ['shorten', 'https://example.org/'] },
      list: { args: ['list'] },
      'list --json': { args: ['list', '--json'] },
      get: { args: ['get', 'notes'] },
      diff: { args: ['diff', 'notes'] },
      versions: { args: ['versions', 'notes'] },
      'versions --json': { args: ['versions', 'notes', '--json'] },
      stats: { args: ['stats', '--data', server.data] },
      'stats --json': { args: ['stats', '--json', '--data', server.data] },
      'check --json': { args: ['check', '--json', '--key', checker] },
      export: { args: ['export'] },
      import: { args: ['import', at('import.jsonl')] },
      'delete --json': { args: ['delete', '--json', (await items()).paste] },
      verify: { args: ['verify', '--data', foreign] },
      backup: { args: ['backup', '-', '--data', server.data] },
      'keys add': { args: ['keys', 'add', `name-${made++}`, '--data', keyed] },
      'keys list': { args: ['keys', 'list', '--data', keyed] },
      'completions bash': { args: ['completions', 'bash'] },
      'completions zsh': { args: ['completions', 'zsh'] },
      'completions fish': { args: ['completions', 'fish'] },
      healthcheck: { args: ['healthcheck', '--host', host, '--port', port] },
      doctor: { args: ['doctor', '--host', host, '--port', port, '--data', server.data] },
    }),
    /** Commands that print on standard error when all goes well. */
    toStderr: async (): Promise<Record<string, CommandCase>> => {
      await run(['keys', 'add', 'passing', '--data', keyed])
      return {
        'usage of a command': { args: ['shorten'] },
        login: { args: ['login', server.url], stdin: testKey },
        delete: { args: ['delete', (await items()).link] },
        export: { args: ['export'] },
        import: { args: ['import', at('import.jsonl')] },
        'backup -': { args: ['backup', '-', '--data', server.data] },
        backup: { args: ['backup', at(`backup-${made++}.tgz`), '--data', server.data] },
        restore: { args: ['restore', at('whole.tgz'), '--data', at(`restored-${made++}`)] },
        'keys add': { args: ['keys', 'add', `name-${made++}`, '--data', keyed] },
        edit: { args: ['edit', 'notes'] },
        logout: { args: ['logout'] },
        open: { args: ['open', 'notes'] },
        mirror: { args: ['mirror', server.data, at('mirrored')] },
        'keys revoke': { args: ['keys', 'revoke', 'passing', '--data', keyed] },
      }
    },
  }
}

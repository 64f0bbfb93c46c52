import { linkTable } from '../items/link.ts'
import { pasteTable } from '../items/paste.ts'
import { clientFlagsOf, type Entry, fieldFlags, languageFlag, ownFlagsOf, settingFlags } from './flags.ts'

/** Every sub-command, in the order of `--help`. */
export const commands: Readonly<Record<string, Entry>> = {
  paste: {
    group: 'Paste and share',
    usage: '[FILE ...]',
    doc: 'send files, or standard input, and print the links',
    words: [0, Number.POSITIVE_INFINITY],
    completes: 'files',
    creates: pasteTable,
    flags: ['mask', 'unmask', 'dry-run', 'copy', 'tee', 'server', 'key', 'timeout', 'no-wait', 'json'],
    load: async () => (await import('./items/paste.ts')).paste,
  },
  shorten: {
    group: 'Paste and share',
    usage: 'URL',
    doc: 'make a short link',
    words: [1, 1],
    creates: linkTable,
    flags: ['copy', 'server', 'key', 'timeout', 'no-wait', 'json'],
    load: async () => (await import('./items/shorten.ts')).shorten,
  },
  get: {
    group: 'Paste and share',
    usage: 'ITEM',
    doc: 'print a paste, or where a short link goes',
    words: [1, 1],
    flags: ['output', 'version', 'lines', 'grep', 'server', 'key', 'timeout'],
    load: async () => (await import('./items/get.ts')).getItem,
  },
  open: {
    group: 'Paste and share',
    usage: 'ITEM',
    doc: 'open an item in your browser',
    words: [1, 1],
    flags: ['server', 'key', 'timeout'],
    load: async () => (await import('./items/open.ts')).openItem,
  },
  diff: {
    group: 'Paste and share',
    usage: 'ITEM [ITEM]',
    doc: 'compare two pastes, or two versions of one',
    words: [1, 2],
    flags: ['from', 'server', 'key', 'timeout'],
    load: async () => (await import('./changes/diff.ts')).diffItem,
  },
  login: {
    group: 'My items',
    usage: 'SERVER',
    doc: 'keep a server and a key: typed, piped in, or in KEY',
    words: [1, 1],
    flags: ['timeout'],
    load: async () => (await import('./items/login.ts')).login,
  },
  logout: {
    group: 'My items',
    usage: '',
    doc: 'forget the server and the key of login',
    words: [0, 0],
    flags: [],
    load: async () => (await import('./items/login.ts')).logout,
  },
  list: {
    group: 'My items',
    usage: '[pastes|links]',
    doc: 'show what your key has made, newest first',
    words: [0, 1],
    completes: ['pastes', 'links'],
    filters: true,
    flags: ['search', 'since', 'sort', 'limit', 'all', 'server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/list-items.ts')).listItems,
  },
  edit: {
    group: 'My items',
    usage: 'ITEM',
    doc: 'change an item in your editor ($VISUAL, $EDITOR)',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'no-wait'],
    load: async () => (await import('./changes/edit.ts')).editItem,
  },
  versions: {
    group: 'My items',
    usage: 'ITEM',
    doc: 'show the versions of an item',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./changes/versions.ts')).listVersions,
  },
  delete: {
    group: 'My items',
    usage: 'ITEM',
    doc: 'delete an item; its deletion link needs no key',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/delete.ts')).deleteItem,
  },
  check: {
    group: 'My items',
    usage: '',
    doc: 'find short links whose target is gone',
    words: [0, 0],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./check/check-links.ts')).checkLinks,
  },
  export: {
    group: 'My items',
    usage: '[FILE]',
    doc: 'save everything your key has made',
    words: [0, 1],
    completes: 'files',
    flags: ['server', 'key', 'timeout'],
    load: async () => (await import('./items/export-items.ts')).exportItems,
  },
  import: {
    group: 'My items',
    usage: 'FILE',
    doc: 'bring an export back; or YOURLS, Shlink, chhoto-url',
    words: [1, 1],
    completes: 'files',
    flags: ['write', 'server', 'key', 'timeout', 'no-wait'],
    load: async () => (await import('./import/import-items.ts')).importItems,
  },
  completions: {
    group: 'My items',
    usage: 'SHELL',
    doc: 'print completions for bash, zsh or fish',
    words: [1, 1],
    completes: ['bash', 'zsh', 'fish'],
    flags: [],
    load: async () => (await import('./completion/completions.ts')).createCompletions(completed()),
  },
  serve: {
    group: 'This server',
    usage: '',
    doc: 'start the server, as shortcrust alone does',
    words: [0, 0],
    load: async () => (await import('./server/serve.ts')).serve,
  },
  keys: {
    group: 'This server',
    usage: 'add NAME | set NAME | list | revoke NAME',
    briefly: 'add|set|list|revoke',
    doc: 'manage API keys, also while the server runs',
    words: [1, 2],
    completes: ['add', 'set', 'list', 'revoke'],
    settings: ['dataFolder'],
    ownFlags: ['expires', 'rate', 'only', 'admin', 'create'],
    load: async () => (await import('./server/keys.ts')).createKeysCommand(usageOf('keys')),
  },
  stats: {
    group: 'This server',
    usage: '',
    doc: 'show what the server holds, and how it is used',
    words: [0, 0],
    flags: ['data', 'server', 'key', 'timeout', 'json'],
    load: async () => (await import('./stats.ts')).stats,
  },
  doctor: {
    group: 'This server',
    usage: '',
    doc: 'check port, folder, clock and proxy',
    words: [0, 0],
    ownFlags: ['url'],
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  healthcheck: {
    group: 'This server',
    usage: '',
    doc: 'exit with 1 unless the server is ready',
    words: [0, 0],
    settings: ['host', 'port'],
    load: async () => (await import('./server/healthcheck.ts')).healthcheck,
  },
  backup: {
    group: 'This server',
    usage: 'FILE|-|FOLDER',
    doc: 'archive everything, also while the server runs',
    words: [1, 1],
    completes: 'files',
    settings: ['dataFolder'],
    ownFlags: ['keep', 'since'],
    load: async () => (await import('./copies.ts')).backup,
  },
  restore: {
    group: 'This server',
    usage: 'FILE|-',
    doc: 'fill a new data folder from an archive',
    words: [1, 1],
    completes: 'files',
    settings: ['dataFolder'],
    ownFlags: ['merge'],
    load: async () => (await import('./copies.ts')).restore,
  },
  mirror: {
    group: 'This server',
    usage: 'SOURCE DEST',
    doc: 'keep a copy up to date, for a second machine',
    words: [2, 2],
    completes: 'files',
    settings: [],
    ownFlags: ['update'],
    load: async () => (await import('./copies.ts')).mirror,
  },
  verify: {
    group: 'This server',
    usage: '',
    doc: 'find damaged or foreign files',
    words: [0, 0],
    settings: ['dataFolder'],
    load: async () => (await import('./server/verify.ts')).verify,
  },
}

/** The command with this name. */
export const commandOf = (name: string) => (Object.hasOwn(commands, name) ? commands[name] : undefined)

export const usageOf = (name: string) => `shortcrust ${name} ${commands[name]?.usage}`.trimEnd()

/** The flags that a command takes. */
export const flagsOfCommand = (name: string) => {
  const entry = commands[name]
  if (entry?.flags)
    return [
      ...(entry.creates ? fieldFlags(entry.creates) : []),
      ...(entry.filters ? [languageFlag] : []),
      ...clientFlagsOf(entry.flags),
    ]
  return [...ownFlagsOf(entry?.ownFlags), ...settingFlags(entry?.settings)]
}

/** Everything that a shell can complete. */
const completed = () => ({
  commands: Object.entries(commands).map(([name, { doc, completes = [] }]) => ({
    name,
    doc,
    flags: flagsOfCommand(name),
    completes,
  })),
  bareFlags: flagsOfCommand('serve'),
})

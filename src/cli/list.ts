import { linkTable } from '../items/link.ts'
import { pasteTable } from '../items/paste.ts'
import { clientFlagsOf, type Entry, fieldFlags, languageFlag, ownFlagsOf, settingFlags } from './flags.ts'

/** Every sub-command, in the order of `--help`. */
export const commands: Readonly<Record<string, Entry>> = {
  serve: {
    usage: '',
    doc: 'serve until stopped',
    words: [0, 0],
    load: async () => (await import('./server/serve.ts')).serve,
  },
  keys: {
    usage: 'add NAME | set NAME | list | revoke NAME',
    doc: 'make, change, list and revoke API keys, also while a server runs',
    words: [1, 2],
    completes: ['add', 'set', 'list', 'revoke'],
    settings: ['dataFolder'],
    ownFlags: ['expires', 'rate', 'only', 'admin', 'create'],
    load: async () => (await import('./server/keys.ts')).createKeysCommand(usageOf('keys')),
  },
  verify: {
    usage: '',
    doc: 'report every damaged or foreign file of the data folder',
    words: [0, 0],
    settings: ['dataFolder'],
    load: async () => (await import('./server/verify.ts')).verify,
  },
  backup: {
    usage: 'FILE|-|FOLDER',
    doc: 'write one archive of the data folder, also of a running server',
    words: [1, 1],
    completes: 'files',
    settings: ['dataFolder'],
    ownFlags: ['keep', 'since'],
    load: async () => (await import('./copies/backup.ts')).backup,
  },
  restore: {
    usage: 'FILE|-',
    doc: 'make an empty data folder from an archive',
    words: [1, 1],
    completes: 'files',
    settings: ['dataFolder'],
    ownFlags: ['merge'],
    load: async () => (await import('./copies/restore.ts')).restore,
  },
  mirror: {
    usage: 'SOURCE DEST',
    doc: 'bring a copy of a data folder up to date, also of a running server, for a second machine',
    words: [2, 2],
    completes: 'files',
    settings: [],
    ownFlags: ['update'],
    load: async () => (await import('./copies/mirror.ts')).mirror,
  },
  stats: {
    usage: '',
    doc: 'show the figures of a server to its owner, or those of a data folder',
    words: [0, 0],
    flags: ['data', 'server', 'key', 'timeout', 'json'],
    load: async () => (await import('./owner/stats.ts')).stats,
  },
  paste: {
    usage: '[FILE ...|-]',
    doc: 'send each file, or standard input, to a server and print the address of the paste',
    words: [0, Number.POSITIVE_INFINITY],
    completes: 'files',
    creates: pasteTable,
    flags: ['mask', 'unmask', 'dry-run', 'copy', 'tee', 'server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/paste.ts')).paste,
  },
  shorten: {
    usage: 'URL',
    doc: 'make a short link on a server and print its address',
    words: [1, 1],
    creates: linkTable,
    flags: ['copy', 'server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/shorten.ts')).shorten,
  },
  delete: {
    usage: 'ADDRESS|NAME|ID',
    doc: 'delete a paste or short link that the key made; by its deletion link, without a key',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/delete.ts')).deleteItem,
  },
  list: {
    usage: '[pastes|links]',
    doc: 'show what the key made on a server, newest first',
    words: [0, 1],
    completes: ['pastes', 'links'],
    filters: true,
    flags: ['search', 'since', 'sort', 'limit', 'server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/list-items.ts')).listItems,
  },
  check: {
    usage: '',
    doc: 'ask the target of every short link of the key, from this machine; exit code 1 if one is gone',
    words: [0, 0],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./check/check-links.ts')).checkLinks,
  },
  get: {
    usage: 'ADDRESS|NAME|ID',
    doc: 'print the text of a paste, or the target of a short link',
    words: [1, 1],
    flags: ['output', 'version', 'lines', 'grep', 'server', 'key', 'timeout'],
    load: async () => (await import('./items/get.ts')).getItem,
  },
  open: {
    usage: 'ADDRESS|NAME|ID',
    doc: 'open the page of a paste, or the preview of a short link, in your browser',
    words: [1, 1],
    flags: ['server', 'key', 'timeout'],
    load: async () => (await import('./items/open.ts')).openItem,
  },
  edit: {
    usage: 'ADDRESS|NAME|ID',
    doc: 'change a paste or the target of a short link in your editor ($VISUAL, $EDITOR)',
    words: [1, 1],
    flags: ['server', 'key', 'timeout'],
    load: async () => (await import('./changes/edit.ts')).editItem,
  },
  versions: {
    usage: 'ADDRESS|NAME|ID',
    doc: 'show the versions of a paste or short link that the key made, newest first',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./changes/versions.ts')).listVersions,
  },
  diff: {
    usage: 'ADDRESS|NAME|ID [ADDRESS|NAME|ID]',
    doc: 'compare two pastes line by line, or an earlier version of one item with the newest',
    words: [1, 2],
    flags: ['from', 'server', 'key', 'timeout'],
    load: async () => (await import('./changes/diff.ts')).diffItem,
  },
  export: {
    usage: '[FILE|-]',
    doc: 'write everything that the key made as JSON, one line each',
    words: [0, 1],
    completes: 'files',
    flags: ['server', 'key', 'timeout'],
    load: async () => (await import('./items/export-items.ts')).exportItems,
  },
  import: {
    usage: 'FILE',
    doc: 'create what an export holds; also of YOURLS, Shlink and chhoto-url',
    words: [1, 1],
    completes: 'files',
    flags: ['write', 'server', 'key', 'timeout'],
    load: async () => (await import('./import/import-items.ts')).importItems,
  },
  login: {
    usage: 'SERVER',
    doc: 'ask for an API key, check it on the server, and keep both for the other commands',
    words: [1, 1],
    flags: ['timeout'],
    load: async () => (await import('./items/login.ts')).login,
  },
  logout: {
    usage: '',
    doc: 'forget the server and the key of shortcrust login',
    words: [0, 0],
    flags: [],
    load: async () => (await import('./items/login.ts')).logout,
  },
  completions: {
    usage: 'bash|zsh|fish',
    doc: 'print the script that completes this command line in a shell',
    words: [1, 1],
    completes: ['bash', 'zsh', 'fish'],
    flags: [],
    load: async () => (await import('./completion/completions.ts')).createCompletions(completed()),
  },
  doctor: {
    usage: '',
    doc: 'look at ports, folder, clock and proxy of a server with these settings, and say what to do',
    words: [0, 0],
    ownFlags: ['url'],
    load: async () => (await import('./doctor/doctor.ts')).doctor,
  },
  healthcheck: {
    usage: '',
    doc: 'ask the server that has these settings whether it is ready; exit code 1 if not',
    words: [0, 0],
    settings: ['host', 'port'],
    load: async () => (await import('./server/healthcheck.ts')).healthcheck,
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

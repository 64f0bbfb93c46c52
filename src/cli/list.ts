import { flagNames, sentRows, type Table } from '../items/field.ts'
import { linkTable } from '../items/link.ts'
import { pasteTable } from '../items/paste.ts'
import { settings } from '../settings/config.ts'
import { keySetting, serverSetting } from './client/login.ts'
import type { ClientCommand, Command, OwnClientFlags, ServerFlags } from './terminal.ts'

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
    load: async () => (await import('./items/create.ts')).pasteCommand,
  },
  shorten: {
    group: 'Paste and share',
    usage: 'URL',
    doc: 'make a short link',
    words: [1, 1],
    creates: linkTable,
    flags: ['copy', 'server', 'key', 'timeout', 'no-wait', 'json'],
    load: async () => (await import('./items/create.ts')).shorten,
  },
  get: {
    group: 'Paste and share',
    usage: 'ITEM',
    doc: 'print a paste, or where a short link goes',
    words: [1, 1],
    flags: ['output', 'version', 'lines', 'grep', 'server', 'key', 'timeout'],
    load: async () => (await import('./items/read.ts')).getItem,
  },
  open: {
    group: 'Paste and share',
    usage: 'ITEM',
    doc: 'open an item in your browser',
    words: [1, 1],
    flags: ['server', 'key', 'timeout'],
    load: async () => (await import('./items/read.ts')).openItem,
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
    load: async () => (await import('./client/login.ts')).login,
  },
  logout: {
    group: 'My items',
    usage: '',
    doc: 'forget the server and the key of login',
    words: [0, 0],
    flags: [],
    load: async () => (await import('./client/login.ts')).logout,
  },
  list: {
    group: 'My items',
    usage: '[pastes|links]',
    doc: 'show what your key has made, newest first',
    words: [0, 1],
    completes: ['pastes', 'links'],
    filters: true,
    flags: ['search', 'since', 'sort', 'limit', 'all', 'server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/list.ts')).listItems,
  },
  edit: {
    group: 'My items',
    usage: 'ITEM',
    doc: 'change an item in your editor ($VISUAL, $EDITOR)',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'no-wait'],
    load: async () => (await import('./items/change.ts')).editItem,
  },
  versions: {
    group: 'My items',
    usage: 'ITEM',
    doc: 'show the versions of an item',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/list.ts')).listVersions,
  },
  delete: {
    group: 'My items',
    usage: 'ITEM',
    doc: 'delete an item; its deletion link needs no key',
    words: [1, 1],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./items/change.ts')).deleteItem,
  },
  check: {
    group: 'My items',
    usage: '',
    doc: 'find short links whose target is gone',
    words: [0, 0],
    flags: ['server', 'key', 'timeout', 'json'],
    load: async () => (await import('./check.ts')).checkLinks,
  },
  export: {
    group: 'My items',
    usage: '[FILE]',
    doc: 'save everything your key has made',
    words: [0, 1],
    completes: 'files',
    flags: ['server', 'key', 'timeout'],
    load: async () => (await import('./items/read.ts')).exportItems,
  },
  import: {
    group: 'My items',
    usage: 'SOURCE',
    doc: 'bring an export, files, gists or another server in',
    words: [1, 1],
    completes: 'files',
    flags: ['write', 'json', 'server', 'key', 'timeout', 'no-wait'],
    load: async () => (await import('./import.ts')).importItems,
  },
  completions: {
    group: 'My items',
    usage: 'SHELL',
    doc: 'print completions for bash, zsh or fish',
    words: [1, 1],
    completes: ['bash', 'zsh', 'fish'],
    flags: [],
    load: async () => (await import('./completions.ts')).printCompletions,
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
    settings: ['dataFolder', 'store'],
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
    doc: 'back up everything, also while the server runs',
    words: [1, 1],
    completes: 'files',
    settings: ['dataFolder', 'store'],
    ownFlags: ['keep', 'since'],
    load: async () => (await import('./copies.ts')).backup,
  },
  restore: {
    group: 'This server',
    usage: 'FILE|-',
    doc: 'fill a new data folder or database from a backup',
    words: [1, 1],
    completes: 'files',
    settings: ['dataFolder', 'store'],
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
    notOfStore: 'mirror copies a data folder; a database is copied by its own replication',
    load: async () => (await import('./copies.ts')).mirror,
  },
  verify: {
    group: 'This server',
    usage: '',
    doc: 'find damaged or foreign files',
    words: [0, 0],
    settings: ['dataFolder', 'store'],
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

/** Two examples per command for its `--help`. */
export const examples: Readonly<Record<string, readonly [string, string]>> = {
  serve: ['shortcrust', 'shortcrust serve --port 80 --data /srv/shortcrust --public-url http://nas'],
  keys: ['shortcrust keys add laptop', 'shortcrust keys add ci --expires 90d --rate 10/1m --only paste'],
  verify: ['shortcrust verify', 'shortcrust verify --data /srv/shortcrust'],
  backup: ['shortcrust backup backup.tgz', 'shortcrust backup - --data /srv/shortcrust > backup.tgz'],
  restore: ['shortcrust restore backup.tgz', 'shortcrust restore backup.tgz --data /srv/restored'],
  mirror: [
    'shortcrust mirror /srv/shortcrust /mnt/standby/shortcrust',
    'shortcrust mirror --update data /media/usb/data',
  ],
  stats: ['shortcrust stats', 'shortcrust stats --data /srv/shortcrust --json'],
  paste: ['shortcrust paste main.py --mask', 'dmesg | shortcrust paste -t "Kernel log" -l log -e 7d'],
  shorten: [
    'shortcrust shorten https://example.org/a/long/address',
    'shortcrust shorten https://example.org/ --alias guide -e 4w',
  ],
  delete: ['shortcrust delete guide', "shortcrust delete 'http://nas:8080/paste/delete?key=…'"],
  list: [
    'shortcrust list links --limit 200 --json',
    "shortcrust list --search 'error timeout' --language log --since 7d --sort size",
  ],
  check: ['shortcrust check', 'shortcrust check --timeout 5 --json'],
  get: ['shortcrust get notes --version 3 -o notes.md', 'shortcrust get syslog --lines 100-200 --grep error'],
  open: ['shortcrust open notes', 'shortcrust open http://nas:8080/s/guide'],
  edit: ['shortcrust edit notes', 'shortcrust edit http://nas:8080/s/guide'],
  versions: ['shortcrust versions notes', 'shortcrust versions notes --json'],
  diff: ['shortcrust diff notes --from 3', 'shortcrust diff notes http://nas/p/7y84tyt5ec > changes.patch'],
  export: ['shortcrust export everything.jsonl', 'shortcrust export | gzip > everything.jsonl.gz'],
  import: ['shortcrust import everything.jsonl', 'shortcrust import everything.jsonl --write'],
  login: ['shortcrust login nas:8080', 'shortcrust login https://paste.example.org < key-file'],
  logout: ['shortcrust logout', 'XDG_CONFIG_HOME=/srv/bot shortcrust logout'],
  completions: [
    'shortcrust completions fish > ~/.config/fish/completions/shortcrust.fish',
    'shortcrust completions zsh > ~/.zfunc/_shortcrust',
  ],
  doctor: ['shortcrust doctor', 'shortcrust doctor --url https://paste.example.org --data /srv/shortcrust'],
  healthcheck: ['shortcrust healthcheck', 'shortcrust healthcheck --host 192.168.1.5 --port 80'],
}

/** A flag, for the help of a command and for completion. */
export type Flag = {
  name: string
  /** Another name that works; nothing shows it. */
  alias?: string
  /** For a switch that stands for another flag with a value. */
  means?: { name: string; value: string }
  /** A letter for use after a single dash. */
  short?: string
  /** Placeholder of its value; unset for a switch. */
  value?: string
  /** The environment variable of the same setting. */
  variable?: string
  doc: string
}

type FlagFacts = Omit<Flag, 'name'>

/** The flags of client commands, apart from the fields of items. */
const clientFlags: { [K in keyof Required<OwnClientFlags>]: FlagFacts } = {
  server: { value: 'ADDRESS', variable: serverSetting.variable, doc: serverSetting.doc },
  key: { value: 'KEY', variable: keySetting.variable, doc: keySetting.doc },
  timeout: { value: 'SECONDS', doc: 'give up after this many seconds without data (30; check: 10)' },
  'no-wait': { doc: 'at the rate limit, end with exit code 4 instead of waiting up to a minute' },
  limit: { value: 'NUMBER', doc: 'show at most this many items (50)' },
  all: { doc: 'show all items' },
  search: {
    value: 'WORDS',
    doc: 'show what has all of these words; titles, names and targets match by beginnings too',
  },
  since: { value: 'TIME', doc: 'show what was created since: a date, or how long ago, such as 7d' },
  sort: {
    value: 'ORDER',
    doc: 'created, changed, size, expires, reads (pastes) or visits (links) (created)',
  },
  write: { doc: 'create the items; without it, only show what would be created' },
  output: { short: 'o', value: 'FILE', doc: 'write to this new file instead of standard output' },
  version: { value: 'NUMBER', doc: 'an earlier version, by its number; the newest when not set' },
  lines: { value: 'RANGE', doc: 'only these lines of a text: 10-40, 10, 10- or -40, counted from 1' },
  grep: { value: 'WORD', doc: 'only the lines of a text that contain this word, in any case' },
  from: { value: 'NUMBER', doc: 'compare this version; the one before the newest when not set' },
  copy: { doc: 'put the address on the clipboard of the terminal as well (OSC 52)' },
  tee: { doc: 'pass standard input on to standard output; the address goes to standard error' },
  mask: {
    doc: 'replace passwords, keys, addresses and names by placeholders, and list them on standard error',
  },
  unmask: {
    value: 'WHAT',
    doc: 'with --mask: leave these kinds or placeholders, separated by commas, such as ip,password-2',
  },
  'dry-run': { doc: 'with --mask: print the masked text instead of sending it' },
  data: { value: 'FOLDER', doc: 'read this data folder instead of asking a server' },
  json: { doc: 'print JSON, one line each' },
}
export type ClientFlagName = keyof typeof clientFlags

/** The flags of server commands, apart from settings. */
const serverFlags: { [K in keyof Required<ServerFlags>]: FlagFacts } = {
  expires: { value: 'DURATION', doc: 'of keys add and set: how long the key works from now on, such as 90d' },
  rate: {
    value: 'REQUESTS/PERIOD',
    doc: 'of keys add and set: its own rate, such as 10/1m, instead of --rate-limit',
  },
  only: { value: 'WHAT', doc: 'of keys add and set: the only thing it may create, paste or shorten' },
  admin: {
    value: '[none]',
    doc: 'of keys add and set: it may list and delete what every key made; none removes this or a limit',
  },
  create: { doc: 'of keys add: make the data folder, before the first start of a server' },
  url: { value: 'ADDRESS', doc: 'ask the server at this address too, as browsers do, through the proxy' },
  since: {
    value: 'TIME',
    doc: 'save only what was written since: a date, or how long ago, such as 10m',
  },
  keep: { value: 'NUMBER', doc: 'write into this folder, and keep this many backups there' },
  update: { doc: 'only update a copy, never make one, in case its disk is not mounted' },
  merge: { doc: 'update a copy, from a whole backup or from one with --since' },
}
export type ServerFlagName = keyof typeof serverFlags

export type SettingName = keyof typeof settings
type RowFacts = {
  /** Its part of the overview. */
  group: 'Paste and share' | 'My items' | 'This server'
  /** Follows the name in the usage line. */
  usage: string
  /** The same for the overview, where that is too long. */
  briefly?: string
  /** One line of the overview has room for 52 characters. */
  doc: string
  /** How many words may follow the name. */
  words: readonly [least: number, most: number]
  /** What a shell offers for these words. */
  completes?: 'files' | readonly string[]
}

type ServerEntry = RowFacts & {
  flags?: never
  /** The settings that it takes as flags; unset means all. */
  settings?: readonly SettingName[]
  /** More flags of this command. */
  ownFlags?: readonly ServerFlagName[]
  /** Of a command that knows data folders alone: what it says where SHORTCRUST_STORE names a database. */
  notOfStore?: string
  /** Imported on demand, so no command loads another. */
  load: () => Promise<Command>
}

type ClientEntry = RowFacts & {
  /** All flags of this command, apart from those of `creates`. */
  flags: readonly ClientFlagName[]
  /** What it creates. The fields are flags too, and come first. */
  creates?: Table
  /** True if it takes `--language` to choose pastes. */
  filters?: true
  settings?: never
  ownFlags?: never
  notOfStore?: never
  load: () => Promise<ClientCommand>
}

export type Entry = ServerEntry | ClientEntry

const allSettings = Object.keys(settings) as SettingName[]

/** The flags of these settings; of all settings by default. */
export const settingFlags = (names: readonly SettingName[] = allSettings): readonly Flag[] =>
  names
    .map((name) => settings[name])
    .flatMap(({ flag, variable, isBare, doc, default: standard }) => {
      if (flag === undefined) return []
      if (isBare) return [{ name: flag, variable, doc }]
      return [
        { name: flag, value: 'VALUE', variable, doc: `${doc}${standard === '' ? '' : ` (${standard})`}` },
      ]
    })

export const clientFlagsOf = (names: readonly ClientFlagName[]): readonly Flag[] =>
  names.map((name) => ({ name, ...clientFlags[name] }))

/** The flags for the fields of a new item. */
export const fieldFlags = (table: Table): readonly Flag[] =>
  sentRows(table, 'flag').flatMap(([field, row]) => {
    if (!row.flag) return []
    const { switch: switched, ...facts } = row.flag
    const [name, alias] = flagNames(field, row)
    const flag = { ...facts, name, ...(alias && { alias }) }
    if (!switched) return [flag]
    const { value, ...shown } = switched
    return [{ ...shown, means: { name, value } }, flag]
  })

/** Chooses pastes in a list; the flag of a new paste has the same name. */
export const languageFlag: Flag = {
  name: 'language',
  short: 'l',
  value: 'NAME',
  doc: 'show pastes in this language',
}

/** The flags of a command, apart from settings. */
export const ownFlagsOf = (names: readonly ServerFlagName[] = []): readonly Flag[] =>
  names.map((name) => ({ name, ...serverFlags[name] }))

import { sentRows, type Table } from '../items/field.ts'
import { flagNames } from '../items/texts.ts'
import { settings } from '../settings/config.ts'
import { keySetting, serverSetting } from './client/login.ts'
import type { ClientCommand, Command, OwnClientFlags, ServerFlags } from './terminal.ts'

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

/** The source of the completion scripts. */
export type CommandLine = {
  commands: readonly {
    name: string
    doc: string
    flags: readonly Flag[]
    completes: 'files' | readonly string[]
  }[]
  /** Flags allowed without a command. */
  bareFlags: readonly Flag[]
  /** Ids for `--language`. */
  languages: readonly string[]
}

type FlagFacts = Omit<Flag, 'name'>

/** The flags of client commands, apart from the fields of items. */
const clientFlags: { [K in keyof Required<OwnClientFlags>]: FlagFacts } = {
  server: { value: 'ADDRESS', variable: serverSetting.variable, doc: serverSetting.doc },
  key: { value: 'KEY', variable: keySetting.variable, doc: keySetting.doc },
  timeout: { value: 'SECONDS', doc: 'give up when nothing moves for so many seconds (30; check: 10)' },
  'no-wait': { doc: 'end with exit code 4 at the rate limit; else wait when it is a minute or less' },
  limit: { value: 'NUMBER', doc: 'show at most this many items (50)' },
  all: { doc: 'show all items' },
  search: {
    value: 'WORDS',
    doc: 'show what has all of these words, also as beginnings in titles, names and targets',
  },
  since: { value: 'TIME', doc: 'show what was created since then: a date, or how long ago, such as 7d' },
  sort: {
    value: 'ORDER',
    doc: 'created, changed, size, expires, reads (pastes) or visits (links) (created)',
  },
  write: { doc: 'create the items; without it, only show what would be created' },
  output: { short: 'o', value: 'FILE', doc: 'write to this new file in place of standard output' },
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
  'dry-run': { doc: 'with --mask: print the masked text in place of sending it' },
  data: { value: 'FOLDER', doc: 'read this data folder in place of asking a server' },
  json: { doc: 'print JSON, one line each' },
}
export type ClientFlagName = keyof typeof clientFlags

/** The flags of server commands, apart from settings. */
const serverFlags: { [K in keyof Required<ServerFlags>]: FlagFacts } = {
  expires: { value: 'DURATION', doc: 'of keys add and set: how long the key works from now on, such as 90d' },
  rate: {
    value: 'REQUESTS/PERIOD',
    doc: 'of keys add and set: its own rate, such as 10/1m, in place of --rate-limit',
  },
  only: { value: 'WHAT', doc: 'of keys add and set: the only thing it may create, paste or shorten' },
  admin: {
    value: '[none]',
    doc: 'of keys add and set: it may list and delete what every key made; none takes this or a limit away',
  },
  create: { doc: 'of keys add: make the data folder, before the first start of a server' },
  url: { value: 'ADDRESS', doc: 'ask the server at this address too, as browsers do, through the proxy' },
  since: {
    value: 'TIME',
    doc: 'save only what was written since then: a date, or how long ago, such as 10m',
  },
  keep: { value: 'NUMBER', doc: 'write into this folder, and keep so many archives there' },
  update: { doc: 'only bring a copy up to date, and make none, as when its disk is not mounted' },
  merge: { doc: 'bring a copy up to date, by a whole backup or by one with --since' },
}
export type ServerFlagName = keyof typeof serverFlags

export type SettingName = keyof typeof settings
type Facts = {
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

type ServerEntry = Facts & {
  flags?: never
  /** The settings that it takes as flags; unset means all. */
  settings?: readonly SettingName[]
  /** More flags of this command. */
  ownFlags?: readonly ServerFlagName[]
  /** Imported on demand, so no command loads another. */
  load: () => Promise<Command>
}

type ClientEntry = Facts & {
  /** All flags of this command, apart from those of `creates`. */
  flags: readonly ClientFlagName[]
  /** What it creates. The fields are flags too, and come first. */
  creates?: Table
  /** True if it takes `--language` to choose pastes. */
  filters?: true
  settings?: never
  ownFlags?: never
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

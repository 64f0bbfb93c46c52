import { settings } from '../settings/config.ts'
import { keySetting, serverSetting } from './client/login.ts'
import type { ClientFlags, KeyFlags } from './terminal.ts'

/** One line of a command's help, and what completion offers. */
export type Flag = {
  name: string
  /** A letter that stands for it, behind one dash. */
  short?: string
  /** What stands behind the name; `undefined` for a flag that is only there or not. */
  value: string | undefined
  /** The variable that says the same. */
  variable: string | undefined
  doc: string
}

/** What the completion scripts are made of. */
export type CommandLine = {
  commands: readonly {
    name: string
    doc: string
    flags: readonly Flag[]
    completes: 'files' | readonly string[]
  }[]
  /** The flags that may stand without a command. */
  bareFlags: readonly Flag[]
  /** Ids for `--language`. */
  languages: readonly string[]
}

type FlagFacts = Omit<Flag, 'name'>

/** Every flag of the commands that are clients. */
const clientFlags: { [K in keyof Required<ClientFlags>]: FlagFacts } = {
  title: {
    short: 't',
    value: 'TEXT',
    variable: undefined,
    doc: 'title, at most 1 KiB; the name of the file when not set',
  },
  description: { value: 'TEXT', variable: undefined, doc: 'description, at most 8 KiB' },
  language: {
    short: 'l',
    value: 'NAME',
    variable: undefined,
    doc: 'language; by the name of the file or its #! line when not set',
  },
  'expires-in': {
    short: 'e',
    value: 'TIME',
    variable: undefined,
    doc: 'lifetime: seconds, or 10m, 2h, 7d, 4w; what the server says when not set',
  },
  'max-reads': {
    value: 'NUMBER',
    variable: undefined,
    doc: 'erase the paste after so many reads, each of which somebody must ask for by a button or POST',
  },
  'max-visits': {
    value: 'NUMBER',
    variable: undefined,
    doc: 'erase the link after so many visits, each of which somebody must ask for by a button or POST',
  },
  alias: {
    value: 'NAME',
    variable: undefined,
    doc: 'name in the address, 1 to 64 of a-z 0-9 - _; the id alone when not set',
  },
  server: { value: 'ADDRESS', variable: serverSetting.variable, doc: serverSetting.doc },
  key: { value: 'KEY', variable: keySetting.variable, doc: keySetting.doc },
  timeout: { value: 'SECONDS', variable: undefined, doc: 'network timeout in seconds (30)' },
  limit: { value: 'NUMBER', variable: undefined, doc: 'show so many items at most (50)' },
  write: { value: undefined, variable: undefined, doc: 'do it, in place of telling what would be done' },
  json: {
    value: undefined,
    variable: undefined,
    doc: 'print what the server says, one line of JSON each',
  },
}
export type ClientFlagName = keyof typeof clientFlags

/** The flags that `keys` takes beside the settings. */
const keyFlags: { [K in keyof Required<KeyFlags>]: FlagFacts } = {
  expires: {
    value: 'DURATION',
    variable: undefined,
    doc: 'of keys add: how long the key works, such as 90d',
  },
  rate: {
    value: 'REQUESTS/PERIOD',
    variable: undefined,
    doc: 'of keys add: its own rate, such as 10/1m, in place of --rate-limit',
  },
  only: { value: 'WHAT', variable: undefined, doc: 'of keys add: all it may create, paste or shorten' },
  create: {
    value: undefined,
    variable: undefined,
    doc: 'of keys add: make the data folder, before the first start of a server',
  },
}
export type KeyFlagName = keyof typeof keyFlags

export type SettingName = keyof typeof settings
const allSettings = Object.keys(settings) as SettingName[]

/** The flags of these settings; all of them when left out. */
export const settingFlags = (names: readonly SettingName[] = allSettings): readonly Flag[] =>
  names
    .map((name) => settings[name])
    .flatMap(({ flag, variable, doc, default: standard }) =>
      flag === undefined
        ? []
        : [{ name: flag, value: 'VALUE', variable, doc: `${doc}${standard === '' ? '' : ` (${standard})`}` }],
    )

export const clientFlagsOf = (names: readonly ClientFlagName[]): readonly Flag[] =>
  names.map((name) => ({ name, ...clientFlags[name] }))

/** The flags of a command beside the settings. */
export const ownFlagsOf = (names: readonly KeyFlagName[] = []): readonly Flag[] =>
  names.map((name) => ({ name, ...keyFlags[name] }))

/** Every flag of every command. */
export const allFlags: readonly Flag[] = [
  ...settingFlags(),
  ...ownFlagsOf(Object.keys(keyFlags) as KeyFlagName[]),
  ...clientFlagsOf(Object.keys(clientFlags) as ClientFlagName[]),
]

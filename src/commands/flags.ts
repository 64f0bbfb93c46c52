import { keySetting, serverSetting } from '../client/settings.ts'
import { settings } from '../config.ts'
import type { ClientFlags } from './terminal.ts'

/** One line of a command's help, and what completion offers. */
export type Flag = {
  name: string
  /** What stands behind the name; `undefined` for a flag that is only there or not. */
  value: string | undefined
  /** The variable that says the same. */
  variable: string | undefined
  doc: string
}

type ClientFlag = Omit<Flag, 'name'>

/** Every flag of the commands that are clients. */
const clientFlags: { [K in keyof Required<ClientFlags>]: ClientFlag } = {
  title: { value: 'TEXT', variable: undefined, doc: 'title; the name of the file when not set' },
  description: { value: 'TEXT', variable: undefined, doc: 'description' },
  language: {
    value: 'NAME',
    variable: undefined,
    doc: 'language; by the name of the file or its #! line when not set',
  },
  server: { value: 'ADDRESS', variable: serverSetting.variable, doc: serverSetting.doc },
  key: { value: 'KEY', variable: keySetting.variable, doc: keySetting.doc },
  timeout: { value: 'SECONDS', variable: undefined, doc: 'give up when nothing moves for so long (30)' },
  json: {
    value: undefined,
    variable: undefined,
    doc: 'print the whole answer of the server, one line of JSON each',
  },
}
export type ClientFlagName = keyof typeof clientFlags

const settingFlags: readonly Flag[] = Object.values(settings).flatMap(
  ({ flag, variable, doc, default: standard }) =>
    flag === undefined
      ? []
      : [{ name: flag, value: 'VALUE', variable, doc: `${doc}${standard === '' ? '' : ` (${standard})`}` }],
)

/** The flags of one command; `names` is `undefined` for a command that takes the server's settings. */
export const flagsOf = (names: readonly ClientFlagName[] | undefined): readonly Flag[] =>
  names?.map((name) => ({ name, ...clientFlags[name] })) ?? settingFlags

/** Every flag of every command. */
export const allFlags: readonly Flag[] = [
  ...settingFlags,
  ...flagsOf(Object.keys(clientFlags) as ClientFlagName[]),
]

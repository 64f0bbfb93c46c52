import { parseArgs } from 'node:util'
import { allFlags, type Entry, type Flag } from './flags.ts'
import { commandOf, commands, flagsOfCommand, usageOf } from './list.ts'
import { didYouMean } from './nearest.ts'

export type Flags = Readonly<Record<string, string | boolean | undefined>>

/** A parsed command line; `problem` is one line about what is wrong. */
export type Asked =
  | { what: 'version' }
  | { what: 'help'; command: string | undefined }
  | { what: 'run'; entry: Entry; words: readonly string[]; flags: Flags }
  | { what: 'nothing'; problem: string }

type Option = { type: 'string' | 'boolean'; short?: string }

const optionOf = ({ value, short }: Flag): Option => ({
  type: value === undefined ? 'boolean' : 'string',
  ...(short !== undefined && { short }),
})

const options: Record<string, Option> = Object.fromEntries(
  allFlags.map((flag) => [flag.name, optionOf(flag)]),
)

/** Of the program where no command is named that has versions of items. */
const versionFlag = (args: readonly string[]): Option => {
  const name = args.find((arg) => commandOf(arg)) ?? 'serve'
  const ofItem = flagsOfCommand(name).find((flag) => flag.name === 'version')
  return ofItem ? optionOf(ofItem) : { type: 'boolean' }
}

/** `--admin` is a switch that also takes `none`, which `parseArgs` has no type for. */
const withAdminValue = (args: readonly string[]) =>
  args.map((arg, at) => (arg === '--admin' && args[at + 1] !== 'none' ? '--admin=yes' : arg))

/** `--lines -40` is the first 40 lines: `parseArgs` takes a value that begins with a dash for a flag. */
const withRangeValue = (args: readonly string[]) =>
  args.flatMap((arg, at) => {
    const isRange = (flag: string | undefined, value = '') => flag === '--lines' && /^-\d/.test(value)
    if (isRange(args[at - 1], arg)) return []
    return isRange(arg, args[at + 1]) ? [`${arg}=${args[at + 1]}`] : [arg]
  })

const parse = (args: readonly string[]) =>
  parseArgs({
    args: withRangeValue(withAdminValue(args)),
    allowPositionals: true,
    options: { ...options, help: { type: 'boolean', short: 'h' }, version: versionFlag(args) },
  })

const nothing = (problem: string): Asked => ({ what: 'nothing', problem })

const unknown = (name: string) => {
  const hint = didYouMean(name, [...Object.keys(commands), 'help'])
  return nothing(`unknown command "${name}"${hint || '; see shortcrust --help'}`)
}

const help = (name: string | undefined): Asked =>
  name === undefined || commandOf(name) ? { what: 'help', command: name } : unknown(name)

const ask = ({ values, positionals }: ReturnType<typeof parse>): Asked => {
  const { help: isHelp, ...others } = values
  const { version: asked, ...rest } = others
  const isVersion = asked === true
  const flags = isVersion ? rest : others
  const [first, ...words] = positionals
  if (isVersion || first === 'version') return { what: 'version' }
  if (first === 'help') return help(words[0])
  if (isHelp) return help(first)
  const name = first ?? 'serve'
  const entry = commandOf(name)
  if (!entry) return unknown(name)
  const taken = new Set(flagsOfCommand(name).map((flag) => flag.name))
  const refused = Object.keys(flags).find((flag) => !taken.has(flag))
  if (refused) return nothing(`shortcrust ${name} takes no --${refused}; see shortcrust ${name} --help`)
  const [least, most] = entry.words
  if (words.length < least || words.length > most) return nothing(`usage: ${usageOf(name)}`)
  return { what: 'run', entry, words, flags: flags as Flags }
}

/** Parses the words after the program's name. */
export const readArguments = (args: readonly string[]): Asked => {
  try {
    return ask(parse(args))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const [problem = ''] = message.split(/\.\s/)
    const [, flag] = /^Unknown option '(--[^']+)'/.exec(problem) ?? []
    const hint =
      flag === undefined
        ? ''
        : didYouMean(
            flag,
            [...Object.keys(options), 'help', 'version'].map((name) => `--${name}`),
          )
    const command = args.find((arg) => commandOf(arg))
    return nothing(
      `${problem}${hint || `; see shortcrust ${command === undefined ? '' : `${command} `}--help`}`,
    )
  }
}

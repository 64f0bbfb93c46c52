import { parseArgs } from 'node:util'
import { commandOf, commands, type Entry, type Flag, flagsOfCommand, usageOf } from './list.ts'
import { didYouMean, nearestOf } from './nearest.ts'

export type Flags = Readonly<Record<string, string | boolean | undefined>>

/** A parsed command line; `problem` is one line about what is wrong. */
export type Asked =
  | { what: 'version' }
  | { what: 'help'; command: string | undefined }
  | { what: 'run'; entry: Entry; words: readonly string[]; flags: Flags }
  | { what: 'nothing'; problem: string }

const namesOf = ({ name, alias }: Flag) => (alias === undefined ? [name] : [name, alias])

/** The flags of every command. One that it has itself, such as `--version` of `get`, comes in their place. */
const everywhere: readonly Flag[] = [
  { name: 'help', short: 'h', doc: 'show the options of a command' },
  { name: 'version', doc: 'show the version' },
]

const optionsOf = (flags: readonly Flag[]) =>
  Object.fromEntries(
    flags.flatMap((flag) =>
      namesOf(flag).map((name) => [
        name,
        {
          type: flag.value === undefined ? ('boolean' as const) : ('string' as const),
          ...(flag.short !== undefined && name === flag.name && { short: flag.short }),
        },
      ]),
    ),
  )

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

/** The words and the flags as they were typed, right or wrong. */
const scan = (args: readonly string[]) => {
  // Unless it comes first, which word is the command depends on the flags that have a value, of any command.
  const [first = 'serve'] = args
  const possible = commandOf(first) ? [first] : Object.keys(commands)
  const all = [...possible.flatMap(flagsOfCommand), ...everywhere]
  // The last of a name counts: one with a letter, where only some commands give it one.
  const options = optionsOf(all.sort((a, b) => Number(Boolean(a.short)) - Number(Boolean(b.short))))
  const config = { args: [...args], options, strict: false, allowPositionals: true, tokens: true } as const
  const { positionals, tokens } = parseArgs(config)
  return { words: positionals, flags: tokens.filter((token) => token.kind === 'option') }
}

const nothing = (problem: string): Asked => ({ what: 'nothing', problem })

export const isServer = (entry: Entry) => entry === commands.serve

const unknown = (name: string) => {
  const hint = didYouMean(name, [...Object.keys(commands), 'help'])
  return nothing(`unknown command "${name}"${hint || '; see: shortcrust --help'}`)
}

const help = (name: string | undefined): Asked =>
  name === undefined || commandOf(name) ? { what: 'help', command: name } : unknown(name)

/** The hint for a flag that a command does not have: the nearest of those that it has. */
const hintFor = (typed: string, taken: readonly Flag[]) => {
  const nearest = nearestOf(typed, taken.flatMap(namesOf))
  const flag = taken.find((one) => nearest !== undefined && namesOf(one).includes(nearest))
  return flag && `; did you mean --${flag.name}?`
}

/** A value under the name that its command knows: that of the flag it stands for. */
const meaningOf = ([typed, value]: [string, Flags[string]], taken: readonly Flag[]) => {
  const { name, means } = taken.find((flag) => namesOf(flag).includes(typed)) ?? { name: typed }
  return { typed, ...(means ?? { name, value }) }
}

const run = (name: string, entry: Entry, words: readonly string[], flags: Flags): Asked => {
  const [least, most] = entry.words
  if (words.length < least || words.length > most) return nothing(`usage: ${usageOf(name)}`)
  return { what: 'run', entry, words, flags }
}

const parsed = (args: readonly string[], taken: readonly Flag[]) => {
  try {
    return parseArgs({ args: [...args], options: optionsOf(taken), allowPositionals: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    return message.split(/\.\s/)[0] ?? message
  }
}

/** Parses the words after the program's name. */
export const readArguments = (raw: readonly string[]): Asked => {
  const args = withRangeValue(withAdminValue(raw))
  const { words: typedWords, flags: typedFlags } = scan(args)
  const [first, second] = typedWords
  if (first === 'help') return help(second)
  if (first === 'version') return { what: 'version' }
  const name = first ?? 'serve'
  const entry = commandOf(name)
  if (!entry) return unknown(name)
  const own = flagsOfCommand(name)
  const taken = [...own, ...everywhere.filter((flag) => own.every((one) => one.name !== flag.name))]
  const advice = `; see: shortcrust ${name} --help`
  const refused = typedFlags.find((typed) => !Object.hasOwn(optionsOf(taken), typed.name))
  if (refused) return nothing(`${name} takes no ${refused.rawName}${hintFor(refused.name, taken) ?? advice}`)
  const found = parsed(args, taken)
  if (typeof found === 'string') return nothing(found + advice)
  const { help: isHelp, ...values } = found.values as Flags
  if (isHelp) return help(first)
  if (values.version === true) return { what: 'version' }
  const meanings = Object.entries(values).map((value) => meaningOf(value, taken))
  const same = [...Map.groupBy(meanings, (one) => one.name).values()].find(({ length }) => length > 1)
  if (same) return nothing(`give only one of ${same.map(({ typed }) => `--${typed}`).join(' and ')}`)
  const flags = Object.fromEntries(meanings.map((one) => [one.name, one.value]))
  return run(name, entry, found.positionals.slice(1), flags)
}

/** A flag as it may be typed. */
const spellingsOf = (flag: Flag) => [
  ...namesOf(flag).map((name) => `--${name}`),
  ...(flag.short === undefined ? [] : [`-${flag.short}`]),
]

const languageIds = async (command: string | undefined) => {
  const { languages } = await import('../highlight/languages/languages.ts')
  const ids = languages.map(({ id }) => id).sort()
  // A list has pastes in the languages that were found.
  return command === 'list' ? ids : ['auto', ...ids]
}

type Candidates = readonly (readonly [text: string, doc?: string])[]

const commandCandidates = (): Candidates => [
  ...Object.entries(commands).map(([name, { doc }]) => [name, doc] as const),
  ['help', 'show every command and setting'],
]

const flagCandidates = (command: string | undefined): Candidates => [
  ...flagsOfCommand(command ?? 'serve').map(({ name, doc }) => [`--${name}`, doc] as const),
  ['--help', 'show what it takes'],
  ...(command === undefined ? [['--version', 'show the version'] as const] : []),
]

const wordCandidates = (command: string): Candidates | 'files' => {
  if (command === 'help') return commandCandidates()
  const completes = commandOf(command)?.completes ?? []
  return completes === 'files' ? completes : completes.map((word) => [word] as const)
}

/**
 * What a shell may offer for the last of these words, as lines of a candidate, a tab and its meaning; `:files` for file names.
 * readline cuts `--flag=value` into three words.
 */
export const completionsOf = async (typed: readonly string[]): Promise<readonly string[]> => {
  const [, assigned = '', last = ''] = /^(--[^=]+=|=)?([\s\S]*)$/.exec(typed.at(-1) ?? '') ?? []
  const before = [...typed.slice(0, -1), ...(assigned.length > 1 ? [assigned.slice(0, -1)] : [])]
  const earlier = before.flatMap((word) => (word.startsWith('--') ? word.split('=', 2) : [word]))
  const words = earlier.filter((word) => word !== '=')
  const valued = new Set(
    Object.keys(commands)
      .flatMap(flagsOfCommand)
      .flatMap((flag) => (flag.value === undefined ? [] : spellingsOf(flag))),
  )
  const command = words.find((word, at) => !word.startsWith('-') && !valued.has(words[at - 1] ?? ''))
  const flag = words.at(-1) ?? ''
  const candidates = async (): Promise<Candidates | 'files'> => {
    if (['--language', '-l'].includes(flag)) return (await languageIds(command)).map((id) => [id] as const)
    if (valued.has(flag)) return 'files'
    if (last.startsWith('-')) return flagCandidates(command)
    return command === undefined ? commandCandidates() : wordCandidates(command)
  }
  const found = await candidates()
  if (found === 'files') return [':files']
  const prefix = assigned === '=' ? '' : assigned
  return found
    .filter(([text]) => text.startsWith(last))
    .map(([text, doc]) => prefix + text + (doc === undefined ? '' : `\t${doc}`))
}

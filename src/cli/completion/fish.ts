import { type CommandLine, type Flag, languageFlag } from '../flags.ts'

const quoted = (text: string) => `'${text.replace(/['\\]/g, '\\$&')}'`

const complete = (...words: string[]) => ['complete', '-c', 'shortcrust', ...words].join(' ')

/** Conditions: no command typed yet, or this one. */
const bare = ['-n', '__fish_use_subcommand']
const within = (name: string) => ['-n', quoted(`__fish_seen_subcommand_from ${name}`)]

const flagLine = (where: readonly string[], flag: Flag, languages: readonly string[]) => {
  const short = flag.short === undefined ? [] : ['-s', flag.short]
  const words = [...where, ...short, '-l', flag.name, '-d', quoted(flag.doc)]
  if (flag.value === undefined) return complete(...words)
  // A list has pastes in the languages that were found.
  const choices = flag === languageFlag ? languages : ['auto', ...languages]
  if (flag.name === 'language') return complete(...words, '-x', '-a', quoted(choices.join(' ')))
  return complete(...words, flag.name === 'data' ? '-r' : '-x')
}

const wordLines = (name: string, completes: CommandLine['commands'][number]['completes']) => {
  if (completes === 'files') return [complete(...within(name), '-F')]
  return completes.length === 0 ? [] : [complete(...within(name), '-a', quoted(completes.join(' ')))]
}

/** For fish 3 and later. */
export const fishScript = ({ commands, bareFlags, languages }: CommandLine) =>
  [
    '# fish completion for shortcrust; for one session: shortcrust completions fish | source',
    complete('-f'),
    complete('-l', 'help', '-d', quoted('show what a command takes')),
    ...commands.map(({ name, doc }) => complete(...bare, '-a', name, '-d', quoted(doc))),
    complete(...bare, '-l', 'version', '-d', quoted('show the version')),
    ...bareFlags.map((flag) => flagLine(bare, flag, languages)),
    ...commands.flatMap(({ name, flags, completes }) => [
      ...flags.map((flag) => flagLine(within(name), flag, languages)),
      ...wordLines(name, completes),
    ]),
    '',
  ].join('\n')

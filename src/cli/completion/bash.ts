import type { CommandLine, Flag } from '../flags.ts'

const dashed = (flags: readonly Flag[]) => flags.map(({ name }) => `--${name}`)

/** A flag, its other name and its letter, with dashes. */
const spellings = ({ name, alias, short }: Flag) => [
  `--${name}`,
  ...(alias === undefined ? [] : [`--${alias}`]),
  ...(short === undefined ? [] : [`-${short}`]),
]

/** Flags with a value, in any command. */
const valueFlags = ({ commands }: CommandLine) => [
  ...new Set(
    commands.flatMap(({ flags }) => flags.filter(({ value }) => value !== undefined).flatMap(spellings)),
  ),
]

const languageFlags = ['--language', '-l']

const flagCase = ({ name, flags }: CommandLine['commands'][number]) =>
  `    ${name}) words='${[...dashed(flags), '--help'].join(' ')}' ;;`

const wordCase = ({ name, completes }: CommandLine['commands'][number]) =>
  completes === 'files' ? `    ${name}) return ;;` : `    ${name}) words='${completes.join(' ')}' ;;`

/**
 * Avoids what bash 3.2 lacks (`mapfile`). No result means file names, which readline quotes itself (`-o default`); where none
 * are wanted, `compopt` turns that off, from bash 4 on.
 */
export const bashScript = (line: CommandLine) => `\
# bash completion for shortcrust; for one session: eval "$(shortcrust completions bash)"
_shortcrust() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flag="\${COMP_WORDS[COMP_CWORD-1]}" command='' words='' at
  # readline cuts --flag=value into three words
  if [ "$cur" = '=' ]; then
    cur=''
  elif [ "$flag" = '=' ]; then
    flag="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "\${COMP_WORDS[at]}" in
    ${valueFlags(line).join('|')}) ((at++)); if [ "\${COMP_WORDS[at]}" = '=' ]; then ((at++)); fi ;;
    -?*|'=') ;;
    *) command="\${COMP_WORDS[at]}"; break ;;
    esac
  done
  case "$flag" in
  ${languageFlags.join('|')})
    words='auto ${line.languages.join(' ')}'
    # a list has pastes in the languages that were found
    if [ "$command" = list ]; then words="\${words#auto }"; fi ;;
  ${valueFlags(line)
    .filter((flag) => !languageFlags.includes(flag))
    .join('|')}) return ;;
  *)
    case "$cur" in
    -?*)
      case "$command" in
${line.commands.map(flagCase).join('\n')}
      *) words='${[...dashed(line.bareFlags), '--help', '--version'].join(' ')}' ;;
      esac ;;
    *)
      case "$command" in
      '') words='${line.commands.map(({ name }) => name).join(' ')} help' ;;
${line.commands.map(wordCase).join('\n')}
      help) words='${line.commands.map(({ name }) => name).join(' ')}' ;;
      esac ;;
    esac ;;
  esac
  compopt +o default 2>/dev/null
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _shortcrust shortcrust
`

import { type CommandLine, type Flag, languageFlag } from '../flags.ts'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Escapes text inside a specification of `_arguments`, where brackets and colons separate its parts. */
const escaped = (text: string) => text.replace(/[[\]:\\]/g, '\\$&')

const valueAction = (flag: Flag) => {
  const { name } = flag
  // A list has pastes in the languages that were found.
  if (name === 'language') return flag === languageFlag ? '($languages)' : '(auto $languages)'
  return name === 'data' ? '_files -/' : ''
}

/** The specifications of a flag and its letter: the value of the flag follows `=`, that of the letter is the next word. */
const flagSpecs = (flag: Flag) => {
  const { name, short, value, doc } = flag
  const action = value === undefined ? '' : `:${value}:${valueAction(flag)}`
  const long = `--${name}${value === undefined ? '' : '='}[${escaped(doc)}]${action}`
  if (short === undefined) return [quoted(long)]
  const either = `(-${short} --${name})`
  return [quoted(`${either}-${short}[${escaped(doc)}]${action}`), quoted(either + long)]
}

const wordSpec = (completes: CommandLine['commands'][number]['completes']) => {
  if (completes === 'files') return ["'*:file:_files'"]
  return completes.length === 0 ? [] : [quoted(`1:word:(${completes.join(' ')})`)]
}

const commandCase = ({ name, flags, completes }: CommandLine['commands'][number]) => {
  const specs = [...flags.flatMap(flagSpecs), "'--help[show what it takes]'", ...wordSpec(completes)]
  return `    ${name})\n      _arguments ${specs.join(' \\\n        ')} ;;`
}

/** Works as an autoloaded file named `_shortcrust`, and with `source`. */
export const zshScript = ({ commands, bareFlags, languages }: CommandLine) => `\
#compdef shortcrust
# zsh completion for shortcrust; for one session: source <(shortcrust completions zsh)
_shortcrust() {
  local context state line
  typeset -A opt_args
  local -a commands languages
  commands=(
${commands.map(({ name, doc }) => `    ${quoted(`${name}:${escaped(doc)}`)}`).join('\n')}
    'help:show every command and setting'
  )
  languages=(${languages.join(' ')})
  _arguments -C '--help[show every command and setting]' '--version[show the version]' \\
    ${bareFlags.flatMap(flagSpecs).join(' \\\n    ')} \\
    '1:command:->command' '*::argument:->argument' && return
  case $state in
  command) _describe command commands ;;
  argument)
    case $words[1] in
${commands.map(commandCase).join('\n')}
    help) _describe command commands ;;
    esac ;;
  esac
}
if [ "$funcstack[1]" = _shortcrust ]; then
  _shortcrust "$@"
else
  compdef _shortcrust shortcrust
fi
`

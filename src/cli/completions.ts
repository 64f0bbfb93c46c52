import type { ClientCommand } from './terminal.ts'

/** Each asks the program what may follow: a candidate and its meaning per line, or `:files` for the shell's own file names. */
const stubs: Readonly<Record<string, string>> = {
  // Runs in bash 3.2. Only file names are left to readline (`-o default`), which quotes them.
  bash: `\
# bash completion for shortcrust; for one session: eval "$(shortcrust completions bash)"
_shortcrust() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    [ "$line" = :files ] && return
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <("\${COMP_WORDS[0]/#~/$HOME}" __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  compopt +o default 2>/dev/null
}
complete -o default -F _shortcrust shortcrust
`,
  // Works as an autoloaded file named `_shortcrust`, and with `source`.
  zsh: `\
#compdef shortcrust
# zsh completion for shortcrust; for one session: source <(shortcrust completions zsh)
_shortcrust() {
  local -a lines
  lines=("\${(@f)$(\${~words[1]} __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $lines[1] == :files ]]; then
    _files
  else
    lines=("\${(@)\${(@)lines//:/\\\\:}/$'\\t'/:}")
    _describe shortcrust lines
  fi
}
if [ "$funcstack[1]" = _shortcrust ]; then
  _shortcrust "$@"
else
  compdef _shortcrust shortcrust
fi
`,
  // For fish 3 and later.
  fish: `\
# fish completion for shortcrust; for one session: shortcrust completions fish | source
function __shortcrust_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l lines ($words[1] __complete $words[2..-1] 2>/dev/null)
  if test "$lines[1]" = :files
    __fish_complete_path (commandline -ct)
  else if set -q lines[1]
    printf '%s\\n' $lines
  end
end
complete -c shortcrust -f -a '(__shortcrust_complete)'
`,
}

/** Prints what a shell needs to complete commands. */
export const printCompletions: ClientCommand = async ([shell = ''], _, { printBytes, printError }) => {
  const stub = Object.hasOwn(stubs, shell) ? stubs[shell] : undefined
  if (stub === undefined) {
    printError(`shortcrust: no completions for "${shell}": there are bash, zsh and fish`)
    return 2
  }
  printBytes(Buffer.from(stub))
  return 0
}

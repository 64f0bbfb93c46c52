import type { Flag } from '../flags.ts'
import { commands, flagsOfCommand } from '../list.ts'
import type { ClientCommand } from '../terminal.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

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

const scripts: Readonly<Record<string, (line: CommandLine) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Prints the script that completes this command line in a shell. */
export const completions: ClientCommand = async ([shell = ''], _, { print, printError }) => {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!script) {
    printError(`shortcrust: no completions for "${shell}": there are bash, zsh and fish`)
    return 2
  }
  const { languages } = await import('../../highlight/languages/languages.ts')
  const line: CommandLine = {
    commands: Object.entries(commands).map(([name, { doc, completes = [] }]) => ({
      name,
      doc,
      flags: flagsOfCommand(name),
      completes,
    })),
    bareFlags: flagsOfCommand('serve'),
    languages: languages.map(({ id }) => id).sort(),
  }
  for (const text of script(line).trimEnd().split('\n')) print(text)
  return 0
}

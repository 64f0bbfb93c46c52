import type { CommandLine } from '../flags.ts'
import type { ClientCommand } from '../terminal.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

const scripts: Readonly<Record<string, (line: CommandLine) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Prints the completion script for a shell. */
export const createCompletions =
  (line: Omit<CommandLine, 'languages'>): ClientCommand =>
  async ([shell = ''], _, { print, printError }) => {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (!script) {
      printError(`shortcrust: no completions for "${shell}": there are bash, zsh and fish`)
      return 2
    }
    const { languages } = await import('../../highlight/languages/languages.ts')
    const ids = languages.map(({ id }) => id).sort()
    for (const text of script({ ...line, languages: ids })
      .trimEnd()
      .split('\n'))
      print(text)
    return 0
  }

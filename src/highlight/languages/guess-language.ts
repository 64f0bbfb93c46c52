import { languageOfFile } from './file-names.ts'

/** Interpreters in `#!` lines, without version, that differ from the shiki id of their language. */
const interpreters: Readonly<Record<string, string>> = {
  sh: 'shellscript',
  bash: 'shellscript',
  dash: 'shellscript',
  ksh: 'shellscript',
  zsh: 'shellscript',
  node: 'javascript',
  bun: 'typescript',
  deno: 'typescript',
  gawk: 'awk',
  tclsh: 'tcl',
  pwsh: 'powershell',
  Rscript: 'r',
  runghc: 'haskell',
}
const sameName = new Set(
  'awk elixir fish groovy julia lua make perl php python racket raku ruby scala'.split(' '),
)

/** `#!/usr/bin/python3.12 -u`, `#!/usr/bin/env -S node --test`. */
const interpreterOf = (text: string) => {
  const [, line = ''] = /^#!([^\r\n]{1,200})/.exec(text) ?? []
  const words = line.trim().split(/\s+/)
  const isEnv = words[0]?.endsWith('/env')
  const program = isEnv ? words.slice(1).find((word) => !/^-|=/.test(word)) : words[0]
  return (
    program
      ?.split('/')
      .at(-1)
      ?.replace(/[\d.-]+$/, '') ?? ''
  )
}

const languageOfScript = (text: string) => {
  const name = interpreterOf(text)
  if (sameName.has(name)) return name
  return Object.hasOwn(interpreters, name) ? interpreters[name] : undefined
}

/** The language of the first name (of a file, a title) with a known ending, else of the `#!` line. */
export const guessLanguage = (names: readonly string[], text: string): string | undefined => {
  for (const name of names) {
    const language = languageOfFile(name, text)
    if (language) return language
  }
  return languageOfScript(text)
}

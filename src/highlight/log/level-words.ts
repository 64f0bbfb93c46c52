import { type Level, levels } from '../show.ts'

/** Words for each level, as programs write them. */
const words: Readonly<Record<Level, string>> = {
  fatal: 'emergency emerg alert critical crit fatal panic ftl',
  error: 'error err eror severe fail',
  warn: 'warning warn wrn',
  notice: 'notice',
  info: 'information info inf',
  debug: 'debug dbg dbug',
  trace: 'trace trc trce verbose vrb finest finer fine',
}

const capitalised = (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}`

/** With every usual case: lowering each word of a log takes longer than to look it up. */
const numbers = new Map(
  levels.flatMap((level, at) =>
    words[level]
      .split(' ')
      .flatMap((word) => [word, word.toUpperCase(), capitalised(word)])
      .map((word) => [word, at] as const),
  ),
)

/** In small letters. */
export const levelWords: readonly string[] = Object.values(words).flatMap((all) => all.split(' '))

/** The level of a word, as its place in `levels`. */
export const numberOfWord = (word: string) => numbers.get(word)

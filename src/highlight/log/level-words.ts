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

const numbers = new Map(
  levels.flatMap((level, at) => words[level].split(' ').map((word) => [word, at] as const)),
)

export const levelWords: readonly string[] = [...numbers.keys()]

/** The level of a word in any case, as its place in `levels`. */
export const numberOfWord = (word: string) => numbers.get(word) ?? numbers.get(word.toLowerCase())

/** True for a word that is a level. */
export const isLevelWord = (word: string) => numberOfWord(word) !== undefined

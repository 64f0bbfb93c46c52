import { type Level, levels } from '../show.ts'
import type { LineStart } from './prefixes.ts'

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

const numberOfWord = new Map(
  levels.flatMap((level, at) => words[level].split(' ').map((word) => [word, at] as const)),
)
const everyWord = [...numberOfWord.keys()].sort((a, b) => b.length - a.length)
const upper = everyWord.join('|').toUpperCase()
/** java.util.logging writes these in capitals only; in small letters they are ordinary words. */
const inCapitals = ['fine', 'finer', 'finest']
const lower = everyWord
  .filter((word) => !inCapitals.includes(word))
  .map((word) => `[${word[0]}${word[0]?.toUpperCase()}]${word.slice(1)}`)
  .join('|')
const field = '(?:log\\.?)?level|levelname|severity|lvl'

/**
 * The first sign of a level in a line: a word in capitals; a field such as `level=warn`; or a word in small letters where
 * only a level stands, as in `[error]`, `core:error]` and `warning: …`.
 */
const sign = new RegExp(
  `(?<![\\w$/.-])(?:(${upper})(?!\\w)|(?:${field})["']? ?[=:] ?["']?(\\w{1,12})|(${lower})(?=[\\]):|>[]| [|-] ))`,
)

/** A word at the start of a line, or after its time. */
const wordAtStart = new RegExp(`^(?:npm )?(${lower})[\\s!]`)

/** The field of a line of JSON; `s` is MongoDB's. */
const jsonField = new RegExp(`"(?:${field}|@l|s)" ?: ?"?(\\w{1,12})`, 'i')

const letters: Readonly<Record<string, Level>> = {
  ...{ V: 'trace', T: 'trace', D: 'debug', I: 'info', N: 'notice' },
  ...{ W: 'warn', E: 'error', F: 'fatal', A: 'fatal', C: 'fatal' },
}
/** logcat's `W/Tag` and `1234 5678 W Tag`, `[E]`, and `E NETWORK` after a time. */
const letter = /^(?:([VDIWEFA])\/[\w.$-]|\s*\d+ +\d+ ([VDIWEFA]) |\[([TVDIWEFC])\]|([DIWEF]) {1,2}[A-Z]{3})/

/** Of syslog (RFC 5424): emergency, alert and critical are all fatal here. */
const syslog: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warn', 'notice', 'info', 'debug']
const priority = /^<(\d{1,3})>/

/** Level of none. */
export const noLevel = -1

const numberOf = (level: Level | undefined) => (level === undefined ? noLevel : levels.indexOf(level))

/** pino's and bunyan's numbers go from 10 to 60; smaller ones are syslog's. */
const numberOfValue = (value: string) => {
  const number = Number(value)
  if (Number.isNaN(number))
    return numberOfWord.get(value.toLowerCase()) ?? (value.length === 1 ? numberOf(letters[value]) : noLevel)
  if (number < 8) return numberOf(syslog[number])
  const pino: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  return numberOf(pino[Math.floor(number / 10) - 1])
}

/** The level that stands at the start of a line; `undefined` if none is written there in one of these ways. */
const levelAtStart = (text: string) => {
  const first = text.charCodeAt(0)
  if (first === 0x3c) {
    const number = Number(priority.exec(text)?.[1] ?? 999)
    return number < 192 ? numberOf(syslog[number % 8]) : undefined
  }
  if (first === 0x7b) return numberOfValue(jsonField.exec(text)?.[1] ?? '-')
  // Most lines begin otherwise.
  const found = first <= 0x5b ? letter.exec(text) : null
  if (found) return numberOf(letters[found.slice(1).find((part) => part !== undefined) ?? ''])
  const word = wordAtStart.exec(text)?.[1]
  return word === undefined ? undefined : numberOfWord.get(word.toLowerCase())
}

/**
 * The level of a line, as its place in `levels`, or `noLevel`.
 * @param head the first characters of the line, without control sequences
 */
export const levelOf = (head: string, { rest, letter: klog }: LineStart): number => {
  if (klog !== undefined) return numberOf(letters[klog])
  const atStart = levelAtStart(rest)
  if (atStart !== undefined) return atStart
  const [, capitals, value, small] = sign.exec(head) ?? []
  if (value !== undefined) return numberOfValue(value)
  return numberOfWord.get((capitals ?? small ?? '').toLowerCase()) ?? noLevel
}

import { type Level, levels } from '../show.ts'
import { fieldsOfRecord } from './json-records.ts'
import { levelWords, numberOfWord } from './level-words.ts'
import type { LineStart } from './prefixes.ts'

const everyWord = levelWords.toSorted((a, b) => b.length - a.length)
const upper = everyWord.join('|').toUpperCase()
/** java.util.logging writes these in capitals only; in small letters they are ordinary words. */
const inCapitals = ['fine', 'finer', 'finest']
const lower = everyWord
  .filter((word) => !inCapitals.includes(word))
  .map((word) => `[${word[0]}${word[0]?.toUpperCase()}]${word.slice(1)}`)
  .join('|')
const field = '(?:log\\.?)?level|levelname|severity|lvl'

/** What says that there is none: `ERR=0`, `error: none`, `FATAL: 0,`. */
const isNot = '(?! ?[=:] ?(?:0(?:[,;|)]|$)|(?:none|null|nil)(?!\\w))| ?= ?(?:0|no|ok|false)(?!\\w))'
const isNone = '(?<!\\b(?:[Nn]o|[Ww]ithout|[Zz]ero|0) )'

/**
 * The first sign of a level in a line: a word in capitals; a field such as `level=warn`; or a word in small letters where
 * only a level stands, as in `[error]`, `core:error]`, `warning: …` and `error (device sda1)` of file systems in Linux. The
 * last two are of Minecraft, `[Server thread/WARN]`, and of Laravel, `production.ERROR: …`.
 */
const sign = new RegExp(
  `(?<![\\w$/.-])${isNone}(?:(${upper})(?!\\w)${isNot}|(?:${field})["']? ?[=:] ?["']?(\\w{1,12})|` +
    `(${lower})(?=[\\]):|>[]| [|-] | \\(device )${isNot})|\\/(${upper})(?=\\])|[a-z]\\.(${upper})(?=: )`,
)

/** Ordinary words of sentences, too: alone at the start of a line they say nothing. */
const ofSentences = ['alert', 'critical', 'emergency']
const atStart = lower
  .split('|')
  .filter((word) => !ofSentences.some((one) => word.endsWith(one.slice(1))))
  .join('|')

/** A word at the start of a line, or after its time; not in `Error rate is 0 %`. */
const wordAtStart = new RegExp(
  `^(?:npm )?(${atStart})(?:!|\\s(?!(?:rates?|counts?|counters?|handl(?:ers?|ing)|pages?|logs?|budgets?|level)\\b))`,
)

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

const numberOfName = (value: string) =>
  numberOfWord(value.toLowerCase()) ?? (value.length === 1 ? numberOf(letters[value]) : noLevel)

const pino: readonly Level[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** pino's and bunyan's numbers go from 10 to 60; smaller ones are syslog's. */
const numberOfValue = (value: string) => {
  const number = Number(value)
  if (Number.isNaN(number)) return numberOfName(value)
  if (number < 8) return numberOf(syslog[number])
  return numberOf(pino[Math.floor(number / 10) - 1])
}

/** The level that stands at the start of a line; `undefined` if none is written there in one of these ways. */
const levelAtStart = (text: string) => {
  const first = text.charCodeAt(0)
  if (first === 0x3c) {
    const number = Number(priority.exec(text)?.[1] ?? 999)
    return number < 192 ? numberOf(syslog[number % 8]) : undefined
  }
  if (first === 0x7b) return numberOfValue(fieldsOfRecord(text).level ?? '-')
  // Most lines begin otherwise.
  const found = first <= 0x5b ? letter.exec(text) : null
  if (found) return numberOf(letters[found.slice(1).find((part) => part !== undefined) ?? ''])
  const word = wordAtStart.exec(text)?.[1]
  return word === undefined ? undefined : numberOfWord(word)
}

/** The level of a line, as its place in `levels`, or `noLevel`. */
export const levelOf = ({ line, rest, letter: klog }: LineStart): number => {
  if (klog !== undefined) return numberOf(letters[klog])
  const atStart = levelAtStart(rest)
  if (atStart !== undefined) return atStart
  const found = sign.exec(line)
  if (!found) return noLevel
  const value = found[2]
  // `level: 3` is the level of anything.
  if (value !== undefined) return Number(value) < 8 ? noLevel : numberOfValue(value)
  return numberOfWord(found[1] ?? found[3] ?? found[4] ?? found[5] ?? '') ?? noLevel
}

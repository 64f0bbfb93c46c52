import { guessLanguage } from '../file-names.ts'
import { findLanguage } from '../languages.ts'
import { classify, type Guess } from './classify.ts'
import {
  type Beginning,
  beginningOf,
  hasMarkdown,
  isPartOfDiff,
  languageOfDiff,
  languageOfIni,
  languageOfJson,
  languageOfLog,
  languageOfMarkup,
  languageOfNginx,
  languageOfOpening,
  languageOfSettings,
  languageOfTable,
  languageOfUnit,
  shareOf,
} from './forms.ts'

/** Names that editors use for what has another name here. */
const editorNames: Readonly<Record<string, string>> = {
  conf: 'text',
  dosini: 'ini',
  fundamental: 'text',
  'shell-script': 'shellscript',
  'c++': 'cpp',
  cperl: 'perl',
  js2: 'javascript',
  rjsx: 'jsx',
  nxml: 'xml',
  gitconfig: 'ini',
  messages: 'log',
}

/** `vim: set ft=python :`, `vi: filetype=sh`, in the middle of a comment. */
const vim = /(?:^|\s)(?:vim?|ex):[^\n]{0,200}?\b(?:ft|filetype|syntax)=([\w+-]{1,30})/
/** `-*- mode: ruby; tab-width: 2 -*-`, `-*- python -*-` */
const emacs =
  /-\*-[ \t]{0,9}(?:[^\n]{0,200}?\bmode:[ \t]{0,9})?([\w+-]{1,30})[ \t]{0,9}(?:;[^\n]{0,200})?-\*-/i

const [mostLines, longestLine] = [5, 300]

/** Lines that an editor looks at: the first and the last five. */
const editorLines = (text: string) => {
  const [head, tail] = [text.slice(0, 2000), text.slice(-2000)]
  return [...head.split('\n', mostLines), ...tail.split('\n').slice(-mostLines - 1)].filter(
    (line) => line.length <= longestLine,
  )
}

/** Emacs looks for a list of local variables in the last 3,000 characters. */
const localsChars = 3000

const listStart = /\blocal variables:/i

/** `Local Variables:`, lines such as `mode: python`, and `End:`, each after the same sign of a comment. */
const localMode = (text: string) => {
  const lines = text.slice(-localsChars).split('\n')
  const start = lines.findLastIndex((line) => listStart.test(line))
  if (start < 0) return
  const [prefix = ''] = lines[start]?.split(listStart, 1) ?? []
  const listed = lines
    .slice(start + 1)
    .map((line) => (line.startsWith(prefix) ? line.slice(prefix.length).trimStart() : ''))
  const end = listed.findIndex((line) => /^end:/i.test(line))
  const mode = listed.slice(0, Math.max(0, end)).find((line) => /^mode:/i.test(line))
  return /^mode:[ \t]{0,9}([\w+-]{1,30})/i.exec(mode ?? '')?.[1]
}

const idOf = (name: string) => {
  const known = editorNames[name.toLowerCase()] ?? name
  const language = findLanguage(known)
  return 'id' in language ? language.id : undefined
}

/** The language that a line for an editor names: vim's modeline, Emacs' `-*- … -*-` and its list at the end. */
export const languageOfModeline = (text: string) => {
  const named = editorLines(text).map((line) => vim.exec(line)?.[1] ?? emacs.exec(line)?.[1])
  for (const name of [...named, localMode(text)]) {
    const id = name === undefined ? undefined : idOf(name)
    if (id !== undefined) return id
  }
}

/** @property takenFor what the model says of texts in this language, apart from the language itself */
type Signs = { language: string; takenFor: readonly string[]; signs: readonly RegExp[] }

/**
 * Lines that hardly any other language has. C#, Elixir and R are not in the model. Of JavaScript, it knows old programs
 * better than new ones.
 */
const all: readonly Signs[] = [
  {
    language: 'csharp',
    takenFor: ['c', 'cpp', 'java', 'kotlin', 'typescript', 'javascript', 'objective-c'],
    signs: [
      /^using (?:static )?(?:System|Microsoft|[A-Z]\w{0,60}\.[A-Z][\w.]{0,120});/,
      /\{ get; (?:(?:private |protected |internal )?(?:set|init); )?\}/,
      /\bforeach \(var \w{1,60} in /,
      /\bConsole\.(?:Write|Read)(?:Line)?\(/,
      /\basync Task\b/,
      /\$"[^"]{0,200}\{/,
      /^namespace [A-Z][\w.]{0,120};?$/,
    ],
  },
  {
    language: 'elixir',
    takenFor: ['ruby'],
    signs: [
      /^\s{0,99}defmodule [A-Z][\w.]{0,120} do$/,
      /^\s{0,99}defp? [a-z_]\w{0,60}[?!]?(?:\(.{0,200}\))? do$/,
      /^\s{0,99}\|> [A-Za-z]/,
      /\{:(?:ok|error|reply|noreply), /,
      /^\s{0,99}@(?:impl true|moduledoc """|doc """|spec \w)/,
    ],
  },
  {
    language: 'r',
    takenFor: ['lua', 'python', 'perl'],
    signs: [
      /^\s{0,99}(?:library|require)\(["']?[A-Za-z][\w.]{0,60}["']?\)$/,
      /^\s{0,99}[A-Za-z][\w.]{0,60} <- [\w("'-]/,
      /<- function\(/,
      / %(?:>|in|o)% ?/,
      /^\s{0,99}(?:ggplot|summary|print|plot|head)\(/,
    ],
  },
  {
    language: 'javascript',
    takenFor: ['typescript', 'lua'],
    signs: [
      /^(?:const|let|var) [\w{][^=]{0,200} = require\(['"]/,
      /\bconsole\.(?:log|error)\(/,
      /^(?:module\.)?exports(?:\.\w{1,60})? = /,
    ],
  },
]

const fewestSigns = 2
/** What the model says of most short texts that it does not know. */
const anything = 'lua'
/** Enough where the model guesses otherwise, and is not sure. */
const enoughLines = 0.15

const isFence = (line: string) => /^\s{0,9}(?:```|~~~)/.test(line)

/** A file inside a script: `cat > a.js <<'END'`. */
const hasHereDocument = (lines: readonly string[]) =>
  lines.some((line) => {
    const word = /<<-?\s?(["']?)([A-Za-z_]\w{0,40})\1(?:\s|$)/.exec(line)?.[2]
    return word !== undefined && lines.includes(word)
  })

/** Words alone, to the end of a sentence: `I tried this:`. */
const isProse = (line: string) => /^(?:[A-Z]|[a-z]{1,30} )[A-Za-z',; -]{1,400}[.,:!?]$/.test(line)

const isComment = (line: string) => /^\s{0,99}(?:\*|\/[*/])/.test(line)
/** What JavaScript does not have. */
const isTypeScript = (line: string) =>
  !isComment(line) &&
  /^(?:export )?(?:declare |abstract class |interface \w|type \w{1,60} = |enum \w)|^import type |[\w)?\]]: (?:string|number|boolean|void|unknown|any)\b|\bas (?:string|number|boolean|unknown|any|const|[A-Z]\w{0,60})\b/.test(
    line,
  )

const isProgram = ({ language, signs, takenFor }: Signs, lines: readonly string[], guess: string) => {
  if (signs.filter((sign) => lines.some((line) => sign.test(line))).length < fewestSigns) return false
  if (language === 'javascript' && lines.some(isTypeScript)) return false
  const share = shareOf(lines, (line) => signs.some((sign) => sign.test(line)))
  if (share <= shareOf(lines, isProse)) return false
  const isLeaning = guess === language || (guess !== anything && takenFor.includes(guess))
  return isLeaning || share >= enoughLines
}

/**
 * A language that has two different signs, if no other one has them, and the text does not only quote a program.
 * @param guess of the model
 * @param isSure true if only what the model is known to confuse is asked
 */
export const languageOfSigns = ({ lines }: Beginning, guess: string, isSure: boolean) => {
  const asked = isSure ? all.filter(({ takenFor }) => takenFor.includes(guess)) : all
  if (asked.length === 0 || lines.some(isFence) || hasHereDocument(lines)) return
  const found = asked.filter((one) => isProgram(one, lines, guess))
  return found.length === 1 ? found[0]?.language : undefined
}

/** What is built so strictly that its form proves it, in the order of how sure that is. */
const forms: readonly ((beginning: Beginning) => string | undefined)[] = [
  languageOfOpening,
  languageOfJson,
  languageOfDiff,
  languageOfUnit,
  languageOfIni,
  languageOfNginx,
  languageOfMarkup,
  languageOfSettings,
  languageOfTable,
  languageOfLog,
]

/** The share that the model must give to a language; of a text of a few lines, which may be anything, more. */
const [sureShare, sureShareOfFew, fewLines] = [0.85, 0.95, 6]

/** What is enough for a language that leads its family, if the family has the share above. */
const leadingShare = 0.7

/** Different marks that the model must have seen. */
const fewestMarks = 16

const isSure = ({ language, share, familyShare, marks }: Guess, beginning: Beginning) => {
  const least = beginning.lines.length < fewLines ? sureShareOfFew : sureShare
  if (marks < fewestMarks || familyShare < least) return false
  if (language === 'diff') return isPartOfDiff(beginning)
  return share >= leadingShare && (language !== 'markdown' || hasMarkdown(beginning))
}

const formOf = (beginning: Beginning) => {
  for (const languageOf of forms) {
    const language = languageOf(beginning)
    if (language !== undefined) return language
  }
}

/** The language that the form of a text proves. */
export const languageOfForm = (text: string) => formOf(beginningOf(text))

const guessOf = (beginning: Beginning) => {
  const guess = classify(beginning.text)
  const sure = isSure(guess, beginning)
  return languageOfSigns(beginning, guess.language, sure) ?? (sure ? guess.language : 'text')
}

/** The language of a text by its content alone; `text` unless it is sure. */
export const languageOfContent = (text: string): string => {
  const beginning = beginningOf(text)
  return formOf(beginning) ?? guessOf(beginning)
}

/** `Error in app.js` may name a file without being that of one. `my notes.md` looks the same. */
const isSentence = (name: string) => /\s/.test(name.trim())

/**
 * The language of a text: by the ending of a name, `#!`, a line for an editor, then by its first 64 KiB. A title of several
 * words is believed after the form of the text, but before the model.
 * @param names of the file, a title; the first with a known ending counts
 * @returns a language only when sure, else `text`
 */
export const detectLanguage = (text: string, names: readonly string[] = []): string => {
  const beginning = beginningOf(text)
  const files = names.filter((name) => !isSentence(name))
  const named = guessLanguage(files, text) ?? languageOfModeline(text)
  // Many files with the ending of JSON have comments, or a record in each line.
  if (named === 'json') return languageOfJson(beginning) ?? named
  return named ?? formOf(beginning) ?? guessLanguage(names, '') ?? guessOf(beginning)
}

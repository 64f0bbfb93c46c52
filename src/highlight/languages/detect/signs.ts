import { type Beginning, shareOf } from './beginning.ts'

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

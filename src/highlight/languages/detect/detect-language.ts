import { guessLanguage } from '../guess-language.ts'
import { type Beginning, beginningOf } from './beginning.ts'
import { isPartOfDiff, languageOfDiff } from './diff-text.ts'
import { languageOfJson } from './json-text.ts'
import { languageOfLog } from './log-lines.ts'
import { hasMarkdown, languageOfMarkup } from './markup.ts'
import { classify, type Guess } from './model/classify.ts'
import { languageOfModeline } from './modelines.ts'
import { languageOfNginx } from './nginx-text.ts'
import { languageOfOpening } from './openings.ts'
import { languageOfIni, languageOfSettings, languageOfUnit } from './sections.ts'
import { languageOfSigns } from './signs.ts'
import { languageOfTable } from './tables.ts'

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

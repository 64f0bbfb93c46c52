import { closest, distance } from 'fastest-levenshtein'

/** No word of the command line is longer, and comparing a megabyte would take seconds. */
const mostCharacters = 32

/** The choice that was probably meant: one that begins so, or one that differs in less than half its letters. */
export const nearestOf = (word: string, choices: readonly string[]) => {
  const typed = word.toLowerCase().slice(0, mostCharacters)
  const begun = choices.filter((choice) => typed.length > 1 && choice.startsWith(typed))
  if (begun.length === 1) return begun[0]
  const nearest = closest(typed, choices)
  const letters = Math.min(typed.length, nearest.length)
  return distance(typed, nearest) <= Math.max(1, Math.floor(letters / 2)) ? nearest : undefined
}

/** `; did you mean paste?` if the word is near one of the choices, else empty. */
export const didYouMean = (word: string, choices: readonly string[]) => {
  const nearest = nearestOf(word, choices)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

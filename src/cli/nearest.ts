import { closest, distance } from 'fastest-levenshtein'

/** No word of the command line is longer, and comparing a megabyte would take seconds. */
const mostCharacters = 32

/** `; did you mean paste?` if the word is near one of the choices, else empty. */
export const didYouMean = (word: string, choices: readonly string[]) => {
  const typed = word.toLowerCase().slice(0, mostCharacters)
  const nearest = closest(typed, choices)
  const isNear = distance(typed, nearest) <= Math.max(1, Math.floor(nearest.length / 2))
  return isNear ? `; did you mean ${nearest}?` : ''
}

/** A language to choose. `spellings` are its other words, separated by spaces. */
export type Choice = { id: string; name: string; spellings: string }

/** Offered first. */
export const commonLanguages =
  'text shellscript python javascript typescript json yaml markdown html css sql go rust java c cpp csharp php docker diff log'.split(
    ' ',
  )

/** Typed text in the form for comparing: lower case, trimmed, `.rs` as `rs`. */
export const asSpelling = (typed: string) =>
  typed
    .trim()
    .toLowerCase()
    .replace(/^\.(?=.)/, '')

const choiceWords = ({ id, name, spellings }: Choice) => [id, name.toLowerCase(), ...spellings.split(' ')]

/** The language with exactly this id, name, alias or ending. */
export const exactChoice = (choices: readonly Choice[], typed: string) =>
  choices.find((choice) => choice.id === asSpelling(typed)) ??
  choices.find((choice) => choiceWords(choice).includes(asSpelling(typed)))

/** 0: equals a word. 1: begins the id or the name. 2: begins an alias. 3: inside a word. 4: no match. */
const rankOf = (choice: Choice, spelling: string) => {
  const words = choiceWords(choice)
  if (words.includes(spelling)) return 0
  const at = words.findIndex((word) => word.startsWith(spelling))
  if (at >= 0) return at < 2 ? 1 : 2
  return words.some((word) => word.includes(spelling)) ? 3 : 4
}

/** The matching languages, best first; among equals, common ones come first, then the given order. */
export const searchLanguages = (choices: readonly Choice[], typed: string): Choice[] => {
  const spelling = asSpelling(typed)
  return choices
    .map((choice) => {
      const isCommon = commonLanguages.includes(choice.id)
      return { choice, rank: 2 * rankOf(choice, spelling) + (isCommon ? 0 : 1) }
    })
    .filter(({ rank }) => rank < 8)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice)
}

/** Levenshtein distance: characters to add, drop or replace. Small, for browsers; the server uses a faster package. */
const distance = (a: string, b: string) => {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1)))
    row = next
  }
  return row[b.length] ?? 0
}

/** The nearest word; the first one of equals. */
const nearestOf = (words: readonly string[], spelling: string) => {
  // No word is longer than 30 characters, and comparing a megabyte would take minutes.
  const typed = spelling.slice(0, 32)
  let nearest = { word: '', steps: Number.POSITIVE_INFINITY }
  for (const word of words) {
    const steps = distance(typed, word)
    if (steps < nearest.steps) nearest = { word, steps }
  }
  return nearest.word
}

/** The nearest language to an unknown word. */
export const nearestChoice = (choices: readonly Choice[], typed: string) => {
  // Leaves out short endings, which are near to everything.
  const words = choices.flatMap((choice) => choiceWords(choice).filter((word) => word.length > 2))
  return exactChoice(choices, nearestOf(words, asSpelling(typed)))
}

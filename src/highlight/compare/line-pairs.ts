import type { Budget } from './sequences.ts'
import { tokensOf } from './words.ts'

/** A removed and an added line that belong together, counted from the beginning of a change. */
export type Pair = readonly [removed: number, added: number]

/** A table of this size takes a millisecond. */
const mostCells = 1600
const mostChars = 1000

/** A score below this is chance: brackets, or a common word. */
const leastLikeness = 0.4

/** How often each word and sign occurs; spaces do not count. */
const wordsOf = (line: string) => {
  const words = new Map<string, number>()
  for (const word of tokensOf(line.slice(0, mostChars)))
    if (word.trim() !== '') words.set(word, (words.get(word) ?? 0) + word.length)
  return words
}

const sizeOf = (words: ReadonlyMap<string, number>) => {
  let size = 0
  for (const count of words.values()) size += count
  return size
}

/** Between 0 and 1: the share of the words of two lines that they have in common. */
const likeness = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) => {
  let common = 0
  for (const [word, count] of before) common += Math.min(count, after.get(word) ?? 0)
  const size = sizeOf(before) + sizeOf(after)
  return size === 0 ? 1 : (2 * common) / size
}

const onlyPair: readonly Pair[] = [[0, 0]]

const inOrder = (removed: number, added: number) =>
  Array.from({ length: Math.min(removed, added) }, (_, at): Pair => [at, at])

/** The best score of the lines from each place on: the usual table for aligning two lists. */
const scoresOf = (likenesses: readonly (readonly number[])[], added: number) => {
  const scores = Array.from({ length: likenesses.length + 1 }, () => new Float64Array(added + 1))
  for (let at = likenesses.length - 1; at >= 0; at--)
    for (let other = added - 1; other >= 0; other--)
      (scores[at] as Float64Array)[other] = Math.max(
        scores[at + 1]?.[other] ?? 0,
        scores[at]?.[other + 1] ?? 0,
        (likenesses[at]?.[other] ?? 0) + (scores[at + 1]?.[other + 1] ?? 0),
      )
  return scores
}

/**
 * Which removed line became which added one: those with the most words in common, in order. A change of too many lines
 * is paired line by line.
 */
export const pairLines = (
  removed: readonly string[],
  added: readonly string[],
  budget: Budget,
): readonly Pair[] => {
  const cells = removed.length * added.length
  if (cells === 1) return onlyPair
  if (cells === 0 || cells > mostCells) return inOrder(removed.length, added.length)
  const [old, recent] = [removed.map(wordsOf), added.map(wordsOf)]
  for (const words of old) budget.left -= words.size * added.length
  if (budget.left <= 0) return inOrder(removed.length, added.length)
  const likenesses = old.map((words) =>
    recent.map((others) => {
      const found = likeness(words, others)
      return found < leastLikeness ? 0 : found
    }),
  )
  const scores = scoresOf(likenesses, added.length)
  const pairs: Pair[] = []
  for (let at = 0, other = 0; at < removed.length && other < added.length; ) {
    const score = scores[at]?.[other]
    if (score === scores[at + 1]?.[other]) at++
    else if (score === scores[at]?.[other + 1]) other++
    else pairs.push([at++, other++])
  }
  return pairs
}

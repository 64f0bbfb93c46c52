// Bun finds nothing in the module that the package has for `import`. This works in browsers too.
declare const require: (name: string) => typeof import('@jest/diff-sequences')
const { default: diffSequences } = require('@jest/diff-sequences')

/** Items that both sides have, in order: the first item on each side, and how many. */
export type Run = { before: number; after: number; count: number }

/** What a comparison may still cost, counted in items looked at: the same texts give up on every machine. */
export type Budget = { left: number }

const spent = Symbol('spent')

/** The longest common subsequence of two sequences. @returns `undefined` if the budget is spent */
export const commonRuns = (
  before: ArrayLike<unknown>,
  after: ArrayLike<unknown>,
  budget: Budget,
): readonly Run[] | undefined => {
  const runs: Run[] = []
  const isCommon = (at: number, other: number) => {
    if (budget.left-- <= 0) throw spent
    return before[at] === after[other]
  }
  try {
    diffSequences(before.length, after.length, isCommon, (count, at, other) => {
      runs.push({ before: at, after: other, count })
    })
    return runs
  } catch (error) {
    if (error === spent) return undefined
    throw error
  }
}

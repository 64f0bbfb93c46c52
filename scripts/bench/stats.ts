/** The middle of some numbers and how far they spread. */
export type Spread = { median: number; min: number; max: number }

/** The middle value, or the mean of the two in the middle. @throws when there is none */
export const median = (values: readonly number[]) => {
  if (values.length === 0 || !values.every(Number.isFinite)) throw new Error(`no median of [${values}]`)
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return ((sorted[Math.floor(at)] as number) + (sorted[Math.ceil(at)] as number)) / 2
}

export const spread = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

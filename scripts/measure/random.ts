/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export const createRandom = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    /** A whole number from 0 to `end - 1`. */
    below: (end: number) => Math.floor(next() * end),
    pick: <T>(values: readonly T[]) => values[Math.floor(next() * values.length)] as T,
  }
}
export type Random = ReturnType<typeof createRandom>

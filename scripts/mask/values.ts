import { createRandom } from '../measure/random.ts'

const [digits, lower, upper] = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const letters = lower + upper
export const sets = {
  digits,
  upper,
  lower,
  hex: `${digits}abcdef`,
  alnum: letters + digits,
  base32: `${upper}234567`,
  base64: `${letters + digits}+/`,
  url: `${letters + digits}-_`,
}

/** What makes values of one seed. None is written down here: tools that look for keys would stop at it. */
export const createValues = (seed: number) => {
  const { below, pick } = createRandom(seed)
  const of = (set: keyof typeof sets, count: number) =>
    Array.from({ length: count }, () => sets[set][below(sets[set].length)]).join('')
  return { below, pick, of }
}
export type Values = ReturnType<typeof createValues>

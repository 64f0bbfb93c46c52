import { createReader, type Evidence } from './evidence.ts'
import model from './model.json'

/** A guess, its share from 0 to 1 of all that it may be, that of its family, and how many different marks are behind it. */
export type Guess = { language: string; share: number; familyShare: number; marks: number }

/** Digits of base 64: a mark has six of them, a weight one. */
const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const valueOfDigit = new Int8Array(128)
for (const [value, digit] of [...digits].entries()) valueOfDigit[digit.charCodeAt(0)] = value

const decodeMarks = (text: string) =>
  Int32Array.from({ length: text.length / 6 }, (_, at) => {
    let value = 0
    for (let place = 0; place < 6; place++)
      value = (value << 6) | (valueOfDigit[text.charCodeAt(6 * at + place)] as number)
    return value
  })

const decodeWeights = (text: string) =>
  Int8Array.from({ length: text.length }, (_, at) => (valueOfDigit[text.charCodeAt(at)] as number) - 32)

export type Model = { languages: readonly string[]; scale: number; marks: string; weights: string }

/** Writes numbers as the model has them. */
export const encode = {
  mark: (mark: number) =>
    Array.from({ length: 6 }, (_, at) => digits[(mark >>> (30 - 6 * at)) & 63]).join(''),
  weight: (weight: number) => digits[Math.max(-32, Math.min(31, Math.round(weight))) + 32] as string,
}

/** Languages that differ in little: a text of one is well coloured as another. */
const families = ['javascript typescript', 'c cpp objective-c', 'css scss less'].map((list) =>
  list.split(' '),
)
const familyOf = (language: string) => families.find((family) => family.includes(language)) ?? [language]

/** @returns what reads a text and says which language it is most likely */
export const createClassifier = ({ languages, scale, marks: written, weights: all }: Model) => {
  const [marks, weights, width] = [decodeMarks(written), decodeWeights(all), languages.length]
  const read = createReader(marks)
  const sums = new Float32Array(width)

  const addUp = ({ weights: values, met, size }: Evidence) => {
    for (let one = 0; one < width; one++) sums[one] = weights[marks.length * width + one] as number
    for (let at = 0; at < size; at++) {
      const place = met[at] as number
      const value = values[place] as number
      const row = place * width
      for (let one = 0; one < width; one++)
        sums[one] = (sums[one] as number) + value * (weights[row + one] as number)
    }
  }

  return (text: string): Guess => {
    const evidence = read(text)
    addUp(evidence)
    let best = 0
    for (let one = 1; one < width; one++) if ((sums[one] as number) > (sums[best] as number)) best = one
    const language = languages[best] as string
    const family = familyOf(language)
    let [all, related] = [0, 0]
    for (let one = 0; one < width; one++) {
      const odds = Math.exp(((sums[one] as number) - (sums[best] as number)) * scale)
      all += odds
      if (family.includes(languages[one] as string)) related += odds
    }
    return { language, share: 1 / all, familyShare: related / all, marks: evidence.size }
  }
}

let classifier: ReturnType<typeof createClassifier> | undefined

/** The model that was learnt from the corpus. It is unpacked when the first text asks for it. */
export const classify = (text: string): Guess => {
  classifier ??= createClassifier(model)
  return classifier(text)
}

import model from './model.json'

/** Shapes of what is no word: end of a line, its indentation, a number, any character beyond ASCII. */
const [lineEnd, indented, tabbed, digits, foreign] = [10, 1, 2, 3, 4]
/** Shapes of words: `name`, `Name`, `NAME`. */
const [lower, capital, upper] = [5, 6, 7]

/** Kinds of marks, so equal characters of different kinds differ. */
const [wordKind, firstKind, pairKind, twoKind, threeKind] = [0x51, 0xa3, 0x1f7, 0x3d5, 0x7b1]

/** Kind of each character of ASCII: 0 sign, 1 letter, 2 digit, 3 blank, 4 end of a line. */
const charKinds = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_') charKinds[char.charCodeAt(0)] = 1
for (const char of '0123456789') charKinds[char.charCodeAt(0)] = 2
for (const char of ' \t\r') charKinds[char.charCodeAt(0)] = 3
charKinds[lineEnd] = 4

/** 5 beyond ASCII. */
const charKind = (code: number) => (code < 128 ? (charKinds[code] as number) : 5)

const isUpper = (code: number) => code >= 65 && code <= 90

const mix = (a: number, b: number) => Math.imul(a ^ b, 0x01000193) ^ (a >>> 15)

/** Longer words are names, which no language has in common with another text. */
const longestWord = 20

/**
 * Reads a text once and reports its marks as hashes: each word, the first word of each line, two words after one another,
 * and two and three shapes after one another, such as `name` `(` `)`.
 */
export const eachMark = (text: string, report: (mark: number) => void) => {
  // The shapes before, the word before if one blank is between, and whether the line has no word yet.
  let [before, last, former, isFirst] = [lineEnd, lineEnd, 0, true]
  const shape = (code: number) => {
    report(mix(mix(twoKind, last), code))
    report(mix(mix(mix(threeKind, before), last), code))
    before = last
    last = code
  }
  const length = text.length
  for (let at = 0; at < length; ) {
    const code = text.charCodeAt(at)
    const kind = charKind(code)
    let end = at + 1
    if (kind === 1) {
      let hash = mix(wordKind, code)
      for (; end < length; end++) {
        const next = text.charCodeAt(end)
        if (next > 127 || (charKinds[next] !== 1 && charKinds[next] !== 2)) break
        hash = mix(hash, next)
      }
      shape(!isUpper(code) ? lower : end - at > 1 && isUpper(text.charCodeAt(end - 1)) ? upper : capital)
      if (end - at <= longestWord) {
        report(hash)
        if (isFirst) report(mix(firstKind, hash))
        if (former !== 0) report(mix(mix(pairKind, former), hash))
        former = text.charCodeAt(end) === 32 ? hash : 0
      } else former = 0
      isFirst = false
    } else if (kind === 4) {
      shape(lineEnd)
      isFirst = true
      former = 0
    } else if (kind === 0) {
      shape(code)
      former = 0
    } else {
      while (end < length && charKind(text.charCodeAt(end)) === kind) end++
      if (kind === 2) shape(digits)
      else if (kind === 5) shape(foreign)
      else if (last === lineEnd) shape(code === 9 ? tabbed : indented)
      else if (code !== 13) shape(32)
      if (kind !== 3) former = 0
    }
    at = end
  }
}

/** Counts of known marks: one number for each, and their places in the order they were met. */
export type Evidence = { weights: Float32Array; met: Uint16Array; size: number }

/** A table of hashes with open addresses, which needs no object per mark. */
const createPlaces = (marks: Int32Array) => {
  const mask = 2 ** Math.ceil(Math.log2(marks.length * 4)) - 1
  const [keys, places] = [new Int32Array(mask + 1), new Int16Array(mask + 1).fill(-1)]
  for (const [place, mark] of marks.entries()) {
    let at = mark & mask
    while (places[at] !== -1) at = (at + 1) & mask
    keys[at] = mark
    places[at] = place
  }
  return (mark: number) => {
    for (let at = mark & mask; ; at = (at + 1) & mask) {
      const place = places[at] as number
      if (place === -1 || keys[at] === mark) return place
    }
  }
}

/** Counts known marks. Each is damped by the logarithm, and all together have the length 1. */
export const createReader = (marks: Int32Array) => {
  const placeOf = createPlaces(marks)
  const weights = new Float32Array(marks.length)
  const met = new Uint16Array(marks.length)
  return (text: string): Evidence => {
    weights.fill(0)
    let size = 0
    eachMark(text, (mark) => {
      const place = placeOf(mark)
      if (place === -1) return
      if (weights[place] === 0) met[size++] = place
      weights[place] = (weights[place] as number) + 1
    })
    let squares = 0
    for (let at = 0; at < size; at++) {
      const place = met[at] as number
      const weight = Math.log2(1 + (weights[place] as number))
      weights[place] = weight
      squares += weight * weight
    }
    const scale = 1 / Math.sqrt(squares || 1)
    for (let at = 0; at < size; at++) {
      const place = met[at] as number
      weights[place] = (weights[place] as number) * scale
    }
    return { weights, met, size }
  }
}

/** A guess, its share from 0 to 1 of all that it may be, that of its family, and how many different marks are behind it. */
export type Guess = { language: string; share: number; familyShare: number; marks: number }

/** Digits of base 64: a mark has six of them, a weight one. */
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const valueOfDigit = new Int8Array(128)
for (const [value, digit] of [...base64].entries()) valueOfDigit[digit.charCodeAt(0)] = value

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
    Array.from({ length: 6 }, (_, at) => base64[(mark >>> (30 - 6 * at)) & 63]).join(''),
  weight: (weight: number) => base64[Math.max(-32, Math.min(31, Math.round(weight))) + 32] as string,
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
